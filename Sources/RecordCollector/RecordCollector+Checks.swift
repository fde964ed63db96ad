import HealthProfiles

extension RecordCollector {
  /// No more ranges of missing numbers are asked for than this.
  private static let gapLimit = 8
  /// Nor is everything asked for again more often than this.
  private static let attemptLimit = 3
  /// No more single records are asked for again than this.
  private static let againLimit = 16

  /// The buffer's records, joined; kept until the buffer grows.
  mutating func assembled() -> Assembly {
    if let cachedAssembly, cachedAssembly.count == buffer.entries.count { return cachedAssembly.assembly }
    let assembly = Assembly(buffer, ownValues: transfer.ownValues ?? .max)
    cachedAssembly = (buffer.entries.count, assembly)
    return assembly
  }

  /// Begins the next check of a transfer before its commit; false where none is left.
  mutating func beginCheck() -> Bool {
    if mayFollow && (beginCount() || beginGap()) { return true }
    if !transfer.numberingIsVerified && beginNumbering() { return true }
    return mayFollow && transfer.numberingIsVerified && beginAgain()
  }

  /// Asks for the number where numbers are missing between the received ones, or where all records came anew.
  ///
  /// A gap alone is legal, records may have been deleted (GLS 3.1.1.2); the count tells. On a first sync it also tells
  /// whether the beginning or the end is missing.
  private mutating func beginCount() -> Bool {
    guard !transfer.countIsAsked, !memory.unsupported.contains(.count), !buffer.entries.isEmpty else { return false }
    let assembly = assembled()
    let isNew = transfer.isFull && (memory.mark == nil || plan.selection == .all)
    guard isNew || !assembly.gaps(above: gapFloor(assembly)).isEmpty else { return false }
    start(.countAfter, RecordAccessRequest(.count, transfer.selection))
    return true
  }

  /// The lowest number that should have come: for all records that is not known.
  private func gapFloor(_ assembly: Assembly) -> Int {
    Int(transfer.selection.minimum ?? UInt32(assembly.numbers.first ?? 0))
  }

  /// Asks again where the count says that more should have come.
  ///
  /// Some hosts drop notifications without a word when their reader is slow, and the response still says success. A lost
  /// record may have carried a new Time Offset, so that the records after it would get a wrong one (GLS 3.1.1.4):
  /// everything is thrown away and asked for again. Where the same numbers come once more the meter leaves them out, or
  /// counts wrong, and they are asked for as ranges, once.
  private mutating func beginGap() -> Bool {
    if !transfer.gapsArePlanned {
      let assembly = assembled()
      guard let count = transfer.count, !buffer.entries.isEmpty, count > assembly.numbers.count else { return false }
      guard assembly.numbers == transfer.numbersBefore else { return transferOnceMore(assembly, count: count) }
      transfer.gapsArePlanned = true
      planGaps(assembly)
    }
    guard !transfer.gaps.isEmpty else { return false }
    let range = transfer.gaps.removeFirst()
    start(.gap(range), report(range))
    return true
  }

  private mutating func transferOnceMore(_ assembly: Assembly, count: Int) -> Bool {
    notice(.countDiffers(count: count, received: assembly.numbers.count))
    let attempts = transfer.attempts + 1
    guard attempts <= Self.attemptLimit else {
      finish(.linkLost(reason: "records were lost on the way in every one of \(attempts) transfers"))
      return true
    }
    transferAgain(transfer.selection)
    transfer.attempts = attempts
    transfer.numbersBefore = assembly.numbers
    transfer.count = count
    transfer.countIsAsked = true
    proceed()
    return true
  }

  /// The ranges of missing numbers, and of the records after them whose offset is in doubt.
  private mutating func planGaps(_ assembly: Assembly) {
    guard !memory.unsupported.contains(.reportRange) else { return }
    var gaps = assembly.gaps(above: Int(transfer.selection.minimum ?? 0))
    let doubtful = buffer.doubtOffsets(across: gaps)
    cachedAssembly = nil
    let highest = assembly.numbers.last ?? 0
    let limit = UInt16(clamping: transfer.selection.maximum ?? 0xFFFF)
    if highest < limit { gaps.append((highest + 1)...limit) }
    gaps = Assembly.joined(gaps + Assembly.runs(of: doubtful))
    guard let first = gaps.first, let last = gaps.last else { return }
    // Many gaps are one range; what is there already is dropped by identity.
    transfer.gaps = gaps.count > Self.gapLimit ? [first.lowerBound...last.upperBound] : gaps
  }

