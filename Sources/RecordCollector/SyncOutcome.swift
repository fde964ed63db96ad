public import BluetoothWire
public import HealthProfiles

/// How a run ended.
public enum SyncOutcome: Hashable, Sendable {
  /// The request was answered in full and committed; so many records were not held before.
  case synced(new: Int)
  /// The request was answered in full, and everything the meter has was held before.
  case nothingNew
  /// The person or the caller ended it; nothing of the procedure that ran was stored.
  case aborted
  /// The link ended before the procedure did (GLP 4.7.5): an incomplete transfer, nothing of it stored.
  case linkLost(reason: String)
  /// 30 s passed without an answer (GLP 4.7.5, Core Vol 3 Part F 3.3.3).
  case timedOut(Wait)
  /// The meter refused the request with a response code (GLS 3.4.4).
  case refused(RecordAccessResponseValue)
  /// The meter answered an ATT request with an error that nothing here can lift.
  case attributeError(ATTError, request: UInt8, handle: UInt16)
  /// Busy with another collector's procedure for longer than is waited (GLP 4.7).
  case busy
  /// The control point answered, but not to what was asked, until the time was over (GLS 3.4.4).
  case wrongAnswer([UInt8])
  /// Pairing was tried and failed.
  case pairingFailed(SecurityFailure)
  /// A key is held here, and the meter does not accept it (GLP 5.2.2).
  case bondLost(SecurityFailure)
  /// The link is not encrypted, and the plan does not allow that (GLP 6.2).
  case notEncrypted
  /// The store could not keep the records; the meter still has them.
  case storeFailed(String)
  /// No Glucose Service, or one without its mandatory characteristics (GLS 3).
  case notAGlucoseMeter
  /// More records or contexts in one procedure than 16-bit numbers can stand for.
  case tooMuchData

  /// What was waited for when the time was over.
  public enum Wait: String, Hashable, Sendable {
    /// The response to an ATT request.
    case attributeResponse
    /// A record or the response of a record access procedure.
    case recordAccess
    /// Pairing or encryption.
    case security
    /// The store.
    case store
  }

  /// True where nothing is left to do: everything asked for is held.
  public var isComplete: Bool {
    switch self {
    case .synced, .nothingNew: true
    default: false
    }
  }
}
