public import HealthProfiles
import RecordCollector
public import RecordStore

/// Writes the records of a store: a table for people, CSV or JSON lines for programs.
public struct StoreRecordsReport {
  private let since: DateTime?
  private var shape: Shape
  private var output: OutputBuffer
  /// What the meter whose records are written says it can do.
  private var feature: GlucoseFeature?

  private enum Shape {
    case table(StoreRecordsTable)
    case csv(StoreRecordsCSV)
    case jsonl(StoreRecordsJSON)
  }

  /// - Parameter since: only records whose user-facing time is not before it, and those that have none.
  public init(_ format: StoreFormat, since: DateTime? = nil, terminal: Terminal, output: OutputBuffer) {
    self.since = since
    self.output = output
    switch format {
    case .table: shape = .table(StoreRecordsTable(terminal: terminal))
    case .csv:
      shape = .csv(StoreRecordsCSV())
      self.output.append(StoreRecordsCSV.header)
    case .jsonl: shape = .jsonl(StoreRecordsJSON())
    }
  }

  /// False once nothing more can be written.
  public var isOpen: Bool { output.isOpen }

  /// The records and contexts that follow are of this meter.
  public mutating func begin(_ device: StoredDevice) {
    feature = device.identity.feature.map { GlucoseFeature(rawValue: $0) }
    switch shape {
    case .table(var table):
      table.begin(device, to: &output)
      shape = .table(table)
    case .csv(var csv):
      csv.begin(device)
      shape = .csv(csv)
    case .jsonl(var json):
      json.begin(device)
      shape = .jsonl(json)
    }
  }

  public mutating func write(_ record: StoredRecord) {
    let reading = StoredReading(record, feature: feature)
    guard reading.isNot(before: since) else { return }
    switch shape {
    case .table(var table):
      table.write(reading, to: &output)
      shape = .table(table)
    case .csv(let csv): csv.write(reading, to: &output)
    case .jsonl(let json): json.write(reading, to: &output)
    }
  }

  /// A context whose record never came; it has no time of its own.
  public mutating func write(_ orphan: StoredOrphan) {
    switch shape {
    case .table(var table):
      table.write(orphan, to: &output)
      shape = .table(table)
    case .csv(let csv): csv.write(orphan, to: &output)
    case .jsonl(let json): json.write(orphan, to: &output)
    }
  }

  /// Ends the report: what was written, ready to be flushed.
  public mutating func finish() -> OutputBuffer {
    if case .table(let table) = shape { table.finish(to: &output) }
    return output
  }
}
