import LinkTrace

extension DeviceSubject {
  /// How often the sensor's count had begun anew by the end of a procedure, whoever fetched the records that show it.
  ///
  /// Numbers of procedures with different answers stand for different records (GLS 3.1.1.2).
  func restarts(by step: DeviceStep, _ device: borrowing DeviceHistory) -> Int {
    if device.records.restarts.isEmpty { return 0 }
    let procedure = device.procedure(step)
    let last = max(procedure.requestFrame, procedure.lastRecordFrame)
    return device.records.restarts.count {
      Int($0.new.link) < step.link || (Int($0.new.link) == step.link && $0.new.frame <= last)
    }
  }
}
