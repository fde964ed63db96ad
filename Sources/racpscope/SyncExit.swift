import HealthProfiles
import LinuxBluetooth
import RecordCollector
import RecordStore

/// The exit status of what went wrong with an adapter, a meter or a store, said on stderr.
enum SyncExit {
  static func complain(_ error: BluetoothError) -> ExitStatus {
    Complaint.write(error)
    return status(error)
  }

  static func complain(_ error: StoreError) -> ExitStatus {
    Complaint.write(error)
    switch error.kind {
    case .held, .busy: return .busy
    case .full, .inputOutput: return .partial
    case .missing, .foreign, .newer, .permission, .corrupt, .refused, .other: return .usage
    }
  }

  static func status(_ error: BluetoothError) -> ExitStatus {
    switch error.kind {
    case .usage: .usage
    case .permission, .adapter: .adapter
    case .link, .range, .stopped: .partial
    case .pairing: .pairing
    case .busy: .busy
    }
  }

  static func status(_ outcome: SyncOutcome) -> ExitStatus {
    switch outcome {
    case .synced, .nothingNew: .done
    case .pairingFailed, .bondLost, .notEncrypted: .pairing
    case .busy, .refused(.serverBusy): .busy
    case .aborted, .linkLost, .timedOut, .refused, .attributeError, .wrongAnswer, .storeFailed, .notAGlucoseMeter,
      .tooMuchData:
      .partial
    }
  }
}
