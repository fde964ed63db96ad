import BluetoothWire
import CaptureFiles
import LinkTrace
import Scenarios
import Testing

/// Clock steps and losses befall every link that is up.
@Suite struct CaptureFaultTests {
  /// A notification on a link, `step` microseconds after the frame before.
  private func notify(_ script: inout Script, _ handle: UInt16, after step: Int64 = 10_000) {
    script.handle = handle
    script.received([0x1B, 0x30, 0x00, 0xFF])
    script.time += step - 10_000
    script.frames[script.frames.count - 1].time = script.time
  }

  @Test func `every link that is up has the clock steps in the order of the file`() throws {
    var script = Script()
    script.handle = 0x0040
    script.connect()
    script.handle = 0x0041
    script.connect(peer: DeviceAddress(value: 0xF00D_CAFE_0002, isRandom: true))
    notify(&script, 0x0041)
    notify(&script, 0x0041, after: -5_000)
    notify(&script, 0x0040)
    script.handle = 0x0040
    script.add(.command, [0x06, 0x04, 0x03, 0x40, 0x00, 0x13])
    notify(&script, 0x0041, after: -7_000)
    let trace = script.trace
    let links = trace.inOrder
    #expect(
      links.map { $0.events.map(\.kind) } == [[.clockStep, .disconnectCommand, .clockStep], [.clockStep, .clockStep]]
    )
    #expect(links.map { $0.events.map(\.value) } == [[5_000, 0, 7_000], [5_000, 7_000]])
    #expect(links.map { $0.events.map(\.frame) } == [[4, 6, 7], [4, 7]])
    #expect(links.map(\.counts.clockSteps) == [2, 2])
  }

  @Test func `a loss is told to links that are up, and to none that begins later`() throws {
    var script = Script()
    script.handle = 0x0040
    script.connect()
    notify(&script, 0x0040)
    script.handle = 0x0041
    script.connect(peer: DeviceAddress(value: 0xF00D_CAFE_0002, isRandom: true))
    var tracker = LinkTracker()
    for (index, frame) in script.frames.enumerated() {
      if index == 1 {
        tracker.lost(
          3,
          at: CapturedFrame(
            number: 2,
            kind: frame.kind,
            adapter: frame.adapter,
            time: frame.time,
            offset: 0,
            length: 0,
            originalLength: 0
          )
        )
      }
      tracker.follow(frame, number: index + 1)
    }
    for _ in 0..<2 {
      let shown = tracker.openLinks().sorted { $0.number < $1.number }
      #expect(shown.map(\.counts.lostPackets) == [3, 0])
      #expect(shown.map { $0.events.map(\.kind) } == [[.packetsLost], []])
    }
    var collected = Collected()
    tracker.finish(into: &collected)
    let ended = collected.links.sorted { $0.number < $1.number }
    #expect(ended.map(\.counts.lostPackets) == [3, 0])
    #expect(ended.map(\.events.count) == [1, 0])
  }

  @Test func `what a frame adds begins behind the step that it shows`() throws {
    var script = Script()
    script.connect()
    notify(&script, 0x0040)
    notify(&script, 0x0040, after: -5_000)
    var tracker = LinkTracker()
    tracker.keepsEveryValue = true
    for (index, frame) in script.frames.enumerated() { tracker.follow(frame, number: index + 1) }
    var firstEvent: Int?
    tracker.withLatest { history, _, first in
      firstEvent = first
      #expect(history.events.count == 1)
    }
    #expect(firstEvent == 1)
  }

  @Test func `clock steps cost what they are, not what they are times the links that are up`() throws {
    var script = Script()
    let links = 1000
    let steps = 2000
    for handle in 0..<UInt16(links) { notify(&script, handle) }
    for _ in 0..<steps { notify(&script, 1, after: -1) }
    let ended = script.trace.links
    #expect(ended.count == links)
    #expect(ended.allSatisfy { Int($0.counts.clockSteps) == steps })
    #expect(ended.allSatisfy { $0.events.count + Int($0.counts.droppedEvents) == steps })
    // The link that was spoken of all the time has them all.
    #expect(ended.first { $0.handle == 1 }?.events.count == steps)
    #expect(ended.reduce(0) { $0 + $1.events.count } <= 160_000 + steps)
  }
}
