/// Writes times of reception; date, hour and minute are made once a minute.
struct ReceptionClock {
  private var text: TimeText
  private var minute = Int64.max
  /// `2026-01-05T07:31:`.
  private var start: [UInt8] = []
  /// `+00:00`.
  private var zone: [UInt8] = []

  init(_ zone: TimeText.Zone) { text = TimeText(zone) }

  @inline(__always) mutating func move(to time: Int64) {
    if time >= minute && time &- minute < 60_000_000 { return }
    change(time)
  }

  @inline(never) private mutating func change(_ time: Int64) {
    let whole = Array(text.timestamp(time).utf8)
    // `31.118+00:00` follows the minute.
    let split = max(0, whole.count - 12)
    start = Array(whole[..<split])
    zone = Array(whole[max(split, whole.count - 6)...])
    var sinceMinute = time % 60_000_000
    if sinceMinute < 0 { sinceMinute += 60_000_000 }
    minute = time < Int64.min + 60_000_000 ? time : time - sinceMinute
  }

  /// `2026-01-05T07:31:02.118+00:00` of the time last moved to.
  @inline(__always) func write(_ time: Int64, to row: inout RowWriter) {
    let milliseconds = UInt32(truncatingIfNeeded: (time &- minute) / 1_000)
    row.put(start)
    row.two(UInt8(truncatingIfNeeded: milliseconds / 1_000))
    row.put(0x2E)
    let fraction = milliseconds % 1_000
    row.put(0x30 &+ UInt8(truncatingIfNeeded: fraction / 100))
    row.two(UInt8(truncatingIfNeeded: fraction % 100))
    row.put(zone)
  }
}
