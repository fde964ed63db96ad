import Scenarios

extension Step {
  /// The collector asks to bond; Secure Connections, no input and no output on either side.
  static var bondingRequest: Step { .security(from: .collector, [0x01, 0x03, 0x00, 0x09, 0x10, 0x00, 0x00]) }

  /// The sensor agrees and the link is encrypted; the values exchanged between are left out.
  static var bondingConsent: Step {
    .group([.security(from: .sensor, [0x02, 0x03, 0x00, 0x09, 0x10, 0x00, 0x00]), .encrypt()])
  }
}
