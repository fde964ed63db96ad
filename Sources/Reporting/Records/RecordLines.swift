import BluetoothWire
import LinkTrace

/// What a record looks like in a line of its own.
protocol RecordShape {
  /// The words of codes, with what follows or precedes them in this shape.
  static func names() -> CodeNames

  /// What the lines of a link have in common.
  static func link(_ device: RecordedDevice, file: String, _ history: borrowing LinkHistory) -> [UInt8]

  /// What the lines of one kind and one procedure begin with.
  static func writeHead(_ record: RecordRow, _ link: [UInt8], to output: inout OutputBuffer)

  /// Makes the rest of a line; an unusual record still wants its end.
  static func write(
    _ record: RecordRow,
    _ history: borrowing LinkHistory,
    _ clock: borrowing ReceptionClock,
    _ names: borrowing CodeNames,
    to row: inout RowWriter
  )

  /// The end of the line of an unusual record: what was not decoded, and procedures it may belong to as well.
  static func writeEnd(
    _ record: RecordRow,
    _ history: borrowing LinkHistory,
    _ company: [UInt32],
    to output: inout OutputBuffer
  )
}

/// Writes records one a line, each line in the room of the one before.
struct RecordLines<Shape: RecordShape> {
  private var link: [UInt8] = []
  /// The line that is made: its first `headLength` octets are kept from line to line.
  private var line: [UInt8] = []
  private var headLength = 0
  private var headKind = RecordRow.Kind.measurement
  private var headProcedure: UInt32 = 0
  private var clock: ReceptionClock
  private var names = CodeNames()

  init(zone: TimeText.Zone) { clock = ReceptionClock(zone) }

  mutating func begin(_ device: RecordedDevice, file: String, _ history: borrowing LinkHistory) {
    if names.isEmpty { names = Shape.names() }
    link = Shape.link(device, file: file, history)
    headLength = 0
  }

  @inline(__always)
  mutating func write(
    _ record: RecordRow,
    _ history: borrowing LinkHistory,
    _ spans: borrowing ProcedureSpans,
    to output: inout OutputBuffer
  ) {
    if headLength == 0 || record.kind != headKind || record.procedure != headProcedure { makeHead(record) }
    clock.move(to: record.time)
    let count = Self.render(record, history, clock, names, after: headLength, in: &line)
    unsafe output.append(octetsOf: line.span.bytes.part(0, count))
    if record.isUnusual { Shape.writeEnd(record, history, spans.company(record.company), to: &output) }
  }

  @inline(never) private mutating func makeHead(_ record: RecordRow) {
    var text = OutputBuffer()
    Shape.writeHead(record, link, to: &text)
    headKind = record.kind
    headProcedure = record.procedure
    headLength = text.octets.count
    line = text.octets + Array(repeating: 0, count: RowWriter.fieldLimit)
  }

  /// Tells how long the line is.
  @inline(__always)
  private static func render(
    _ record: RecordRow,
    _ history: borrowing LinkHistory,
    _ clock: borrowing ReceptionClock,
    _ names: borrowing CodeNames,
    after head: Int,
    in octets: inout [UInt8]
  ) -> Int {
    var span = octets.mutableSpan
    var row = unsafe RowWriter(span.mutableBytes, after: head)
    Shape.write(record, history, clock, names, to: &row)
    return row.count
  }
}
