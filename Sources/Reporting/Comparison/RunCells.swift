import BluetoothWire
import HealthProfiles
import RecordCollector
import RecordStore

/// The cells of one sync of a store in the table of steps: what is known of it without its packets.
struct RunCells: StepCells {
  private let run: StoredRun
  private let zone: TimeText.Zone

  init(_ run: StoredRun, _ zone: TimeText.Zone) {
    self.run = run
    self.zone = zone
  }

  var procedureCount: Int { run.request.isEmpty ? 0 : 1 }

  func isCount(_ procedure: Int) -> Bool { false }

  func text(_ row: StepRow, _ procedure: Int?) -> String {
    switch row {
    case .link: head
    case .security: security
    case .request: procedure == nil ? "" : Self.request(run)
    case .records: procedure == nil ? "" : records
    case .result: procedure == nil ? "" : result
    case .end: procedureCount == 0 ? result : end
    case .subscriptions, .pauses: ""
    }
  }

  /// What the sync asked for: `report ≥ 31`.
  static func request(_ run: StoredRun) -> String {
    let request = RecordAccessRequest(octets: run.request)
    return TextEscaping.terminal(request.isWellFormed ? request.summary : "a malformed request")
  }

  private var head: String {
    var clock = TimeText(zone)
    return StoreDevicesReport.time(run.startedAt, &clock).map { "sync of \($0)" } ?? "a sync without a time"
  }

  private var security: String {
    guard run.security.isEncrypted else { return "not encrypted" }
    return "encrypted   level \(run.security.level), \(run.security.keySize)-octet key"
  }

  private var records: String {
    var parts = [countText(run.received, "record")]
    if run.contexts > 0 { parts.append(countText(run.contexts, "context")) }
    var text = parts.joined(separator: ", ") + "   \(run.stored) new"
    if run.alreadyHeld > 0 { text += ", \(run.alreadyHeld) held before" }
    if let count = run.count { text += "   the meter counts \(count)" }
    return text
  }

  private var result: String {
    let outcome = run.outcome.split(separator: "_").joined(separator: " ")
    let detail = run.detail.map { ": " + TextEscaping.terminal($0) } ?? ""
    let seconds = procedureCount == 0 ? run.duration : run.transferDuration
    return TextEscaping.terminal(outcome) + detail + ", " + Self.duration(seconds)
  }

  private var end: String {
    "after \(Self.duration(run.duration))   \(countText(run.roundTrips, "round trip"))"
  }

  private static func duration(_ seconds: Double) -> String {
    TimeText.duration(Int64(exactly: (seconds * 1e6).rounded()) ?? 0)
  }
}
