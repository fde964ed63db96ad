extension RecordAccessRequest {
  /// Whether a record with this sequence number is asked for.
  ///
  /// Nil where the number alone does not decide: first or last record, user-facing times, pump filters by event, an
  /// abort, a malformed request.
  public func matches(sequenceNumber: UInt32) -> Bool? {
    guard isWellFormed, let selection else { return nil }
    switch selection {
    case .all: return unlessFiltered(true)
    case .atMost(let maximum): return unlessFiltered(sequenceNumber <= maximum)
    case .atLeast(let minimum): return unlessFiltered(sequenceNumber >= minimum)
    case .within(let minimum, let maximum):
      return unlessFiltered(sequenceNumber >= minimum && sequenceNumber <= maximum)
    case .first, .last, .until, .since, .between: return nil
    }
  }

  /// Whether a record with this user-facing time is asked for; nil where the time does not decide.
  public func matches(userFacingTime time: DateTime) -> Bool? {
    guard isWellFormed, let selection else { return nil }
    switch selection {
    case .until(let maximum): return time <= maximum
    case .since(let minimum): return time >= minimum
    case .between(let minimum, let maximum): return time >= minimum && time <= maximum
    case .all: return unlessFiltered(true)
    case .first, .last, .atMost, .atLeast, .within: return nil
    }
  }

  /// A record inside the bounds may still be left out by a filter on its kind; one outside never comes.
  private func unlessFiltered(_ inside: Bool) -> Bool? {
    switch filter {
    case .referenceTimeEvents, .otherThanReferenceTimeEvents: inside ? nil : false
    default: inside
    }
  }
}
