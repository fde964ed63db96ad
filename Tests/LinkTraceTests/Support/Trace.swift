import BluetoothWire
import CaptureFiles
import LinkTrace
import Scenarios

/// What a tracker made of a capture: its links in the order they ended, and what it learned.
struct Trace {
  var links: [LinkHistory] = []
  var memory = TraceMemory()
  var totals = CaptureTotals()

  init(path: String, memory: TraceMemory = TraceMemory()) throws {
    var reader = try CaptureReader.open(.path(path))
    self.init(reading: &reader, memory: memory)
  }

  init(octets: [UInt8], memory: TraceMemory = TraceMemory()) throws {
    var reader = try CaptureReader.open(.memory(octets, name: "scenario"))
    self.init(reading: &reader, memory: memory)
  }

  init(_ frames: [RenderedFrame], memory: TraceMemory = TraceMemory()) {
    var tracker = LinkTracker(memory: memory)
    var collected = Collected()
    for (index, frame) in frames.enumerated() {
      tracker.follow(frame, number: index + 1)
      while let history = tracker.takeEnded() { collected.links.append(history) }
    }
    tracker.finish(into: &collected)
    self.init(tracker, collected)
  }

  private init(reading reader: inout CaptureReader, memory: TraceMemory) {
    var tracker = LinkTracker(memory: memory)
    var collected = Collected()
    tracker.read(&reader, into: &collected)
    tracker.finish(into: &collected)
    self.init(tracker, collected)
  }

  private init(_ tracker: LinkTracker, _ collected: Collected) {
    links = collected.links
    memory = tracker.memory
    totals = tracker.totals
  }

  /// The links in the order of their numbers.
  var inOrder: [LinkHistory] { links.sorted { $0.number < $1.number } }

  /// All procedures in the order of their requests.
  var procedures: [ProcedureSummary] {
    inOrder.flatMap { LinkSummary($0).procedures }.sorted { $0.requestFrame < $1.requestFrame }
  }
}

/// Keeps every link it is given.
struct Collected: LinkConsumer {
  var links: [LinkHistory] = []

  mutating func take(_ history: borrowing LinkHistory, from tracker: borrowing LinkTracker) {
    links.append(copy history)
  }
}

extension LinkTracker {
  /// Follows a frame that stands in no file.
  @discardableResult
  mutating func follow(_ frame: RenderedFrame, number: Int) -> Bool {
    follow(
      CapturedFrame(
        number: UInt32(number),
        kind: frame.kind,
        adapter: frame.adapter,
        time: frame.time,
        offset: 0,
        length: frame.octets.count,
        originalLength: frame.originalLength
      ),
      frame.octets.span.bytes
    )
  }
}

/// The frames of a capture as values.
func frames(of path: String) throws -> [RenderedFrame] {
  var reader = try CaptureReader.open(.path(path))
  var frames: [RenderedFrame] = []
  while let frame = reader.next() {
    frames.append(
      RenderedFrame(
        kind: frame.kind,
        adapter: frame.adapter,
        time: frame.time,
        octets: reader.bytes(of: frame).copied(),
        originalLength: frame.originalLength
      )
    )
  }
  return frames
}
