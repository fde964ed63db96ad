import LinkTrace

/// Where the sensor's record characteristics stand among the handles of a link; -1 for one that is not there.
struct RecordSlots {
  private(set) var measurement: Int32 = -1
  private(set) var context: Int32 = -1
  private(set) var controlPoint: Int32 = -1

  init(_ history: borrowing LinkHistory) {
    guard let sensor = history.sensor else { return }
    for slot in history.handles.indices where history.handles[slot].server == sensor {
      switch history.handles[slot].role {
      case .glucoseMeasurement: if measurement < 0 { measurement = Int32(slot) }
      case .glucoseContext: if context < 0 { context = Int32(slot) }
      case .recordAccess: if controlPoint < 0 { controlPoint = Int32(slot) }
      default: continue
      }
    }
  }
}
