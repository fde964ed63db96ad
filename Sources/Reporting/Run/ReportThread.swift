import Dispatch
import LinkTrace
import Synchronization

/// Hands the ended links of a capture to a report on a thread of its own, in their order, while the next ones are read.
///
/// Few links wait at a time, so that memory stays that of reading. The first links of a capture, and very long ones, are
/// reported before reading goes on: a thread costs more than the former gain, and the latter are not to be kept twice.
struct ReportThread<Report: SeparateReport>: LinkConsumer {
  private let queue = DispatchQueue(label: "report")
  private let work: Work
  private var linkCount = 0

  /// Links that are reported at once.
  private static var firstLinks: Int { 8 }
  /// The most PDUs of a link that may wait.
  private static var longestWaiting: Int { 16_384 }
  /// Links that may wait or be worked on.
  private static var places: Int { 4 }

  init(_ report: Report) { work = Work(report, places: Self.places) }

  mutating func take(_ history: borrowing LinkHistory, from tracker: borrowing LinkTracker) {
    let name = DeviceIdentity.advertisedName(of: history, from: tracker)
    // Behind everything that waits.
    queue.sync {}
    work.report.take(history, advertisedName: name)
  }

  mutating func takeOver(_ history: consuming LinkHistory, from tracker: borrowing LinkTracker) -> LinkHistory {
    linkCount += 1
    guard linkCount > Self.firstLinks, history.pdus.count <= Self.longestWaiting else {
      take(history, from: tracker)
      return history
    }
    let parcel = work.freeParcel()
    parcel.name = DeviceIdentity.advertisedName(of: history, from: tracker)
    swap(&parcel.history, &history)
    queue.async { [work] in work.report(parcel) }
    return history
  }

  /// The report on every link that was taken.
  consuming func finish() -> Report {
    queue.sync {}
    return work.report
  }

  /// A link on its way to the report, and the storage of an earlier one on its way back.
  private final class Parcel: @unchecked Sendable {
    var history = LinkHistory()
    var name: [UInt8]?
  }

  /// What both threads share. The report is touched by the queue alone, or while the queue is known to be empty; a parcel
  /// by the one who holds it.
  private final class Work: @unchecked Sendable {
    var report: Report
    private let free: Mutex<[Parcel]>
    private let places: DispatchSemaphore

    init(_ report: Report, places: Int) {
      self.report = report
      free = Mutex((0..<places).map { _ in Parcel() })
      self.places = DispatchSemaphore(value: places)
    }

    /// Waits until there is one.
    func freeParcel() -> Parcel {
      places.wait()
      return free.withLock { $0.popLast() } ?? Parcel()
    }

    func report(_ parcel: Parcel) {
      report.take(parcel.history, advertisedName: parcel.name)
      free.withLock { $0.append(parcel) }
      places.signal()
    }
  }
}