  private func report(_ range: ClosedRange<UInt16>) -> RecordAccessRequest {
    RecordAccessRequest(.report, .within(UInt32(range.lowerBound), UInt32(range.upperBound)))
  }

  /// Makes sure that the meter's numbers are those of the epoch; false where that is certain or cannot be asked, and is
  /// known to be certain only where `numberingIsVerified` says so.
  ///
  /// Numbers are never used again, but a meter that lost its memory starts anew (GLS 3.1.1.2). Then a record at or below
  /// the mark is another one than the one held. Nothing above the mark alone tells that: the new numbers may have grown
  /// past it.
  private mutating func beginNumbering() -> Bool {
    guard let mark = memory.mark, !opensEpoch else {
      transfer.numberingIsVerified = true
      return false
    }
    let assembly = assembled()
    if let known = assembly.numbers.last(where: { $0 <= mark }),
      let record = assembly.records.first(where: { $0.sequenceNumber == known })
    {
      lookUp(record)
      return true
    }
    // Everything was asked for, or a range in which there is nothing: no record speaks against the numbering, and asking
    // for everything once more would not bring one.
    let isWhole = transfer.isFull && !transfer.request.isEmpty
    if isWhole || (isRange && assembly.records.isEmpty) {
      transfer.numberingIsVerified = true
      return false
    }
    guard mayFollow else { return false }
    if assembly.records.isEmpty && !memory.unsupported.contains(.reportLast) {
      start(.last, RecordAccessRequest(.report, .last))
    } else if !assembly.records.isEmpty && !memory.unsupported.contains(.reportRange) {
      start(.mark, report(mark...mark))
    } else if !memory.unsupported.contains(.reportAtLeast) && !isRange {
      start(.fromMark, RecordAccessRequest(.report, .atLeast(UInt32(mark))))
    } else {
      // Only "all" is left to such a meter, and tells.
      transferAgain(.all)
      proceed()
    }
    return true
  }

  /// A range is asked for, and nothing outside of it but the record at the mark.
  private var isRange: Bool {
    if case .within = transfer.selection { return true }
    return false
  }

  private mutating func lookUp(_ record: CollectedRecord) {
    waiting = .lookUp(found: record)
    outbox.append(.lookUp(epoch: memory.epoch, sequenceNumber: record.sequenceNumber))
  }

  /// What is held under the number of a record the meter has at or below the mark.
  mutating func lookedUp(_ held: [CollectedRecord]) {
    guard case .lookUp(let found) = waiting else { return }
    waiting = .nothing
    let start = checkStart
    checkStart = nil
    if isAborting { return finish(.aborted) }
    let mark = memory.mark ?? 0
    if held.isEmpty {
      if let time = found.baseTime, let newest = memory.newestBaseTime, time > newest, found.sequenceNumber < mark {
        return numberingRestarted(found.sequenceNumber, checked: start)
      }
      if isRange {
        // It was left out before. The record at the mark tells, where it was not among those of the range.
        if found.sequenceNumber < mark, !transfer.markIsAsked, !transfer.covers(mark) {
          guard mayFollow else {
            followUpFailed()
            return finish(interruption?.outcome ?? .timedOut(.attributeResponse))
          }
          transfer.markIsAsked = true
          return self.start(.mark, report(mark...mark))
        }
      } else if !transfer.isFull {
        // Below the mark and never received: there may be more of them.
        transferAgain(.all)
        return proceed()
      }
    } else if held.contains(where: { $0.hasSameContent(as: found) }) {
      // Asked for only to be compared: it is held.
      if let start { dropChecked(from: start) { $0 > mark } }
    } else if !held.contains(where: { $0.baseTime == found.baseTime }), found.sequenceNumber < 0xFFFF || mark < 0xFFFF {
      return numberingRestarted(found.sequenceNumber, checked: start)
    }
    transfer.numberingIsVerified = true
    proceed()
  }

  /// Takes out what a check brought, but for the numbers that are wanted.
  private mutating func dropChecked(from start: Int, _ isWanted: (UInt16) -> Bool) {
    buffer.keep(from: start) { isWanted($0.sequenceNumber) }
    cachedAssembly = nil
  }

