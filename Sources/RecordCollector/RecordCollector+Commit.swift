import HealthProfiles

extension RecordCollector {
  /// A meter that sends records without end is not listened to without end.
  private static let commitLimit = 100

  /// How a run ends that did all it was asked to.
  var completeOutcome: SyncOutcome { run.stored > 0 ? .synced(new: run.stored) : .nothingNew }

  /// Hands everything the transfer brought to the store at once: all or none.
  mutating func commit() {
    followUpsWereAnswered()
    let assembly = assembled()
    report(assembly)
    guard !assembly.records.isEmpty || !assembly.orphans.isEmpty else { return finish(completeOutcome) }
    var batch = CommitBatch(
      epoch: memory.epoch,
      opensEpoch: opensEpoch,
      records: assembly.records,
      orphanContexts: assembly.orphans,
      request: transfer.request,
      isFullFetch: transfer.isFull
    )
    if let highest = highestToMark(assembly.numbers) {
      batch.newMark = highest
      lastMark = highest
      batch.newestBaseTime = assembly.records.last { $0.sequenceNumber == highest }?.baseTime
    }
    // What lacks something is held nowhere but on the meter.
    let incomplete = Set(assembly.records.filter { $0.contextIsMissing || $0.isShort }.map(\.sequenceNumber))
    committed = (committed + assembly.numbers).filter { !incomplete.contains($0) }
    commits += 1
    phase = .committing
    waiting = .store
    buffer.removeAll()
    cachedAssembly = nil
    // The count was of this batch; what comes late is counted by nobody.
    transfer.count = nil
    transfer.trailing = 0
    progress(.committing)
    outbox.append(.commit(batch))
  }

  /// The new mark, or nil where it stays: the highest number, if nothing between the mark and it was left unasked.
  private func highestToMark(_ numbers: [UInt16]) -> UInt16? {
    var candidates = numbers
    if case .within(let lower, let upper) = transfer.selection {
      guard Int(lower) <= (memory.mark.map { Int($0) + 1 } ?? 0) else { return nil }
      candidates = gapless(numbers.filter { UInt32($0) <= upper })
    } else if asksOnce || interruption?.kind == .hangUp {
      // Nothing has told whether a missing number was deleted or left out.
      candidates = gapless(numbers)
    }
    guard let highest = candidates.last, highest > memory.mark ?? 0 || memory.mark == nil else { return nil }
    return highest
  }

  /// Those that follow the mark without a gap, or the lowest one where there is no mark.
  private func gapless(_ numbers: [UInt16]) -> [UInt16] {
    var run: [UInt16] = []
    for number in numbers where number > memory.mark ?? 0 || memory.mark == nil {
      let before = run.last ?? memory.mark
      if let before, Int(number) != Int(before) + 1 { break }
      run.append(number)
    }
    return run
  }

  /// Says what is odd about the records, once each.
  private mutating func report(_ assembly: Assembly) {
    if assembly.duplicates > 0 { notice(.duplicates(assembly.duplicates)) }
    if !assembly.conflicting.isEmpty { notice(.conflicting(assembly.conflicting)) }
    let missing = assembly.records.filter(\.contextIsMissing).map(\.sequenceNumber)
    if !missing.isEmpty { notice(.contextsMissing(missing)) }
    if !assembly.orphans.isEmpty { notice(.orphanContexts(assembly.orphans.map(\.sequenceNumber))) }
    if let count = transfer.count, count > assembly.numbers.count, !isCountOfHeld(count) {
      notice(.countDiffers(count: count, received: assembly.numbers.count))
    }
    if transfer.trailing > 0 { notice(.recordsAfterResponse(transfer.trailing)) }
    if assembly.records.isEmpty && transfer.isAnswered && wasSuccessWithoutRecords { notice(.successWithoutRecords) }
    if let asked = transfer.selection.minimum {
      let unasked = assembly.numbers.first { number in
        UInt32(number) < asked && !transfer.askedBeside.contains { $0.contains(number) }
      }
      if let unasked { notice(.filterIgnored(asked: transfer.selection.description, got: unasked)) }
    }
    let short = assembly.records.filter(\.isShort).map(\.sequenceNumber)
    if !short.isEmpty { notice(.shortRecords(short)) }
    var before = memory.newestBaseTime
    for record in assembly.records {
      guard let time = record.baseTime else { continue }
      if record.offset == nil { notice(.offsetMissing, .offsetMissing(record.sequenceNumber)) }
      if !time.isPlausible {
        notice(.invalidBaseTime, .invalidBaseTime(record.sequenceNumber))
      } else {
        if let before, time < before, record.sequenceNumber > memory.mark ?? 0 {
          notice(.baseTimeBackwards, .baseTimeBackwards(record.sequenceNumber))
        }
        before = time
      }
    }
  }

