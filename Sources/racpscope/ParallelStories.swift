import CaptureFiles
import Dispatch
import Glibc
import Reporting

/// Works on several stories at once, one thread each, and gives their results in the order of the input.
enum ParallelStories {
  /// What the work on one story leaves: its text, and what of the options it could not satisfy.
  struct Told: Sendable {
    var name: String
    var output: OutputBuffer
    var lacking: StoryReport.Lacking?
  }

  /// Writes what `work` makes of each story to stdout as soon as its turn has come.
  static func write(
    _ inputs: InputStories,
    _ work: @escaping @Sendable ([CaptureSource], ProgressMeter) throws(CaptureError) -> Told
  ) -> ExitStatus {
    for error in inputs.errors { Complaint.write(error) }
    var status = inputs.errors.isEmpty ? ExitStatus.done : .usage
    let showsProgress = inputs.stories.count == 1 && Terminal.behind(descriptor: 2).isTerminal
    var output = OutputBuffer(descriptor: 1)
    var isFirst = true
    var lacking: [(name: String, what: StoryReport.Lacking)] = []
    var toldCount = 0
    each(inputs.stories) { sources in
      do throws(CaptureError) {
        let meter = ProgressMeter(sources[0].name, isShown: showsProgress)
        return Result<Told, CaptureError>.success(try work(sources, meter))
      } catch {
        return .failure(error)
      }
    } take: { result in
      switch result {
      case .success(let told):
        if !isFirst { output.newline() }
        output.append(told.output.octets)
        output.flush()
        if let what = told.lacking { lacking.append((told.name, what)) } else { toldCount += 1 }
      case .failure(let error):
        Complaint.write(error)
        status = .usage
      }
      isFirst = false
      return output.isOpen
    }
    if toldCount == 0 && !lacking.isEmpty {
      NothingMatches.complain(lacking)
      status = .usage
    }
    return status.joined(with: Destination.standardOutput.end(output))
  }

  /// Runs `work` for each story, on as many threads as there are processors, and takes the results in order until
  /// `take` wants no more.
  ///
  /// A single story runs on the calling thread.
  static func each<Value: Sendable>(
    _ stories: [[CaptureSource]],
    work: @escaping @Sendable ([CaptureSource]) -> Value,
    take: (Value) -> Bool
  ) {
    each(stories.indices.map { [$0] }) { _ in
      ()
    } work: { _, index in
      work(stories[index])
    } take: { _, value in
      take(value)
    }
  }

  /// Runs `work` for each index of each group: the groups on as many threads as there are processors, a group's
  /// indices one after the other with the group's state. Takes the results by rising index until `take` wants no more.
  ///
  /// A single group runs on the calling thread, and each result is taken before the next is made.
  static func each<State: Sendable, Value: Sendable>(
    _ groups: [[Int]],
    state: @escaping @Sendable (_ group: Int) -> State,
    work: @escaping @Sendable (inout State, _ index: Int) -> Value,
    take: (_ index: Int, Value) -> Bool
  ) {
    guard groups.count > 1 else {
      var own = state(0)
      for index in groups.first ?? [] where !take(index, work(&own, index)) { return }
      return
    }
    let slots = (0..<groups.reduce(0) { $0 + $1.count }).map { _ in Slot<Value>() }
    let queue = DispatchQueue(label: "stories", attributes: .concurrent)
    let places = DispatchSemaphore(value: max(1, Self.processors))
    for (number, group) in groups.enumerated() {
      queue.async {
        places.wait()
        var own = state(number)
        for index in group { slots[index].fill(work(&own, index)) }
        places.signal()
      }
    }
    for (index, slot) in slots.enumerated() where !take(index, slot.wait()) { return }
  }

  /// True where so many stories, one thread each, leave a processor for a second thread of each.
  static func leaveProcessors(_ stories: Int) -> Bool { stories * 2 <= processors }

  private static var processors: Int { Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// One result on its way from its thread.
  private final class Slot<Value: Sendable>: @unchecked Sendable {
    private let isFull = DispatchSemaphore(value: 0)
    private var value: Value?

    func fill(_ value: Value) {
      self.value = value
      isFull.signal()
    }

    func wait() -> Value {
      while true {
        isFull.wait()
        if let value {
          self.value = nil
          return value
        }
      }
    }
  }
}
