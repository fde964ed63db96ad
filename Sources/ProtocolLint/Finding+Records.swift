import LinkTrace

extension Finding {
  /// A finding about the contents of records, anchored to the first of them.
  ///
  /// - Parameters:
  ///   - odd: at least one record.
  ///   - message: begins behind what is said of how many and which: `12 records hold no value, the first number 7`.
  static func ofRecords(
    _ rule: RuleIdentifier,
    _ level: FindingLevel,
    _ confidence: Confidence,
    _ odd: OddRecords,
    key: String,
    message: String,
    evidence: [String],
    _ history: borrowing LinkHistory
  ) -> Finding {
    let anchor = odd.places.first.map { history.pdus[Int($0)] }
    return Finding(
      rule,
      level,
      .sensor,
      confidence,
      link: history.number,
      frames: odd.places.map { history.frame($0) },
      omitted: odd.omitted,
      time: anchor?.time ?? history.firstTime,
      key: key,
      message: message + (odd.places.first.map { ", the first \(history.recordName($0))" } ?? ""),
      evidence: evidence + (odd.places.first.map { [history.octetsText($0)] } ?? [])
    )
  }
}
