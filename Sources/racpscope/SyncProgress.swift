import BluetoothWire
import LinuxBluetooth
import RecordCollector
import Reporting

/// Tells on stderr how a sync goes, and keeps its notices.
struct SyncProgress: SyncObserver {
  private(set) var notices: [CollectorNotice] = []
  private let terminal = Terminal.behind(descriptor: 2)
  private let meter: DeviceAddress
  private var step: CollectorProgress.Step?
  private var stepBegan: UInt64 = 0
  private var lastShown: UInt64 = 0
  private var hasLine = false

  /// Notices of one kind that are shown one by one.
  private static let shownNotices = 3
  /// A line is written over at most so often, in nanoseconds.
  private static let interval: UInt64 = 200_000_000

  init(meter: DeviceAddress) { self.meter = meter }

  mutating func notice(_ notice: CollectorNotice) {
    notices.append(notice)
    let count = notices.count { $0.name == notice.name }
    if count <= Self.shownNotices { say(notice.sentence) }
  }

  /// Says how many notices were not shown.
  mutating func sayRest() {
    var counts: [String: Int] = [:]
    for notice in notices { counts[notice.name, default: 0] += 1 }
    let rest = counts.values.reduce(0) { $0 + max(0, $1 - Self.shownNotices) }
    if rest > 0 { say("\(countText(rest, "more such notice")); --format json has them all.") }
  }

  mutating func trouble(_ phrase: String) { say(phrase) }

  mutating func progress(_ progress: CollectorProgress) {
    let now = MonotonicClock.now()
    let isNew = progress.step != step
    if isNew {
      step = progress.step
      stepBegan = now
    }
    guard terminal.isTerminal, isNew || now - lastShown >= Self.interval else { return }
    lastShown = now
    hasLine = true
    var output = OutputBuffer(descriptor: 2)
    output.append("\r\u{1B}[K\(Self.words(progress.step))")
    if progress.step == .transferring {
      output.append(": \(progress.records)")
      if let total = progress.total { output.append(" of \(total)") }
      let elapsed = Double(now - stepBegan) / 1_000_000_000
      if elapsed > 0.5 { output.append(", \(Int(Double(progress.records) / elapsed)) a second") }
    }
    output.append(" …")
    output.flush()
  }

  /// Shows what is waited for, on a terminal only.
  mutating func wait(for what: String) {
    guard terminal.isTerminal else { return }
    clear()
    hasLine = true
    step = nil
    var output = OutputBuffer(descriptor: 2)
    output.append("\(what) …")
    output.flush()
  }

  /// Writes a line for the user.
  mutating func say(_ sentence: String) {
    clear()
    Complaint.write(sentence: sentence)
  }

  /// Takes the line of progress away.
  mutating func clear() {
    guard hasLine else { return }
    hasLine = false
    var output = OutputBuffer(descriptor: 2)
    output.append("\r\u{1B}[K")
    output.flush()
  }

  func deletionQuestion(_ ranges: [ClosedRange<UInt16>], records: Int) -> String {
    let list = ranges.prefix(6).map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)" }
    let more = ranges.count > 6 ? " and more" : ""
    return
      "\r\u{1B}[KDelete \(countText(records, "record")) (\(list.joined(separator: ", "))\(more)) from the "
      + "meter \(meter)? They are in the store. Type delete to do it: "
  }

  private static func words(_ step: CollectorProgress.Step) -> String {
    switch step {
    case .discovering: "looking for the meter's services"
    case .securing: "pairing or encrypting"
    case .reading: "reading who the meter is"
    case .subscribing: "subscribing"
    case .counting: "counting"
    case .transferring: "records"
    case .checking: "checking"
    case .committing: "storing"
    case .deleting: "deleting from the meter"
    case .aborting: "stopping"
    }
  }
}
