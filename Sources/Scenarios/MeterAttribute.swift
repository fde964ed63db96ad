/// An attribute of a sensor by its meaning; the meter knows its handle.
public enum MeterAttribute: Sendable, Hashable {
  case measurement
  case measurementConfiguration
  case context
  case contextConfiguration
  case feature
  case recordAccess
  case recordAccessConfiguration
  case currentTime
  case deviceName
  case manufacturer
  case model
  case serialNumber
  case firmware
  case systemID
  /// Any other attribute by its handle.
  case handle(UInt16)
}
