import Testing

@testable import Reporting

@Suite struct DeliveredRecordsTests {
  @Test(arguments: [1, 7_919, 65_535] as [Int])
  func aModelTellsTheSame(step: Int) {
    var records = DeliveredRecords()
    var model: [UInt16: Set<UInt32>] = [:]
    var number = 0
    for round in 0..<200_000 {
      let sequence = UInt16(truncatingIfNeeded: number)
      number += step
      let hash = UInt32(round % 17 == 0 ? round % 5 : 1)
      let content = max(1, hash)
      let expected: RecordRow.Repetition =
        model[sequence] == nil ? .none : model[sequence]?.contains(content) == true ? .same : .changed
      let arrival = records.insert(sequence: sequence, hash: hash)
      if arrival != expected { Issue.record("\(round): \(arrival), not \(expected)") }
      model[sequence, default: []].insert(content)
    }
    #expect(model.count > 1)
  }

  @Test func oneNumberWithEverNewContentStaysCheap() {
    var records = DeliveredRecords()
    #expect(records.insert(sequence: 7, hash: 1) == .none)
    for hash in 2..<100_000 as Range<UInt32> where records.insert(sequence: 7, hash: hash) != .changed {
      Issue.record("\(hash)")
    }
    #expect(records.insert(sequence: 7, hash: 99_999) == .same)
    #expect(records.insert(sequence: 7, hash: 1) == .same)
  }
}
