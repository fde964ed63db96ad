import BluetoothWire
import HealthProfiles
public import LinkTrace

/// Writes every stored record the links of a capture carry, each with its context, as table, CSV or JSON lines.
///
/// Set `file` before each capture, call `join` where another one goes on with its story, and call `finish` at the end,
/// or join `summary` with those of other reports.
public struct RecordsReport: LinkConsumer, Sendable {
  public var output: OutputBuffer
  /// The capture the next links come from, as it is printed.
  public var file: String {
    get { pieces.selectedName }
    set { pieces = RecordedPieces(newValue) }
  }
  public private(set) var totals = RecordsTotals()
  let options: RecordsOptions
  let terminal: Terminal

  private var pieces = RecordedPieces("")
  private var devices: [RecordedDevice] = []
  private var deviceOfAddress: [DeviceAddress: Int] = [:]
  private let filter: DeviceFilter?
  private var spans = ProcedureSpans()
  /// Of the device whose link is written: taken out of `devices` as long as that lasts.
  private var delivered = DeliveredRecords()
  /// Contexts that a measurement was joined with before its turn came.
  private var joined: [Int] = []
  private var isStarted = false
  private var hasChosenDevice = false
  private var csv: RecordLines<RecordsCSV>
  private var json: RecordLines<RecordsJSON>
  private var table: RecordsTable

  /// A report of links; with `isFollowing` its output comes after that of another.
  public init(
    _ options: RecordsOptions,
    output: OutputBuffer,
    terminal: Terminal = Terminal(),
    isFollowing: Bool = false
  ) {
    self.options = options
    self.output = output
    self.terminal = terminal
    filter = options.device.map(DeviceFilter.init)
    csv = RecordLines(zone: options.zone)
    json = RecordLines(zone: options.zone)
    table = RecordsTable(terminal, options.zone)
    isStarted = isFollowing
  }

  /// Writes the records of one ended link.
  public mutating func take(_ history: borrowing LinkHistory, from tracker: borrowing LinkTracker) {
    start()
    guard output.isOpen, history.handles.contains(where: { $0.role.isRecord || $0.role == .glucoseContext }) else {
      return
    }
    let device = device(of: history, tracker)
    if let filter {
      guard filter.matches(address: devices[device].identity, names: [devices[device].name]) else { return }
      hasChosenDevice = true
    }
    spans.fill(history)
    joined.removeAll(keepingCapacity: true)
    begin(frame: history.firstFrame, history, device)
    let rowsBefore = totals.rows
    swap(&delivered, &devices[device].records)
    write(history, device)
    swap(&delivered, &devices[device].records)
    if !devices[device].hasRows && totals.rows > rowsBefore {
      devices[device].hasRows = true
      totals.devices += 1
    }
    if options.format == .table { table.end(history, to: &output) }
  }

  public var hasEnough: Bool { !output.isOpen }

  /// Writes what stands at the end and flushes the output.
  public mutating func finish() {
    start()
    summary.write(options.format, terminal, to: &output)
    output.flush()
  }

  /// What the end tells of the links taken so far.
  public var summary: RecordsSummary {
    var summary = table.summary
    summary.totals = totals
    summary.devices = devices.map(\.title)
    summary.hasChosenDevice = hasChosenDevice
    return summary
  }

  /// The next frames are of another capture, which goes on with the story; the first of them has number `frame`.
  public mutating func join(_ file: String, from frame: UInt32) { pieces.append(file, from: frame) }

  /// Takes the output for the next links.
  public mutating func begin(_ output: OutputBuffer) {
    self.output = output
    table.isAtTop = output.count == 0
  }

  /// Gives the output to others, with what stands before the first row.
  public mutating func takeOutput() -> OutputBuffer {
    start()
    var taken = OutputBuffer()
    swap(&taken, &output)
    return taken
  }

  private mutating func start() {
    guard !isStarted else { return }
    isStarted = true
    if options.format == .csv { output.append(RecordsCSV.header) }
  }