  /// The meter's numbers started anew: another epoch, and everything (GLS 3.1.1.2).
  private mutating func numberingRestarted(_ found: UInt16, checked: Int? = nil) {
    notice(.numberingRestarted(mark: memory.mark ?? 0, found: found))
    memory.epoch &+= 1
    memory.mark = nil
    memory.newestBaseTime = nil
    memory.heldRecords = 0
    opensEpoch = true
    if isRange {
      // What else the new numbering has is not asked for now, and its mark stays open.
      if let checked { dropChecked(from: checked) { _ in false } }
      transfer.numberingIsVerified = true
    } else if transfer.isFull {
      transfer.numberingIsVerified = true
    } else {
      transferAgain(.all)
    }
    proceed()
  }

  /// Throws away what came and asks anew.
  private mutating func transferAgain(_ selection: RecordSelection) {
    let before = transfer
    transfer = TransferState(selection: selection)
    transfer.hasFallenBack = before.hasFallenBack
    transfer.isAskedAgain = true
    transfer.isRepeated = before.isRepeated
    buffer.removeAll()
    cachedAssembly = nil
    checkStart = nil
  }

  /// A check has its answer.
  mutating func checked(_ done: RunningProcedure, _ content: RecordAccessResponse.Content) {
    guard case .outcome(_, let value) = content else { return }
    let isUnsupported = value.meansUnsupported
    switch done.purpose {
    case .gap:
      if isUnsupported {
        remember(unsupported: .reportRange, after: value)
        transfer.gaps = []
      }
      proceed()
    case .again:
      if isUnsupported {
        remember(unsupported: .reportRange, after: value)
        transfer.again = []
      }
      proceed()
    case .mark, .last, .fromMark:
      guard !isUnsupported else {
        remember(unsupported: done.purpose.unsupported, after: value)
        return proceed()
      }
      checkStart = done.bufferStart
      numberingChecked(done)
    default: break
    }
  }

  private mutating func numberingChecked(_ done: RunningProcedure) {
    let mark = memory.mark ?? 0
    let fresh = buffer.entries[done.bufferStart...].filter { !$0.isContext }
    if let known = fresh.last(where: { $0.sequenceNumber <= mark }) { return lookUp(buffer.record(known)) }
    switch done.purpose {
    case .last where !fresh.isEmpty:
      // There is a record above the mark after all: taken in the meantime, or the filter does not work.
      guard transfer.isRepeated else {
        let selection = transfer.selection
        transferAgain(selection)
        transfer.isRepeated = true
        return proceed()
      }
      notice(.filterIgnored(asked: transfer.selection.description, got: fresh.last?.sequenceNumber ?? 0))
      transferAgain(.all)
      return proceed()
    case .fromMark where fresh.isEmpty:
      // Neither the record at the mark nor a later one: emptied, or numbered anew below it. Everything tells.
      transferAgain(.all)
      return proceed()
    default:
      // The record at the mark was deleted, or the meter is empty: nothing speaks against the numbering.
      transfer.numberingIsVerified = true
      proceed()
    }
  }

  /// Asks once more for records that came cut or without their context, and for those of contexts that came alone
  /// (GLP 4.7.4.1).
  private mutating func beginAgain() -> Bool {
    if !transfer.againIsPlanned {
      transfer.againIsPlanned = true
      guard !memory.unsupported.contains(.reportRange) else { return false }
      let assembly = assembled()
      let asksContexts = attributes?.context != nil
      var wanted: [UInt16] = []
      func want(_ number: UInt16) {
        if !wanted.contains(number) && wanted.count < Self.againLimit { wanted.append(number) }
      }
      for record in assembly.records where record.isShort || (asksContexts && record.contextIsMissing) {
        want(record.sequenceNumber)
      }
      if asksContexts { for orphan in assembly.orphans { want(orphan.sequenceNumber) } }
      transfer.again = wanted
    }
    guard !transfer.again.isEmpty else { return false }
    let number = transfer.again.removeFirst()
    start(.again(number), report(number...number))
    return true
  }
}

extension RunningProcedure.Purpose {
  /// What a refusal of a numbering check shows to be unsupported.
  fileprivate var unsupported: UnsupportedRequests {
    switch self {
    case .mark: .reportRange
    case .last: .reportLast
    default: .reportAtLeast
    }
  }
}
