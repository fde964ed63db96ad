import HealthProfiles
import LinkTrace

/// When each collector of a device has asked for records to be deleted.
struct CollectorDeletes {
  private struct Delete {
    var time: Int64
    var collector: Int
    /// When another collector than this one asked last before it; nil where none did.
    var otherBefore: Int64?
  }

  /// In ascending order of their times.
  private var deletes: [Delete] = []

  init(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) {
    for series in subject.series {
      for step in series.steps where device.procedure(step).opCode == .delete {
        deletes.append(Delete(time: device.procedure(step).startTime, collector: series.collector))
      }
    }
    deletes.sort { $0.time < $1.time }
    for place in deletes.indices.dropFirst() {
      let before = deletes[place - 1]
      deletes[place].otherBefore =
        before.collector == deletes[place].collector ? before.otherBefore : before.time
    }
  }

  /// When another collector asked for the last time before a moment; nil where none did.
  func last(before time: Int64, otherThan collector: Int) -> Int64? {
    let next = deletes.endOfPrefix { $0.time < time }
    guard next > 0 else { return nil }
    let delete = deletes[next - 1]
    return delete.collector == collector ? delete.otherBefore : delete.time
  }
}
