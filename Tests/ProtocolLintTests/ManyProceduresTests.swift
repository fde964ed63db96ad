import CaptureFiles
import HealthProfiles
import LinkTrace
import Scenarios
import Testing

@testable import ProtocolLint

/// What a link or a device of thousands of procedures costs, and that nothing is overlooked on it.
@Suite(.serialized) struct ManyProceduresTests {
  /// Keeps the links of a capture and their devices.
  private struct Kept: LinkConsumer {
    var links: [LinkHistory] = []
    var devices: [DeviceHistory] = []

    init(_ steps: [Step], _ rendering: Rendering = Rendering()) throws {
      let octets = Scenario("many", steps).capture(rendering)
      var reader = try CaptureReader.open(.memory(octets, name: "many"))
      var tracker = LinkTracker()
      tracker.read(&reader, into: &self)
      tracker.finish(into: &self)
    }

    mutating func take(_ history: borrowing LinkHistory, from tracker: borrowing LinkTracker) {
      links.append(copy history)
      let key = DeviceHistory.Key(history)
      let place = devices.firstIndex { $0.key == key } ?? devices.count
      if place == devices.count { devices.append(DeviceHistory(key)) }
      devices[place].take(history)
    }
  }

  /// One turn of a link; numbers repeat where there are too many turns.
  enum Turn: String, CaseIterable, Sendable {
    case counts, reports, idleAborts, unconfirmed, aborted, subscriptions, refused

    func steps(_ turn: Int) -> [Step] {
      let number = UInt16(turn % 60_000 + 1)
      return switch self {
      case .counts: [.ask(answer: number)]
      case .reports: [.ask(.atLeast(UInt32(number)), answer: 1), .fetch(.atLeast(UInt32(number)), number...number)]
      case .idleAborts: [.abort, .accept, .result(.abort, .success), .confirm]
      case .unconfirmed: [.report(.last), .accept, .record(number), .result(.report, .success)]
      case .aborted:
        [.report(.all), .accept, .record(number), .abort, .accept, .result(.abort, .success), .confirm]
      case .subscriptions: [.subscribe(), .fetch(.last, number...number)]
      case .refused: [.report(.within(UInt32(number), UInt32(number))), .refuse(error: 0x80)]
      }
    }
  }

  @Test(arguments: Turn.allCases)
  func `the rules over a link do not look through its procedures for each of them`(_ turn: Turn) throws {
    func link(_ turns: Int) throws -> LinkHistory {
      let kept = try Kept([.firstArrival] + (0..<turns).flatMap { turn.steps($0) } + [.farewell])
      return try #require(kept.links.first)
    }
    let (few, many) = (try link(100), try link(3200))
    let rules: [any LinkRule] = [
      CountDiffers(), GapTheCountDenies(), AbortMishandled(), RequestWhileRunning(), ResultForOtherRequest(),
      ResultMissing(), ResultContradictsRecords(), RecordAfterResult(), SpontaneousRecord(), BusyThoughIdle(),
      FilterNotHonoured(), EndTakenFromSilence(), RequestBeforeSubscription(), RefusedOnWrongLayer(),
    ]
    let factor = growth {
      _ = rules.map { $0.check(few, LinkSubject(few)) }
    } to: {
      _ = rules.map { $0.check(many, LinkSubject(many)) }
    }
    // 32 times as many; their square is 1024.
    #expect(factor < 200)
  }

