extension SyncOutcome {
  /// One word for the outcome, the same in every version.
  public var name: String {
    switch self {
    case .synced: "synced"
    case .nothingNew: "nothing_new"
    case .aborted: "aborted"
    case .linkLost: "link_lost"
    case .timedOut: "timed_out"
    case .refused: "refused"
    case .attributeError: "attribute_error"
    case .busy: "busy"
    case .wrongAnswer: "wrong_answer"
    case .pairingFailed: "pairing_failed"
    case .bondLost: "bond_lost"
    case .notEncrypted: "not_encrypted"
    case .storeFailed: "store_failed"
    case .notAGlucoseMeter: "not_a_glucose_meter"
    case .tooMuchData: "too_much_data"
    }
  }
}
