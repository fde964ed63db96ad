/// Failures of a link in a few words, for the outcome of a run.
enum FailureText {
  static func reason(_ failure: ChannelFailure) -> String {
    switch failure {
    case .noSupport: "the kernel has no Bluetooth"
    case .notPermitted: "a permission is missing"
    case .linkLost: "the meter was not heard any more"
    case .peerEnded: "the meter ended the link"
    case .securityRefused: "encryption or pairing was refused"
    case .keyMismatch: "the keys of the two sides differ"
    case .adapterDown: "the adapter is down or gone"
    case .notInRange: "the meter did not answer"
    case .busy: "another program has the link"
    case .abandoned: "the kernel gave the link up"
    case .overrun: "this machine was too slow, and packets were dropped"
    case .stopped: "stopped by the user"
    case .noAnswer: "the kernel did not answer"
    case .system(let number): "system error \(number)"
    }
  }
}