  /// The count was asked instead of the records, and says that nothing was added.
  func isCountOfHeld(_ count: Int) -> Bool { transfer.request.isEmpty && count == memory.heldRecords }

  private var wasSuccessWithoutRecords: Bool { transfer.wasSuccess && !transfer.request.isEmpty }

  /// The batch is durable: only now may anything be deleted from the meter.
  mutating func committed(_ receipt: CommitReceipt) {
    guard case .store = waiting, case .committing = phase else { return }
    waiting = .nothing
    run.stored += receipt.stored
    run.alreadyHeld += receipt.alreadyHeld + receipt.renumbered
    if receipt.renumbered > 0 { notice(.renumbered(receipt.renumbered)) }
    if !receipt.conflicting.isEmpty {
      notice(.conflicting(receipt.conflicting))
      committed.removeAll { receipt.conflicting.contains($0) }
    }
    opensEpoch = false
    if let mark = lastMark { memory.mark = mark }
    run.epoch = memory.epoch
    run.mark = memory.mark
    lastMark = nil
    // Records that came while the store was busy are records all the same.
    if !buffer.entries.isEmpty {
      guard commits < Self.commitLimit else { return finish(.tooMuchData) }
      return commit()
    }
    guard plan.deleteAfterSync, linkIsUp, mayRequest, !isAborting, !committed.isEmpty else {
      if plan.deleteAfterSync && !committed.isEmpty { notice(.deletionNotDone(reasonForNoDeletion)) }
      return finish(completeOutcome)
    }
    guard !memory.unsupported.contains(.deleteRange) else {
      notice(.deletionRefused(.operatorNotSupported))
      return finish(completeOutcome)
    }
    phase = .deleting
    waiting = .deletionAnswer
    // Runs without a gap, never "all" or "up to": a number that was not committed is never inside (GLS 3.4.3.3).
    deletions = Assembly.runs(of: committed)
    outbox.append(.confirmDeletion(ranges: deletions, records: Set(committed).count))
  }

  private var reasonForNoDeletion: String {
    if !linkIsUp { return "the link is gone" }
    return isAborting ? "the run was stopped" : "the meter answers no further request on this link"
  }

  mutating func storeFailed(_ reason: String) {
    switch waiting {
    case .store, .lookUp:
      finish(.storeFailed(reason))
    default: break
    }
  }

  mutating func deletionConfirmed(_ isConfirmed: Bool) {
    guard case .deletionAnswer = waiting else { return }
    waiting = .nothing
    guard isConfirmed else {
      notice(.deletionNotDone("nobody confirmed it"))
      return finish(completeOutcome)
    }
    deleteNext()
  }

  private mutating func deleteNext() {
    if isAborting { return finish(completeOutcome) }
    guard !deletions.isEmpty, mayRequest else {
      if run.deleted > 0 { notice(.deleted(run.deleted)) }
      // A record that came late is a record all the same.
      if !buffer.entries.isEmpty {
        committed = []
        return commit()
      }
      return finish(completeOutcome)
    }
    let range = deletions.removeFirst()
    let selection = RecordSelection.within(UInt32(range.lowerBound), UInt32(range.upperBound))
    start(.delete(range), RecordAccessRequest(.delete, selection))
  }

  mutating func deletionEnded(_ done: RunningProcedure, _ value: RecordAccessResponseValue) {
    guard case .delete(let range) = done.purpose else { return }
    switch value {
    case .success: run.deleted += range.count
    case .noRecordsFound: break
    default:
      if value.meansUnsupported { remember(unsupported: .deleteRange) }
      notice(.deletionRefused(value))
      deletions = []
    }
    deleteNext()
  }
}

extension DateTime {
  /// A cheap test for each record; `isValid` says more.
  fileprivate var isPlausible: Bool {
    (1582...9999).contains(year) && month >= 1 && day >= 1 && day <= Self.days(inMonth: month, ofYear: year)
      && hours < 24 && minutes < 60 && seconds < 60
  }
}
