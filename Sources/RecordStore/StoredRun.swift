public import BluetoothWire
public import RecordCollector

/// One sync run as the store keeps it.
public struct StoredRun: Sendable, Equatable {
  public var meter: DeviceAddress
  /// `synced`, `nothing_new`, `link_lost` and so on.
  public var outcome: String
  /// What the outcome says beyond its word; may hold text of the meter.
  public var detail: String?
  /// Everything asked for was held at the end.
  public var isComplete: Bool
  /// Seconds since 1970-01-01 00:00:00 UTC; nil where the run had no clock.
  public var startedAt: Double?
  /// Seconds.
  public var duration: Double
  /// Seconds from the request for records to its response.
  public var transferDuration: Double
  /// The octets of the request for records, empty where none was sent.
  public var request: [UInt8]
  public var received: Int
  public var contexts: Int
  public var stored: Int
  public var alreadyHeld: Int
  public var deleted: Int
  public var epoch: UInt32
  public var mark: UInt16?
  /// What the meter said it has, where it was asked.
  public var count: Int?
  public var security: LinkSecurity
  public var roundTrips: Int
  public var usedCache: Bool
}
