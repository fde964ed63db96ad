import BluetoothWire
import RecordCollector
import RecordStore

/// Times one transaction.
enum Measurement {
  /// An epoch has no more numbers, and a commit is of one epoch.
  static let limit = 65_536

  static func run(_ path: String, records count: Int) throws(StoreError) {
    let store = try RecordStore(path: path)
    let clock = ContinuousClock()
    let records = BatchWriter.records(0..<min(count, limit)).map { record in
      var plain = record
      plain.contexts = []
      return plain
    }
    var batch = CommitBatch(epoch: 0, records: records)
    batch.newMark = records.last?.sequenceNumber
    let start = clock.now
    let receipt = try store.commit(batch, for: BatchWriter.meter)
    let total = clock.now - start
    let seconds = Double(total.components.seconds) + Double(total.components.attoseconds) / 1e18
    Output.line(
      "store: \(Int(Double(receipt.stored) / seconds)) records a second in one transaction of \(receipt.stored)"
    )
  }
}
