import BluetoothWire
import LinkTrace

/// Says of a subscription why the sensor need not hold it.
enum SubscriptionText {
  /// Nil where it was written as a subscription is, whatever came of it.
  static func doubt(_ subscription: Subscription) -> String? {
    if subscription.opcode.isWriteCommand { return "by \(subscription.opcode.name)" }
    return subscription.isDoubtful && subscription.answer != nil ? "not as two octets" : nil
  }
}
