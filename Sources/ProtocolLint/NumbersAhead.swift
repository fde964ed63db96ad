import HealthProfiles
import LinkTrace

/// What a collector asks for or receives from each of its procedures on, found for all of them in one pass.
struct NumbersAhead {
  /// Procedures between which the sensor's count goes on.
  private struct Course: Hashable {
    var era: Int
    var restarts: Int
  }

  /// By the places of the collector's procedures.
  private var asked: [Course: LastSeenNumbers] = [:]
  /// Records outside of procedures, by the era and the links they came on.
  private var strays: [Int: LastSeenNumbers] = [:]

  init(
    _ collector: Int,
    _ steps: [DeviceStep],
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) {
    for position in steps.indices.reversed() {
      let step = steps[position]
      let procedure = device.procedure(step)
      var numbers = procedure.sequences.ranges
      if procedure.opCode == .report, !procedure.isRefused,
        let range = StoreKnowledge.range(subject.request(step).selection)
      {
        numbers.append(range)
      }
      let course = Course(
        era: subject.standings[step.link].era,
        restarts: subject.restarts(by: step, device)
      )
      for range in numbers { asked[course, default: LastSeenNumbers()].add(range, in: position) }
    }
    for link in subject.collectors[collector].reversed() {
      for range in device.links[link].strays.ranges {
        strays[subject.standings[link].era, default: LastSeenNumbers()].add(range, in: link)
      }
    }
    for course in Array(asked.keys) { asked[course]?.sort() }
    for era in Array(strays.keys) { strays[era]?.sort() }
  }

  /// The numbers of some ranges that neither a procedure nor the records outside of them come back to.
  func neverSeen(
    _ ranges: [ClosedRange<UInt32>],
    from position: Int,
    _ step: DeviceStep,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> [ClosedRange<UInt32>] {
    let era = subject.standings[step.link].era
    let later = asked[Course(era: era, restarts: subject.restarts(by: step, device))]
    let outside = strays[era]
    return ranges.flatMap { later?.unseen($0, since: position) ?? [$0] }
      .flatMap { outside?.unseen($0, since: step.link) ?? [$0] }
  }
}
