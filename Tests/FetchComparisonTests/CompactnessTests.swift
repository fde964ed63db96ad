import BluetoothWire
import FetchComparison
import HealthProfiles
import Scenarios
import Testing

/// What a record costs, and the order in which records may come.
@Suite struct CompactnessTests {
  @Test func aRecordTakesFortyOctets() {
    #expect(MemoryLayout<ComparedRecord>.stride == 40)
    #expect(MemoryLayout<ComparedContext>.stride == 24)
  }

  @Test func manyEpochsInAnyOrderAlign() {
    var first = ComparedSide()
    var second = ComparedSide()
    for epoch in 0..<4 {
      var meter = Meter()
      meter.contextEvery = 0
      meter.firstSequenceNumber = 0
      meter.firstBaseTime += Int64(epoch)
      for step in 0..<9_000 {
        let number = UInt16(step * 7 % 9_000)
        take(number, meter, &first)
        // The second side lacks one number of each epoch, and has the rest backwards.
        let other = UInt16(8_999 - step)
        if Int(other) != 100 + epoch { take(other, meter, &second) }
      }
    }
    let alignment = ComparedFetches(first, second).device?.alignment
    #expect(alignment?.common == 35_996)
    #expect(alignment?.onlyFirst.count == 4)
    #expect(alignment?.onlySecond.isEmpty == true)
    #expect(alignment?.changeCount == 0)
    #expect(alignment?.first.records == 36_000)
  }

  private func take(_ number: UInt16, _ meter: Meter, _ side: inout ComparedSide) {
    let octets = meter.measurement(number).octets
    side.take(measurement: octets.span.bytes, contexts: [], offset: nil, of: meter.address, name: nil)
  }
}
