import BluetoothWire
import HealthProfiles
import RecordCollector

extension SyncOutcome {
  /// What the outcome says beyond its word, for a person.
  var storedDetail: String? {
    switch self {
    case .linkLost(let reason): reason
    case .timedOut(.attributeResponse): "no response to an ATT request"
    case .timedOut(.recordAccess): "no record and no response"
    case .timedOut(.security): "no end of pairing or encryption"
    case .timedOut(.store): "no answer of the store"
    case .refused(let value): value.name
    case .attributeError(let error, let request, let handle):
      "\(error.name ?? "error 0x" + hex(UInt64(error.rawValue), digits: 2)) to request 0x\(hex(UInt64(request), digits: 2)) of handle 0x\(hex(UInt64(handle), digits: 4))"
    case .wrongAnswer(let octets): hex(octets)
    case .pairingFailed(let failure), .bondLost(let failure): failure.storedText
    case .storeFailed(let reason): reason
    case .synced, .nothingNew, .aborted, .busy, .notEncrypted, .notAGlucoseMeter, .tooMuchData: nil
    }
  }
}

extension SecurityFailure {
  fileprivate var storedText: String {
    switch self {
    case .pairing(let failure): failure.name
    case .keyMissing: "the meter has no key"
    case .keyMismatch: "the keys differ"
    case .declined: "declined"
    case .passkey: "the passkey is wrong or missing"
    case .other(let text): text
    }
  }
}
