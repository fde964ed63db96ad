import BluetoothWire
import CaptureFiles
import LinkTrace
import Scenarios
import Testing

/// What one link teaches about the next one of the same device.
@Suite struct TraceMemoryTests {
  /// Discovers 0x2A18 at 0x000B and 0x2A52 at 0x000D.
  private func discover(_ script: inout Script) {
    script.sent([0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28])
    script.received([0x09, 7, 0x0A, 0, 0x10, 0x0B, 0, 0x18, 0x2A, 0x0C, 0, 0x28, 0x0D, 0, 0x52, 0x2A])
  }

  private func hash(_ script: inout Script, _ octet: UInt8) {
    script.sent([0x08, 1, 0, 0xFF, 0xFF, 0x2A, 0x2B])
    script.received([0x09, 18, 0x07, 0] + [UInt8](repeating: octet, count: 16))
  }

  private func record(_ script: inout Script) { script.received([0x1B, 0x0B, 0x00] + measurement(1)) }

  private func role(_ link: LinkHistory) -> AttributeRole? { link.handles.first { $0.handle == 0x0B }?.role }
  private func provenance(_ link: LinkHistory) -> Provenance? { link.handles.first { $0.handle == 0x0B }?.provenance }

  @Test func `a later link remembers`() throws {
    var script = Script()
    script.connect()
    discover(&script)
    record(&script)
    script.disconnect()
    script.connect()
    record(&script)
    script.disconnect()
    script.connect(peer: DeviceAddress(value: 0xF00D_CAFE_0002, isRandom: true))
    record(&script)
    let links = script.trace.links
    #expect(links.map(role) == [.glucoseMeasurement, .glucoseMeasurement, .unknown])
    #expect(links.map(provenance) == [.discovered, .remembered, .unnamed])
  }

  @Test func `what is discovered late names an earlier link in a second pass`() throws {
    var script = Script()
    script.connect()
    record(&script)
    script.disconnect()
    script.connect()
    discover(&script)
    record(&script)
    let first = script.trace
    #expect(first.links.map(role) == [.unknown, .glucoseMeasurement])
    #expect(first.memory.learnedLate)
    var memory = first.memory
    memory.startSecondPass()
    let second = Trace(script.frames, memory: memory)
    #expect(second.links.map(provenance) == [.remembered, .discovered])
    #expect(!second.memory.learnedLate)
  }

  @Test func `a link that ended before anything was used is that of a device that turns out to hold records`() throws {
    var script = Script()
    script.connect()
    script.disconnect()
    script.connect()
    discover(&script)
    record(&script)
    let first = script.trace
    #expect(first.links.map(\.isHealthLink) == [false, true])
    #expect(first.memory.learnedLate)
    var memory = first.memory
    memory.startSecondPass()
    let second = Trace(script.frames, memory: memory)
    #expect(second.links.map(\.isHealthLink) == [true, true])
    #expect(!second.memory.learnedLate)
  }

  @Test func `names that no link lacked are not carried back by a second pass`() throws {
    var script = Script()
    script.connect()
    script.disconnect()
    script.connect()
    discover(&script)
    record(&script)
    var memory = script.trace.memory
    #expect(memory.learnedLate)
    memory.startSecondPass(after: TraceMemory())
    let second = Trace(script.frames, memory: memory)
    #expect(second.links.map(\.sensor) == [.remote, .remote])
    #expect(second.links[0].remote.isEmpty)
    #expect(second.links.map(provenance) == [nil, .discovered])
    #expect(!second.memory.learnedLate)
  }

  @Test func `what fits a control point alone makes no health device of other links`() throws {
    var script = Script()
    script.connect()
    script.disconnect()
    script.connect()
    // A request and its result in the shape of the profile, on a handle that nothing names.
    script.sent([0x12, 0x30, 0x00, 0x04, 0x01])
    script.received([0x13])
    script.received([0x1D, 0x30, 0x00, 0x05, 0x00, 0x02, 0x00])
    script.sent([0x1E])
    script.disconnect()
    let trace = script.trace
    #expect(trace.links.map(\.isHealthLink) == [false, true])
    #expect(!trace.memory.learnedLate)
  }

  @Test func `what was discovered stands before what is remembered of an earlier table`() throws {
    var script = Script()
    script.connect()
    discover(&script)
    record(&script)
    script.disconnect()
    script.connect()
    script.sent([0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28])
    script.received([0x11, 6, 0x20, 0, 0x2F, 0, 0x08, 0x18])
    script.sent([0x08, 0x20, 0, 0x2F, 0, 0x03, 0x28])
    script.received([0x09, 7, 0x21, 0, 0x10, 0x22, 0, 0x18, 0x2A, 0x24, 0, 0x28, 0x25, 0, 0x52, 0x2A])
    let summary = LinkSummary(script.trace.links[1])
    #expect(summary.service == 0x20...0x2F)
    #expect(summary.serviceProvenance == .discovered)
  }

  @Test func `Service Changed makes the next link forget`() throws {
    var script = Script()
    script.connect()
    script.sent([0x08, 1, 0, 9, 0, 0x03, 0x28])
    script.received([0x09, 7, 0x02, 0, 0x20, 0x03, 0, 0x05, 0x2A])
    discover(&script)
    record(&script)
    script.received([0x1D, 0x03, 0x00, 0x0A, 0x00, 0xFF, 0xFF])
    script.sent([0x1E])
    hash(&script, 2)
    script.disconnect()
    script.connect()
    record(&script)
    let links = script.trace.links
    #expect(provenance(links[0]) == .discovered)
    #expect(role(links[1]) == .unknown)
  }

  @Test func `what is discovered after Service Changed is valid again`() throws {
    var script = Script()
    script.connect()
    script.sent([0x08, 1, 0, 9, 0, 0x03, 0x28])
    script.received([0x09, 7, 0x02, 0, 0x20, 0x03, 0, 0x05, 0x2A])
    discover(&script)
    script.received([0x1D, 0x03, 0x00, 0x0A, 0x00, 0xFF, 0xFF])
    script.sent([0x1E])
    discover(&script)
    script.disconnect()
    script.connect()
    record(&script)
    #expect(provenance(script.trace.links[1]) == .remembered)
  }

  @Test func `another Database Hash takes the remembered names away`() throws {
    var script = Script()
    script.connect()
    hash(&script, 1)
    discover(&script)
    record(&script)
    script.disconnect()
    script.connect()
    hash(&script, 1)
    record(&script)
    script.disconnect()
    script.connect()
    record(&script)
    hash(&script, 2)
    record(&script)
    script.disconnect()
    script.connect()
    record(&script)
    let links = script.trace.links
    #expect(links.map(provenance) == [.discovered, .remembered, .unnamed, .unnamed])
  }

  @Test func `a supplied table names the device it is for`() throws {
    var script = Script()
    script.connect()
    record(&script)
    script.disconnect()
    script.connect(peer: DeviceAddress(value: 0xF00D_CAFE_0002, isRandom: true))
    record(&script)
    var database = AttributeDatabase()
    database.insert(
      Attribute(handle: 0x0B, kind: .value, type: BluetoothUUID(0x2A18), provenance: .supplied)
    )
    var memory = TraceMemory()
    memory.supplied = [
      SuppliedDatabase(device: DeviceAddress(value: 0xF00D_CAFE_0002, isRandom: true), database: database)
    ]
    #expect(Trace(script.frames, memory: memory).links.map(provenance) == [.unnamed, .supplied])
  }
}
