public import BluetoothWire
public import FetchComparison
public import LinkTrace
public import RecordStore

/// One side of a comparison while it is read: its records and links, and what the lint says of them.
public struct ComparisonSide: LinkConsumer {
  /// What the user named: a file, several, or a store.
  public let title: String
  public internal(set) var compared: ComparedSide
  /// The captures it was read from, in order; none for a store.
  public private(set) var captures: [CaptureFacts] = []
  /// The syncs that filled a store, oldest first; none for captures.
  public private(set) var runs: [StoredRun] = []
  /// Rows of a store that are no measurements.
  public private(set) var unreadableRows = 0
  private let filter: DeviceFilter?
  private let options: LintOptions
  /// The lint of the capture that is being read, and what it said of those before.
  private var lint: LintReport
  private var judged: [LintCapture] = []

  /// - Parameter device: only devices with this address or part of a name.
  public init(_ title: String, ignoringIdentity: Bool = false, device: String? = nil) {
    self.title = title
    compared = ComparedSide(ignoringIdentity: ignoringIdentity)
    filter = device.map(DeviceFilter.init)
    var options = LintOptions()
    options.device = device
    self.options = options
    lint = LintReport(options)
  }

  public mutating func take(_ history: borrowing LinkHistory, from tracker: borrowing LinkTracker) {
    lint.take(history, from: tracker)
    guard history.isHealthLink else { return }
    let name = DeviceIdentity.name(of: history, from: tracker)
    if let filter, !filter.matches(address: DeviceIdentity.address(of: history), names: [name]) { return }
    compared.take(history, name: name)
  }

  /// Ends a capture; the links that follow are of the next one.
  public mutating func finish(_ facts: CaptureFacts) {
    captures.append(facts)
    compared.capture = captures.count
    judged.append(lint.capture(facts, files: [facts.name], baseline: nil))
    lint = LintReport(options)
  }

  /// What the lint says of the side as a whole, with the rules over several links and captures.
  var findings: SideFindings { SideFindings(judged, options, links: compared.links) }

  /// Takes the meter of a store, of which there may be no record, and how it was synced, oldest first.
  public mutating func take(_ runs: [StoredRun], of address: DeviceAddress, name: [UInt8]?) {
    compared.take(stored: address, name: name)
    self.runs += runs
  }

  /// Takes a row of a store: the octets of a Glucose Measurement and of the contexts that belong to it.
  public mutating func take(
    measurement: [UInt8],
    contexts: [[UInt8]],
    offset: Int16?,
    of address: DeviceAddress,
    name: [UInt8]?
  ) {
    let octets = unsafe measurement.span.bytes
    if !compared.take(measurement: octets, contexts: contexts, offset: offset, of: address, name: name) {
      unreadableRows += 1
    }
  }
}
