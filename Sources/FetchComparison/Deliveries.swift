import LinkTrace

/// The deliveries of one device on one side, in the order in which they are aligned.
struct Deliveries {
  let device: FetchedDevice
  let side: ComparedSide
  let order: RecordOrder

  init(_ device: FetchedDevice?, _ side: ComparedSide) {
    self.device = device ?? FetchedDevice()
    self.side = side
    order = RecordOrder(self.device.records)
  }

  /// Runs of equal base time among the deliveries of a number, in ascending order.
  func runs(_ number: Int) -> [Range<Int>] {
    let all = order.range(number)
    guard let first = all.first else { return [] }
    if all.count == 1 { return [all] }
    var runs: [Range<Int>] = []
    var start = first
    for place in all.dropFirst() where record(place).time != record(start).time {
      runs.append(start..<place)
      start = place
    }
    runs.append(start..<all.upperBound)
    return runs
  }

  func record(_ place: Int) -> ComparedRecord { device.records[Int(order.indices[place])] }

  /// The base time of a run, 0 where it was cut off.
  func time(_ run: Range<Int>) -> UInt64 { record(run.lowerBound).time }

  /// The fields in which two deliveries differ.
  static func differences(_ one: Deliveries, _ left: Int, _ other: Deliveries, _ right: Int) -> RecordField.Set {
    let first = one.record(left)
    let second = other.record(right)
    return RecordField.Set(first, second, one.device.context(of: first), other.device.context(of: second))
  }

  /// Counts the deliveries of one record: how it was completed, how often it came, and whether it changed.
  func count(_ run: Range<Int>, _ total: inout AlignedSide) {
    let first = record(run.lowerBound)
    total.records += 1
    total.numbers.insert(UInt32(first.sequenceNumber))
    var best = side.place(of: first).completion
    var isClipped = first.isClipped
    if run.count > 1 { repetitions(run, &total, &best, &isClipped) }
    if isClipped { total.clippedCount += 1 }
    switch best {
    case .complete: return
    case .unknown: total.uncertainCount += 1
    case .unfinished:
      total.unfinishedCount += 1
      total.unfinished.insert(UInt32(first.sequenceNumber))
    }
  }

  private func repetitions(
    _ run: Range<Int>,
    _ total: inout AlignedSide,
    _ best: inout DeliveryPlace.Completion,
    _ isClipped: inout Bool
  ) {
    let first = record(run.lowerBound)
    let number = UInt32(first.sequenceNumber)
    var before = side.place(of: first)
    var beforeIndex = first.place
    for place in run.dropFirst() {
      let record = record(place)
      let delivery = side.place(of: record)
      best = max(best, delivery.completion)
      isClipped = isClipped && record.isClipped
      let fields = Self.differences(self, run.lowerBound, self, place)
      // A context may be left out where a report was cut short: that is no other content.
      if !fields.subtracting(RecordField.Set(.context)).isEmpty {
        total.changeCount += 1
        if total.changes.count < RecordAlignment.changeLimit {
          total.changes.append(
            ChangedRecord(
              first: Int(order.indices[run.lowerBound]),
              second: Int(order.indices[place]),
              fields: fields
            )
          )
        }
      }
      if delivery.link == nil {
        // Rows of a store are contents, not deliveries.
      } else if record.place == beforeIndex && delivery.procedure != nil {
        total.repetitions.withinProcedure += 1
        total.repetitions.numbersWithinProcedure.insert(number)
        if total.repetitions.firstFrame == 0 || record.frame < total.repetitions.firstFrame {
          total.repetitions.firstFrame = record.frame
        }
      } else {
        if delivery.link == before.link {
          total.repetitions.onSameLink += 1
        } else {
          total.repetitions.onLaterLink += 1
        }
        total.repetitions.numbersFetchedAgain.insert(number)
      }
      before = delivery
      beforeIndex = record.place
    }
    if before.link != nil { total.repetitions.most = max(total.repetitions.most, UInt64(run.count)) }
  }
}
