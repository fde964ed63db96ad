/// What the end of a records report tells: counts, and what the marks in its rows mean.
public struct RecordsSummary: Sendable {
  public internal(set) var totals = RecordsTotals()
  /// The devices records came from, chosen or not, as they are printed.
  public internal(set) var devices: [String] = []
  /// True where a device was chosen and its records were looked at.
  public internal(set) var hasChosenDevice = false
  var hasRepeated = false
  var hasCarried = false
  var hasConverted = false

  public init() {}

  /// Adds what a report of other devices counted.
  public mutating func add(_ other: RecordsSummary) {
    totals.add(other.totals)
    devices += other.devices
    hasChosenDevice = hasChosenDevice || other.hasChosenDevice
    hasRepeated = hasRepeated || other.hasRepeated
    hasCarried = hasCarried || other.hasCarried
    hasConverted = hasConverted || other.hasConverted
  }

  /// Ends a table; the other formats end with their last row.
  public func write(_ format: RecordsOptions.Format, _ terminal: Terminal, to output: inout OutputBuffer) {
    guard format == .table else { return }
    if totals.rows > 0 { output.newline() }
    output.append(sentence + ".\n")
    var legend: [String] = []
    if hasRepeated { legend.append("= came before with the same content") }
    if hasConverted { legend.append("~ converted with 18.02 mg/dL per mmol/L") }
    if hasCarried { legend.append("* offset (minutes) of the record before") }
    guard !legend.isEmpty else { return }
    output.append(legend.joined(separator: "; "), as: .dim, on: terminal)
    output.newline()
  }

  /// How many records there were, and what was odd about them.
  private var sentence: String {
    var parts = [countText(totals.measurements, "record")]
    if totals.devices > 1 { parts[0] += " of \(totals.devices) devices" }
    if totals.repeated > 0 {
      parts.append("\(totals.repeated) came again" + (totals.leftOut > 0 ? " and \(totals.leftOut) left out" : ""))
    }
    if totals.changed > 0 { parts.append("\(totals.changed) with a number that had other content before") }
    if totals.clipped > 0 { parts.append("\(totals.clipped) cut by the logger") }
    if totals.undecoded > 0 { parts.append("\(totals.undecoded) with undecoded octets") }
    if totals.looseContexts > 0 { parts.append(countText(totals.looseContexts, "context") + " without measurement") }
    if totals.cutContexts > 0 { parts.append(countText(totals.cutContexts, "context") + " cut before the number") }
    if totals.opaque > 0 { parts.append(countText(totals.opaque, "record") + " not decoded") }
    if totals.filtered > 0 { parts.append("\(totals.filtered) before the time asked for") }
    return parts.joined(separator: ", ")
  }
}
