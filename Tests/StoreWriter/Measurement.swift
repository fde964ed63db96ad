import BluetoothWire
import RecordCollector
import RecordStore

/// Times one transaction.
enum Measurement {
  static func run(_ path: String, records count: Int) throws(StoreError) {
    let store = try RecordStore(path: path)
    let clock = ContinuousClock()
    // As many epochs as it takes: one has 65,536 numbers.
    var epoch: UInt32 = 0
    var rest = count
    var total = Duration.zero
    while rest > 0 {
      let records = BatchWriter.records(0..<min(rest, 65_536)).map { record in
        var plain = record
        plain.contexts = []
        return plain
      }
      var batch = CommitBatch(epoch: epoch, opensEpoch: epoch > 0, records: records)
      batch.newMark = records.last?.sequenceNumber
      let start = clock.now
      _ = try store.commit(batch, for: BatchWriter.meter)
      total += clock.now - start
      rest -= records.count
      epoch += 1
    }
    let seconds = Double(total.components.seconds) + Double(total.components.attoseconds) / 1e18
    Output.line("store: \(Int(Double(count) / seconds)) records a second in one transaction")
  }
}
