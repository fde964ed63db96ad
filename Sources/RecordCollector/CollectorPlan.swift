/// What a run is to do.
public struct CollectorPlan: Hashable, Sendable {
  public var selection: Selection
  /// Ask for the number of records before the records, so that progress has a total (GLP 4.7.3.2).
  public var countFirst: Bool
  /// Go on with a meter whose link stays in clear.
  ///
  /// Security is then raised only when the meter asks for it or a key for it is held: raising it on a meter that cannot
  /// encrypt ends the link on some hosts.
  public var allowUnencrypted: Bool
  /// Delete from the meter what this run committed, after a confirmation (GLS 3.4.3.3).
  public var deleteAfterSync: Bool
  /// Read Device Information also where it is known.
  public var readDeviceInformation: Bool
  /// The host tells of every notification it had to drop, as a lost link and before the response.
  ///
  /// A transfer that ended with success is then known to be whole even where the meter hangs up before it is checked.
  public var hostCountsDrops: Bool
  /// What Exchange MTU offers; no exchange where it is 23 or less.
  public var maximumTransmissionUnit: UInt16

  /// Which records are wanted.
  public enum Selection: Hashable, Sendable {
    /// Those above the mark; all on the first sync.
    case increment
    /// All, whatever is held.
    case all
    /// Those with these sequence numbers; the mark moves only where they leave no gap above it.
    case range(ClosedRange<UInt16>)
  }

  public init(
    selection: Selection = .increment,
    countFirst: Bool = false,
    allowUnencrypted: Bool = false,
    deleteAfterSync: Bool = false,
    readDeviceInformation: Bool = false,
    hostCountsDrops: Bool = false,
    maximumTransmissionUnit: UInt16 = 247
  ) {
    self.selection = selection
    self.countFirst = countFirst
    self.allowUnencrypted = allowUnencrypted
    self.deleteAfterSync = deleteAfterSync
    self.readDeviceInformation = readDeviceInformation
    self.hostCountsDrops = hostCountsDrops
    self.maximumTransmissionUnit = maximumTransmissionUnit
  }
}
