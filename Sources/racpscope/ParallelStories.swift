import CaptureFiles
import Dispatch
import Glibc
import Reporting

/// Works on several stories at once, one thread each, and gives their results in the order of the input.
enum ParallelStories {
  /// Writes what `work` makes of each story to stdout as soon as its turn has come.
  static func write(
    _ inputs: InputStories,
    _ work: @escaping @Sendable ([CaptureSource], ProgressMeter) throws(CaptureError) -> OutputBuffer
  ) -> ExitStatus {
    for error in inputs.errors { Complaint.write(error) }
    var status = inputs.errors.isEmpty ? ExitStatus.done : .usage
    let showsProgress = inputs.stories.count == 1 && Terminal.behind(descriptor: 2).isTerminal
    var isFirst = true
    var isOpen = true
    each(inputs.stories) { sources in
      do throws(CaptureError) {
        let meter = ProgressMeter(sources[0].name, isShown: showsProgress)
        return Result<OutputBuffer, CaptureError>.success(try work(sources, meter))
      } catch {
        return .failure(error)
      }
    } take: { result in
      status = status.joined(with: emit(result, isFirst: isFirst, &isOpen))
      isFirst = false
    }
    return status
  }

  /// Runs `work` for each story, on as many threads as there are processors, and takes the results in order.
  ///
  /// A single story runs on the calling thread.
  static func each<Value: Sendable>(
    _ stories: [[CaptureSource]],
    work: @escaping @Sendable ([CaptureSource]) -> Value,
    take: (Value) -> Void
  ) {
    guard stories.count > 1 else {
      for story in stories { take(work(story)) }
      return
    }
    let slots = stories.map { _ in Slot<Value>() }
    let queue = DispatchQueue(label: "stories", attributes: .concurrent)
    let places = DispatchSemaphore(value: max(1, Self.processors))
    for (story, slot) in zip(stories, slots) {
      queue.async {
        places.wait()
        slot.fill(work(story))
        places.signal()
      }
    }
    for slot in slots { take(slot.wait()) }
  }

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
        if let value { return value }
      }
    }
  }

  /// Writes a result while anybody takes it: an output that failed is complained of once.
  private static func emit(
    _ result: Result<OutputBuffer, CaptureError>,
    isFirst: Bool,
    _ isOpen: inout Bool
  ) -> ExitStatus {
    switch result {
    case .success(let collected):
      guard isOpen else { return .done }
      var output = OutputBuffer(descriptor: 1)
      if !isFirst { output.newline() }
      output.append(collected.octets)
      output.flush()
      isOpen = output.isOpen
      return Destination.standardOutput.end(output)
    case .failure(let error):
      Complaint.write(error)
      return .usage
    }
  }
}