  @Test func `what comes before and after a procedure is what a search for it finds`() throws {
    var random = RandomTurns(seed: 11)
    for _ in 0..<24 {
      var steps: [Step] = [.firstArrival]
      for _ in 0..<40 { steps.append(random.step()) }
      let history = try #require(try Kept(steps + [.farewell]).links.first)
      let subject = LinkSubject(history)
      #expect(history.procedures.count > 10)
      for index in history.procedures.indices {
        let around = subject.surroundings[index]
        let procedure = history.procedures[index]
        let before = history.procedures[..<index]
        let operand = subject.requests[index].octets.dropFirst()
        let sinceDelete = before.lastIndex { $0.opCode == .delete }.map { $0 + 1 } ?? 0
        let same = (sinceDelete..<index).filter { subject.requests[$0].octets.dropFirst() == operand }
        func isCount(_ place: Int) -> Bool {
          if case .count = history.procedures[place].outcome { true } else { false }
        }
        #expect(around.followsCount == before.contains { $0.opCode == .count })
        #expect(around.count == same.last(where: isCount))
        #expect(
          around.known
            == same.last {
              let other = history.procedures[$0]
              return !subject.standings[$0].isOverlapping
                && (isCount($0) || (other.opCode == .report && other.outcome == .success))
            }
        )
        #expect(around.highest == before.compactMap(\.sequences.maximum).max())
        #expect(around.lastResult == before.lastIndex { $0.result != nil })
        #expect(around.lastConfirmed == before.lastIndex { $0.result != nil && $0.confirmation != nil })
        #expect(
          around.crossesResult
            == before.contains { $0.result != nil && ($0.confirmation ?? .max) > procedure.request }
        )
        #expect(around.followsUnanswered == before.contains { $0.outcome == .unanswered })
        #expect(
          around.followsExpired == before.contains { $0.outcome == .unanswered && history.wasAccepted($0) }
        )
        #expect(
          around.followsOpenAbort
            == before.contains {
              procedure.overlaps != nil && $0.opCode == .abort && $0.overlaps == procedure.overlaps
                && ($0.result ?? .max) > procedure.request && (history.wasAccepted($0) || $0.answer == nil)
            }
        )
        let after = history.procedures[(index + 1)...]
        #expect(around.nextDelivery == after.firstIndex { $0.opCode.mayDeliver })
        #expect(
          around.nextAccepted
            == after.firstIndex {
              if case .refused = $0.outcome { return false }
              return $0.opCode != .abort
            }
        )
        let unfinished = after.filter { $0.opCode == .abort && $0.overlaps == UInt32(index) && $0.result == nil }
        #expect(around.unfinishedAbort == unfinished.compactMap(\.answer).min())
      }
    }
  }

  @Test func `numbers that are asked for again at the end are found at once`() throws {
    func device(_ turns: Int) throws -> DeviceHistory {
      var steps: [Step] = [.firstArrival]
      for _ in 0..<turns {
        steps += [
          .report(.all), .accept, .record(5), .linkLoss, .later(minutes: 1), .bondedArrival,
          .fetchNothing(.atLeast(40_000)), .farewell, .later(minutes: 1), .bondedArrival,
        ]
      }
      return try #require(try Kept(steps + [.fetch(.all, 5...6), .farewell]).devices.first)
    }
    let (few, many) = (try device(25), try device(800))
    let subjects = (few: DeviceSubject(few), many: DeviceSubject(many))
    var outcome = RuleOutcome.notApplicable
    let factor = growth {
      _ = NeverFetched().check(few, subjects.few)
    } to: {
      outcome = NeverFetched().check(many, subjects.many)
    }
    #expect(factor < 200)
    guard case .pass = outcome else {
      Issue.record("what was left out was asked for again")
      return
    }
  }

  @Test func `what another collector deleted last is what a search for it finds`() throws {
    var random = RandomTurns(seed: 3)
    var steps: [Step] = []
    for _ in 0..<40 {
      steps += [.selectCollector(UInt8(random.below(4))), .firstArrival]
      if random.below(3) > 0 { steps += [.delete(.all), .accept, .result(.delete, .success), .confirm] }
      steps += [.farewell, .later(minutes: 1)]
    }
    let device = try #require(try Kept(steps, Rendering(side: .sensor)).devices.first)
    let subject = DeviceSubject(device)
    #expect(subject.collectors.count > 2)
    let deletes = CollectorDeletes(device, subject)
    for collector in subject.collectors.indices {
      let others = subject.series.filter { $0.collector != collector }.flatMap(\.steps)
        .map { device.procedure($0) }.filter { $0.opCode == .delete }.map(\.startTime)
      for link in device.links {
        for time in [link.firstTime, link.firstTime + 30_000_000] {
          #expect(deletes.last(before: time, otherThan: collector) == others.filter { $0 < time }.max())
        }
      }
    }
  }

  @Test func `the last event in which a number was seen is found`() {
    var random = RandomTurns(seed: 5)
    var events: [[ClosedRange<UInt32>]] = []
    for _ in 0..<60 {
      events.append(
        (0..<random.below(4)).map { _ in
          let first = UInt32(random.below(400))
          return first...(first + UInt32(random.below(60)))
        }
      )
    }
    var seen = LastSeenNumbers()
    for event in events.indices.reversed() { for range in events[event] { seen.add(range, in: event) } }
    seen.sort()
    for event in 0...events.count {
      let came = Set(events[event...].joined().joined())
      let first = UInt32(random.below(300))
      let range = first...(first + UInt32(random.below(200)))
      #expect(seen.unseen(range, since: event).flatMap(Array.init) == range.filter { !came.contains($0) })
    }
  }
}

/// The same steps on every run.
private struct RandomTurns {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func below(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }

  /// A procedure, in order or not.
  mutating func step() -> Step {
    let number = UInt16(1 + below(6))
    return switch below(12) {
    case 0: .ask(answer: number)
    case 1: .ask(.atLeast(UInt32(number)), answer: 2)
    case 2: .fetch(.all, 1...number)
    case 3: .fetch(.atLeast(UInt32(number)), number...(number + 1))
    case 4: .group([.report(.all), .accept, .record(number)])
    case 5: .group([.abort, .accept])
    case 6: .group([.abort, .accept, .result(.abort, .success), .confirm])
    case 7: .group([.delete(.all), .accept, .result(.delete, .success), .confirm])
    case 8: .group([.report(.last), .refuse(error: 0x80)])
    case 9: .group([.report(.first), .accept, .record(number), .result(.report, .success)])
    case 10: .wait(milliseconds: 40_000)
    default: .confirm
    }
  }
}
