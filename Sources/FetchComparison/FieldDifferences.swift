import HealthProfiles

extension RecordField.Set {
  /// The fields in which two deliveries of one record differ; what a logger cut, and an offset that only one of them
  /// knows, differs from nothing.
  init(_ left: ComparedRecord, _ right: ComparedRecord, _ first: ComparedContext?, _ second: ComparedContext?) {
    var differences: RecordField.Set = []
    func compare(_ field: RecordField, _ isEqual: Bool) { if !isEqual { differences.insert(RecordField.Set(field)) } }
    let isClipped = left.isClipped || right.isClipped
    switch (left.concentration, right.concentration) {
    case (let one?, let other?):
      compare(.unit, one.unit == other.unit)
      // Two words may stand for one number.
      compare(.concentration, one.float == other.float || one.unit != other.unit || one.isSameNumber(as: other))
      if let type = left.type, let otherType = right.type { compare(.type, type == otherType) }
      if let location = left.location, let otherLocation = right.location {
        compare(.location, location == otherLocation)
      }
    case (nil, nil): break
    default: if !isClipped { compare(.concentration, false) }
    }
    if !isClipped || (left.annunciation != nil && right.annunciation != nil) {
      compare(.status, left.annunciation?.rawValue ?? 0 == right.annunciation?.rawValue ?? 0)
    }
    if let one = left.offset, let other = right.offset { compare(.timeOffset, one == other) }
    if !isClipped { compare(.undecodedOctets, left.undecoded == right.undecoded) }
    // The context of a record may have been cut beyond recognition as well.
    if !isClipped || (first != nil && second != nil) { differences.formUnion(Self.contexts(first, second)) }
    self = differences
  }

  private static func contexts(_ first: ComparedContext?, _ second: ComparedContext?) -> RecordField.Set {
    if first == second { return [] }
    guard let first, let second else { return RecordField.Set(.context) }
    // An unreadable one is only known to have come.
    guard let one = first.fields, let other = second.fields else { return [] }
    var differences: RecordField.Set = []
    func compare(_ field: RecordField, _ isEqual: Bool) { if !isEqual { differences.insert(RecordField.Set(field)) } }
    compare(.carbohydrate, one.carbohydrate == other.carbohydrate)
    compare(.meal, one.meal == other.meal)
    compare(.tester, one.condition?.tester == other.condition?.tester)
    compare(.health, one.condition?.health == other.condition?.health)
    compare(.exercise, one.exercise == other.exercise)
    compare(
      .medication,
      one.medication == other.medication && (one.medication == nil || one.medicationUnit == other.medicationUnit)
    )
    compare(.hemoglobinA1c, one.hemoglobinA1c == other.hemoglobinA1c)
    compare(
      .otherContextOctets,
      one.extendedFlags == other.extendedFlags && first.undecoded == second.undecoded
    )
    return differences
  }
}

extension GlucoseConcentration {
  fileprivate func isSameNumber(as other: GlucoseConcentration) -> Bool {
    guard float.decimal != nil, other.float.decimal != nil else { return false }
    return text(in: unit.display) == other.text(in: unit.display)
  }
}