  private mutating func device(of history: borrowing LinkHistory, _ tracker: borrowing LinkTracker) -> Int {
    let address = DeviceIdentity.address(of: history)
    // Links whose device is not known are not one device: each has its own numbers.
    if let address, let known = deviceOfAddress[address] {
      if devices[known].name.isEmpty { devices[known].name = DeviceIdentity.name(of: history, from: tracker) ?? [] }
      return known
    }
    devices.append(
      RecordedDevice(
        identity: address,
        address: address?.description ?? "unknown",
        name: DeviceIdentity.name(of: history, from: tracker) ?? []
      )
    )
    if let address { deviceOfAddress[address] = devices.count - 1 }
    return devices.count - 1
  }

  // MARK: The records of a link

  /// The Time Offset that holds for the records after it in the same report (GLS 3.1.1.4).
  private struct CarriedOffset {
    var minutes: Int16
    var procedure: UInt32
    /// It may be of another report that ran at the same time.
    var isMixed: Bool

    func holds(for row: RecordRow) -> Bool { procedure == row.procedure || isMixed || row.company != 0 }
  }

  private mutating func write(_ history: borrowing LinkHistory, _ device: Int) {
    var lastOffset: CarriedOffset?
    for index in history.pdus.indices {
      let pdu = history.pdus[index]
      guard pdu.attribute != .max else { continue }
      let role = history.handles[Int(pdu.attribute)].role
      guard role == .glucoseMeasurement || role == .glucoseContext || role.isRecord else { continue }
      guard pdu.isDelivery else { continue }
      switch role {
      case .glucoseMeasurement: measurement(index, pdu, history, device, &lastOffset)
      case .glucoseContext: looseContext(index, pdu, history, device)
      default: opaque(index, pdu, history, device)
      }
      if !output.isOpen { return }
    }
  }

  @inline(__always)
  private mutating func row(_ index: Int, _ pdu: AttributePDU, _ kind: RecordRow.Kind) -> RecordRow {
    var row = RecordRow()
    row.pdu = index
    row.kind = kind
    row.frame = pdu.frame
    row.time = pdu.time
    row.isClipped = pdu.isClipped || pdu.isValueDropped
    let place = spans.place(index)
    row.procedure = place.procedure
    row.isComplete = place.isComplete
    row.isEndUnknown = place.isEndUnknown
    row.isAfterResult = place.isAfterResult
    row.company = place.company
    return row
  }

  private mutating func measurement(
    _ index: Int,
    _ pdu: AttributePDU,
    _ history: borrowing LinkHistory,
    _ device: Int,
    _ lastOffset: inout CarriedOffset?
  ) {
    var row = row(index, pdu, .measurement)
    let value = history.value(pdu)
    row.decodeMeasurement(value)
    if row.hasOffset {
      lastOffset = CarriedOffset(minutes: row.offset, procedure: row.procedure, isMixed: row.company != 0)
    } else if row.hasBaseTime, let lastOffset, lastOffset.holds(for: row) {
      row.offset = lastOffset.minutes
      row.hasOffset = true
      row.isCarried = true
    }
    if row.hasSequence {
      row.context = context(after: index, row.sequence, isAnnounced: value.u8(at: 0) & 0x10 != 0, history)
      // A cut value says nothing of what was cut: it is no new content.
      if !row.isClipped {
        row.repetition = delivered.insert(sequence: row.sequence, hash: RecordRow.hash(value))
      }
      if row.context >= 0 && history.pdus[row.context].isClipped { row.isClipped = true }
    }
    if let since = options.since, let time = row.userFacingTime ?? row.validBaseTime, time < since {
      totals.filtered += 1
      return
    }
    switch row.repetition {
    case .same:
      totals.repeated += 1
      if options.duplicates == .drop {
        totals.leftOut += 1
        return
      }
    case .changed: totals.changed += 1
    case .none: break
    }
    totals.measurements += 1
    if row.isClipped { totals.clipped += 1 }
    if row.undecodedFrom != .max { totals.undecoded += 1 }
    emit(row, history, device)
  }

