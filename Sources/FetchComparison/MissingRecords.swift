public import LinkTrace

/// Records that a side lacks for one cause.
public struct MissingRecords: Sendable {
  public var cause: MissingCause
  public var count: Int
  public var numbers: SequenceSet
  /// The first of them, as an index into the records of the other side's device.
  public var example: Int

  /// Groups what a side lacks by cause, the gravest first.
  ///
  /// - Parameters:
  ///   - missing: indices into the records of `holder`, by number.
  ///   - numbers: those that the side has, whatever their base time.
  static func groups(
    _ missing: [UInt32],
    of holder: FetchedDevice?,
    on holderSide: ComparedSide,
    lackedBy device: FetchedDevice?,
    on side: ComparedSide,
    holding numbers: SequenceSet
  ) -> [MissingRecords] {
    guard let holder, !missing.isEmpty else { return [] }
    let requests = DeviceRequests(device, side)
    var groups: [MissingRecords] = []
    var positions: [MissingCause: Int] = [:]
    for index in missing {
      let record = holder.records[Int(index)]
      let cause =
        numbers.contains(UInt32(record.sequenceNumber))
        ? .otherBaseTime : requests.cause(record, deliveredAt: holderSide.place(of: record).time)
      let position = positions[cause] ?? groups.count
      if position == groups.count {
        positions[cause] = position
        groups.append(MissingRecords(cause: cause, count: 0, numbers: SequenceSet(), example: Int(index)))
      }
      groups[position].count += 1
      groups[position].numbers.insert(UInt32(record.sequenceNumber))
    }
    return groups.sorted { left, right in
      let grave = (left.cause.gravity, left.count)
      let other = (right.cause.gravity, right.count)
      return grave == other ? left.example < right.example : grave > other
    }
  }
}
