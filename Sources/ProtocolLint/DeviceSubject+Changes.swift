import LinkTrace

extension DeviceSubject {
  /// True where both links belong to the same bond.
  func isOneBond(_ one: UInt32, _ other: UInt32) -> Bool { standings[Int(one)].bond == standings[Int(other)].bond }

  /// Changes whose two records came under one bond, those of each bond and collector together: what another bond's links
  /// show may be a test of its own.
  func perBond(_ changes: [RecordChange]) -> [[RecordChange]] {
    var groups: [(collector: Int, bond: Int, changes: [RecordChange])] = []
    for change in changes where isOneBond(change.old.link, change.new.link) {
      let standing = standings[Int(change.new.link)]
      let known = groups.firstIndex { $0.collector == standing.collector && $0.bond == standing.bond }
      if let known {
        groups[known].changes.append(change)
      } else {
        groups.append((standing.collector, standing.bond, [change]))
      }
    }
    return groups.map(\.changes)
  }
}

extension DeviceHistory {
  /// A finding of the sensor about records that came otherwise than before: anchored to the first one's new delivery,
  /// with its old one, and both of each further one.
  ///
  /// - Parameter evidence: what it rests on, given in words where the first one's old delivery stands.
  func finding(
    _ rule: RuleIdentifier,
    _ level: FindingLevel,
    _ confidence: Confidence,
    _ changes: [RecordChange],
    key: String,
    message: String,
    evidence: (_ before: String) -> [String]
  ) -> Finding {
    let first = changes[0]
    let (link, earlier) = (Int(first.new.link), Int(first.old.link))
    return finding(
      rule,
      level,
      .sensor,
      confidence,
      link: link,
      frames: [first.new.frame],
      others: [(earlier, first.old.frame)],
      further: changes.dropFirst().flatMap(\.places),
      key: key,
      message: message,
      evidence: evidence(frameText(first.old.frame, of: earlier, from: link))
    )
  }
}

extension RecordChange {
  /// Where both records came, the later one first.
  var places: [(link: Int, frame: UInt32)] { [(Int(new.link), new.frame), (Int(old.link), old.frame)] }
}
