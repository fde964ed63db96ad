import BluetoothWire
import LinkTrace

/// Says of a subscription why the sensor need not hold it.
enum SubscriptionText {
  /// Says where only that was asked for which the profile does not send of a characteristic: indications of records,
  /// notifications of results (GLS 3); nil otherwise.
  static func odd(_ subscription: Subscription) -> String? {
    switch subscription.role {
    case .recordAccess: subscription.value == 1 ? "for notifications only" : nil
    case .glucoseMeasurement, .glucoseContext: subscription.value == 2 ? "for indications only" : nil
    default: nil
    }
  }

  /// Nil where it was written as a subscription is, whatever came of it.
  static func doubt(_ subscription: Subscription) -> String? {
    if subscription.opcode.isWriteCommand { return "by \(subscription.opcode.name)" }
    return subscription.isDoubtful && subscription.answer != nil ? "not as two octets" : nil
  }
}
