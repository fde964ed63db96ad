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

  /// The places of changes after the first, both records of each.
  static func further(_ changes: [RecordChange]) -> [(link: Int, frame: UInt32)] {
    changes.dropFirst().flatMap { [(Int($0.new.link), $0.new.frame), (Int($0.old.link), $0.old.frame)] }
  }
}
