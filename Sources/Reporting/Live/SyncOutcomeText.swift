import BluetoothWire
import HealthProfiles
public import RecordCollector

extension SyncOutcome {
  /// One plain sentence.
  public var sentence: String {
    switch self {
    case .synced(let new): new == 1 ? "1 new record is stored." : "\(new) new records are stored."
    case .nothingNew: "Nothing new: everything the meter has is stored already."
    case .aborted: "Stopped before the end; nothing of the unfinished transfer is stored."
    case .linkLost(let reason): "The link ended before the transfer did: \(reason)."
    case .timedOut(.attributeResponse): "The meter did not answer for 30 seconds."
    case .timedOut(.recordAccess): "The meter sent neither a record nor an end for 30 seconds."
    case .timedOut(.security): "Pairing or encryption did not come to an end."
    case .timedOut(.store): "The store did not answer."
    case .refused(let value): "The meter refused the request for records: \(value.name)."
    case .attributeError(let error, let request, let handle):
      "The meter answered request \(request) of handle \(handle) with an error: "
        + (error.name ?? "number \(error.rawValue)") + "."
    case .busy: "The meter is busy with another program or phone."
    case .wrongAnswer(let octets): "The meter answered something that was not asked: \(hex(octets))."
    case .pairingFailed: "Pairing with the meter failed."
    case .bondLost: "The meter does not accept the bond that is held here."
    case .notEncrypted: "The link to the meter is not encrypted, and readings are not fetched in clear."
    case .storeFailed(let reason): "The records could not be stored: \(reason)"
    case .notAGlucoseMeter: "The device has no complete Glucose Service."
    case .tooMuchData: "The meter sent more records than there are numbers for."
    }
  }

  /// What to do about it; empty where there is nothing to add.
  public var hint: String {
    switch self {
    case .synced, .nothingNew, .aborted, .pairingFailed, .bondLost: ""
    case .linkLost, .timedOut, .wrongAnswer:
      "Nothing is lost: the meter still has its records. Keep it near and awake, and sync again."
    case .refused, .attributeError, .tooMuchData:
      "Nothing is lost. '--save FILE' records the traffic, and 'racpscope lint FILE' says what is wrong with it."
    case .busy: "Wait until the other one is done, or switch the phone's Bluetooth off, and sync again."
    case .notEncrypted: "If the meter cannot encrypt and you accept that, use --allow-unencrypted."
    case .storeFailed: "The meter still has its records: make room or name another store, and sync again."
    case .notAGlucoseMeter: "'racpscope scan' lists the devices in range, health devices first."
    }
  }
}
