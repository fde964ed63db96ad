public import BluetoothWire
public import RecordCollector

extension RecordStore {
  /// Stores a batch and moves the mark, in one transaction that is on the disk when this returns.
  ///
  /// - Throws: `.refused` where the batch is of an epoch that is neither the newest nor the one it opens, or its mark is
  ///   above every record; `.busy`, `.full`, `.inputOutput`. Nothing of the batch is stored then.
  public func commit(_ batch: CommitBatch, for meter: DeviceAddress) throws(StoreError) -> CommitReceipt {
    let devices = try statements(DeviceStatements.self)
    let commits = try statements(CommitStatements.self)
    return try database.transaction { () throws(StoreError) -> CommitReceipt in
      let device = try devices.identifier(adding: meter)
      let epoch = try epoch(of: batch, device, meter, devices)
      return try commits.write(batch, into: epoch)
    }
  }

  /// The row of the epoch a batch belongs to, made where the batch opens it.
  private func epoch(
    of batch: CommitBatch,
    _ device: Int64,
    _ meter: DeviceAddress,
    _ devices: DeviceStatements
  ) throws(StoreError) -> DeviceStatements.Epoch {
    let service = batch.service.rawValue
    guard let newest = try devices.newestEpoch(of: device, service: service) else {
      let first = try devices.firstEpoch(of: meter, service: service)
      guard batch.epoch == first || (batch.opensEpoch && batch.epoch == first + 1) else {
        throw refusal(of: batch, meter, expected: first)
      }
      return try devices.add(epoch: batch.epoch, to: device, service: service)
    }
    if batch.epoch == newest.number { return newest }
    guard batch.opensEpoch, newest.number < .max, batch.epoch == newest.number + 1 else {
      throw refusal(of: batch, meter, expected: newest.number)
    }
    return try devices.add(epoch: batch.epoch, to: device, service: service)
  }

  private func refusal(of batch: CommitBatch, _ meter: DeviceAddress, expected: UInt32) -> StoreError {
    StoreError(
      .refused,
      "the records of \(meter) are of epoch \(batch.epoch), but the store is at epoch \(expected), so none was stored.",
      hint: "Another run may have found a restarted numbering meanwhile: sync again."
    )
  }
}
