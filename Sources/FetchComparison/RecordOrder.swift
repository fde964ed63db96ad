/// The deliveries of one device by sequence number, base time and arrival: a counting sort, four octets a record.
struct RecordOrder {
  /// Indices of the records.
  private(set) var indices: [UInt32]
  /// Where the deliveries of each number begin, and the end.
  private var starts: [UInt32]

  private static let numbers = 1 << 16

  init(_ records: RecordPages) {
    starts = Array(repeating: 0, count: Self.numbers + 1)
    indices = Array(repeating: 0, count: records.count)
    for index in 0..<records.count { starts[Int(records[index].sequenceNumber) + 1] += 1 }
    for number in 0..<Self.numbers { starts[number + 1] += starts[number] }
    var next = starts
    for index in 0..<records.count {
      let number = Int(records[index].sequenceNumber)
      indices[Int(next[number])] = UInt32(truncatingIfNeeded: index)
      next[number] += 1
    }
    for number in 0..<Self.numbers where starts[number + 1] - starts[number] > 1 {
      let range = Int(starts[number])..<Int(starts[number + 1])
      indices[range].sort {
        let left = records[Int($0)].time
        let right = records[Int($1)].time
        return left == right ? $0 < $1 : left < right
      }
    }
  }

  /// The deliveries of a number.
  func range(_ number: Int) -> Range<Int> { Int(starts[number])..<Int(starts[number + 1]) }
}
