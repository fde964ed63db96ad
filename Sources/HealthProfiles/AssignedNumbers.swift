public import BluetoothWire

/// Names of the services, characteristics, declarations and descriptors that health devices use (Assigned Numbers).
public enum AssignedNumbers {
  /// The name of a service, characteristic, declaration or descriptor; nil for a vendor's UUID and for unlisted ones.
  public static func name(of uuid: BluetoothUUID) -> String? {
    guard let short = uuid.short else { return nil }
    return serviceName(short) ?? attributeName(short)
  }
}