  /// The context with the same number that follows a measurement, or -1.
  ///
  /// It comes next where the sensor does what the profile says; one that is announced is looked for a little further.
  @inline(__always)
  private mutating func context(
    after index: Int,
    _ sequence: UInt16,
    isAnnounced: Bool,
    _ history: borrowing LinkHistory
  ) -> Int {
    var records = 0
    var next = index + 1
    while next < history.pdus.count && next <= index + 256 {
      let pdu = history.pdus[next]
      if pdu.attribute != .max {
        let role = history.handles[Int(pdu.attribute)].role
        if role == .glucoseContext && pdu.valueCount >= 3 && history.value(pdu).u16(at: 1) == sequence
          && !joined.contains(next)
        {
          if Self.isContext(pdu, history) {
            joined.append(next)
            if joined.count > 64 { joined.removeFirst(32) }
            return next
          }
          return -1
        }
        if role == .glucoseMeasurement {
          records += 1
          if !isAnnounced || records > 16 { return -1 }
          if pdu.valueCount >= 3 && history.value(pdu).u16(at: 1) == sequence { return -1 }
        }
      }
      next += 1
    }
    return -1
  }

  /// True where a value has all that its flags announce, and perhaps more, or had it before the logger cut it.
  private static func isContext(_ pdu: AttributePDU, _ history: borrowing LinkHistory) -> Bool {
    let value = history.value(pdu)
    return value.byteCount >= 3
      && (value.byteCount >= GlucoseMeasurementContext.expectedLength(flags: value.u8(at: 0)) || pdu.isClipped)
  }

  private mutating func looseContext(
    _ index: Int,
    _ pdu: AttributePDU,
    _ history: borrowing LinkHistory,
    _ device: Int
  ) {
    if joined.last == index {
      // Its turn does not come again.
      joined.removeLast()
      return
    }
    guard !joined.contains(index) else { return }
    var row = row(index, pdu, .context)
    let value = history.value(pdu)
    if value.byteCount >= 3 {
      row.sequence = value.u16(at: 1)
      row.hasSequence = true
    }
    let expected = value.byteCount > 0 ? GlucoseMeasurementContext.expectedLength(flags: value.u8(at: 0)) : 4
    if value.byteCount >= max(3, expected) {
      row.context = index
      if value.byteCount > expected { row.undecodedFrom = expected }
    } else {
      row.undecodedFrom = 0
    }
    if row.isClipped && !row.hasSequence { totals.cutContexts += 1 } else { totals.looseContexts += 1 }
    emit(row, history, device)
  }

  private mutating func opaque(
    _ index: Int,
    _ pdu: AttributePDU,
    _ history: borrowing LinkHistory,
    _ device: Int
  ) {
    totals.opaque += 1
    var row = row(index, pdu, .opaque)
    row.undecodedFrom = 0
    emit(row, history, device)
  }

  /// Takes over what all rows of a link from one capture begin with.
  @inline(never)
  private mutating func begin(frame: UInt32, _ history: borrowing LinkHistory, _ device: Int) {
    pieces.select(frame: frame)
    switch options.format {
    case .csv: csv.begin(devices[device], file: pieces.selectedName, history)
    case .jsonl: json.begin(devices[device], file: pieces.selectedName, history)
    case .table: break
    }
  }

  private mutating func emit(_ row: RecordRow, _ history: borrowing LinkHistory, _ device: Int) {
    if !pieces.selectedFrames.contains(row.frame) { begin(frame: row.frame, history, device) }
    switch options.format {
    case .csv: csv.write(row, history, spans, to: &output)
    case .jsonl: json.write(row, history, spans, to: &output)
    case .table: table.write(row, history, spans, devices[device], pieces.selectedName, to: &output)
    }
  }
}
