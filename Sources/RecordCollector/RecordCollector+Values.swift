import BluetoothWire

extension RecordCollector {
  /// Takes a value of the measurement or the context characteristic into the buffer.
  mutating func notified(_ value: RawSpan, handle: UInt16) {
    guard transfer.hasStarted, handle != 0, handle == measurementHandle || handle == contextHandle else { return }
    let isContext = handle == contextHandle
    guard value.byteCount >= 3, value.byteCount <= RecordBuffer.longestValue else {
      return notice(.unreadable, .unreadableValue(handle: handle, value: value.copied()))
    }
    guard !buffer.isFull else { return finish(.tooMuchData) }
    let sequenceNumber = value.u16(at: 1)
    let isChecked = belongsToCheck(sequenceNumber)
    if isContext {
      run.contexts += 1
      buffer.append(value, isContext: true, sequenceNumber: sequenceNumber, offset: nil)
    } else {
      run.received += 1
      if value.u8(at: 0) & 0x01 != 0, value.byteCount >= 12 {
        let offset = Int16(bitPattern: value.u16(at: 10))
        if isChecked {
          checkOffset = offset
        } else {
          if let before = transferOffset, before != offset {
            notice(.clockChanged, .clockChanged(at: sequenceNumber, from: before, to: offset))
          }
          transferOffset = offset
        }
      }
      let offset = isChecked ? checkOffset : transferOffset
      buffer.append(value, isContext: false, sequenceNumber: sequenceNumber, offset: offset)
    }
    if !isChecked && (transfer.isAnswered || answered != nil) {
      transfer.trailing += 1
      transfer.lastTrailing = now
    }
    // A record that comes shows that the procedure runs: a pause is never its end (GLP 4.7.5).
    if procedure != nil {
      if !isContext { procedure?.records += 1 }
      procedure?.deadline = now + CollectorTiming.recordAccess
    }
    if case .quiet = waiting { waiting = .quiet(until: now + CollectorTiming.trailingRecords) }
    if now &- lastProgress >= CollectorTiming.progress, procedure?.purpose == .transfer { progress(.transferring) }
  }

  /// Whether a value answers a request that was made after the transfer, and not the transfer late.
  private func belongsToCheck(_ sequenceNumber: UInt16) -> Bool {
    guard let purpose = procedure?.purpose ?? answered?.procedure.purpose else {
      // The record of a check may come after the answer to it.
      return transfer.askedBeside.contains { $0.contains(sequenceNumber) }
    }
    return purpose.asked(mark: memory.mark ?? 0)?.contains(sequenceNumber) ?? false
  }
}

extension RunningProcedure.Purpose {
  /// The numbers that a report beside the transfer asks for; nil for what brings no records, and for the transfer.
  func asked(mark: UInt16) -> ClosedRange<UInt16>? {
    switch self {
    case .transfer, .countFirst, .countAfter, .delete: nil
    case .gap(let range): range
    case .again(let number): number...number
    case .mark: mark...mark
    case .fromMark: mark...0xFFFF
    case .last: 0...0xFFFF
    }
  }
}
