import HealthProfiles
import Scenarios

extension Step {
  /// The collector asks to bond; Secure Connections, no input and no output on either side.
  static var bondingRequest: Step { .security(from: .collector, [0x01, 0x03, 0x00, 0x09, 0x10, 0x00, 0x00]) }

  /// The sensor agrees and the link is encrypted; the values exchanged between are left out.
  static var bondingConsent: Step {
    .group([.security(from: .sensor, [0x02, 0x03, 0x00, 0x09, 0x10, 0x00, 0x00]), .encrypt()])
  }

  /// A first link on which the two pair and no more: nothing on it shows what the device is.
  static var pairingAlone: Step { .group([.connect(), .exchangeMTU(185), .pair(), .farewell, .later(minutes: 1)]) }

  /// A link with the stored key to a device that is not seen to advertise.
  static var bondedReturn: Step { .group([.connect(), .encrypt()]) }

  /// The first look at the service on a later link than the first, and three records.
  static var lateFetch: Step { .group([.discoverGlucose, .subscribe(), .fetch(.all, 1...3), .farewell]) }
}
