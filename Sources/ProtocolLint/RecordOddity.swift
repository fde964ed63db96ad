/// A way in which a measurement or context may be odd by itself or beside its neighbours.
enum RecordOddity: UInt8, CaseIterable, Sendable {
  // A measurement.
  case specialValue, implausibleUnit
  case shortMeasurement, trailingMeasurement
  case reservedFlags, reservedAnnunciation, reservedType, reservedLocation
  case impossibleDate, dayBeyondMonth
  case extremeOffset, offsetStep
  // A context.
  case shortContext, trailingContext
  case reservedExtendedFlags, reservedCarbohydrate, reservedMeal, reservedTester, reservedHealth, reservedMedication
  case emptyContext, orphanContext, uninvitedContext, repeatedContext

  var bit: UInt32 { 1 << UInt32(rawValue) }
}
