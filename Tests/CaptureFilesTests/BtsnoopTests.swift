import CaptureFiles
import Testing

@Suite struct BtsnoopTests {
  @Test func goldenCapture() throws {
    let walk = try Walk(GoldenCapture.octets)
    #expect(walk.frames.count == 37)
    let first = walk.frames[0]
    #expect(first.kind == .event)
    #expect(first.time == midnight + 10_000)
    #expect(first.octets.starts(with: [0x3E, 0x1F, 0x0A, 0x00, 0x40, 0x00, 0x00, 0x01, 0x66, 0x55, 0x44, 0x33]))
    #expect(first.originalLength == 33)
    #expect(walk.frames[1].kind == .aclSent)
    #expect(walk.frames[2].kind == .aclReceived)
    #expect(walk.format.title == "btsnoop, HCI UART (H4)")
  }

  @Test func dropCounterRise() throws {
    var writer = CaptureWriter(format: .btsnoop(.uart))
    writer.write(kind: .command, time: midnight, octets: [3, 12, 0])
    writer.drops = 57
    writer.write(kind: .command, time: midnight, octets: [3, 12, 0])
    let walk = try Walk(writer.finish())
    #expect(walk.drops == 57)
    #expect(walk.notes == [CaptureNote(.droppedPackets, frame: 2, amount: 57)])
  }

  @Test func clockStepsBackAndImpossibleYear() throws {
    var writer = CaptureWriter(format: .btsnoop(.uart))
    for time in [midnight, midnight - 5, 0, midnight, -7] {
      writer.write(kind: .command, time: time, octets: [3, 12, 0])
    }
    let walk = try Walk(writer.finish())
    #expect(
      walk.notes == [
        CaptureNote(.clockStepsBack, frame: 2, amount: 5), CaptureNote(.impossibleYear, frame: 3, amount: 0),
      ]
    )
    #expect(walk.frames.count == 5)
  }

  @Test func unknownTypeOctetAndMonitorOpcode() throws {
    var uart = written(.btsnoop(.uart))
    uart[16 + 24] = 0x09
    let walk = try Walk(uart)
    #expect(walk.frames[0].kind == .other)
    #expect(walk.frames[0].octets == packets[0].1)
    #expect(walk.notes == [CaptureNote(.unknownRecord, frame: 1, amount: 9)])
    var monitor = written(.btsnoop(.monitor))
    monitor[16 + 11] = 99
    #expect(try Walk(monitor).notes == [CaptureNote(.unknownRecord, frame: 1, amount: 99)])
  }

  @Test func commandsAreSentWhateverTheFlags() throws {
    var file = written(.btsnoop(.uart))
    file[16 + 11] = 1
    #expect(try Walk(file).frames[0].kind == .command)
  }

  @Test func badLengthStopsThere() throws {
    var file = written(.btsnoop(.uart))
    file[16 + 24 + 4 + 4] = 0x7F
    let walk = try Walk(file)
    #expect(walk.frames.count == 1)
    #expect(walk.notes.map(\.kind) == [.badLength])
    #expect(walk.notes[0].frame == 2)
  }

  @Test func notesAreBounded() throws {
    var writer = CaptureWriter(format: .btsnoop(.uart))
    for index in 0..<200 { writer.write(kind: .command, time: midnight - Int64(index), octets: [3, 12, 0]) }
    var reader = try CaptureReader.open(.memory(writer.finish(), name: "steps"))
    while reader.next() != nil {}
    #expect(reader.notes.count == 64)
    #expect(reader.total(of: .clockStepsBack) == 199)
  }

  @Test func joinedFilesCountOn() throws {
    let first = try captures(in: .memory(written(.btsnoop(.uart)), name: "first"))[0]
    let second = try captures(in: .memory(written(.pcapng), name: "second"))[0]
    #expect(try firstTime(of: second) == midnight)
    var reader = try CaptureReader.open(first)
    while reader.next() != nil {}
    try reader.continue(with: second)
    var numbers: [UInt32] = []
    while let frame = reader.next() { numbers.append(frame.number) }
    #expect(numbers == [5, 6, 7, 8])
    #expect(reader.source.name == "second")
  }
}
