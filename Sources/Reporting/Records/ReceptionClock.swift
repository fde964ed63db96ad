/// Writes times of reception; date, hour and minute are made once a minute.
struct ReceptionClock {
  private var text: TimeText
  private var minute = Int64.max
  /// `2026-01-` and `05T07:31`, and the zone: its sign and `00:00`.
  private var date: UInt64 = 0
  private var hour: UInt64 = 0
  private var sign: UInt64 = 0
  private var zone: UInt64 = 0
  /// A year that has not four digits.
  private var isFarAway = false

  init(_ zone: TimeText.Zone) { text = TimeText(zone) }

  @inline(__always) mutating func move(to time: Int64) {
    if time >= minute && time &- minute < 60_000_000 { return }
    change(time)
  }

  @inline(never) private mutating func change(_ time: Int64) {
    let whole = Array(text.timestamp(time).utf8)
    isFarAway = whole.count != 29
    if !isFarAway {
      date = Self.word(whole[0..<8])
      hour = Self.word(whole[8..<16])
      sign = UInt64(whole[23])
      zone = Self.word(whole[24..<29])
    }
    var sinceMinute = time % 60_000_000
    if sinceMinute < 0 { sinceMinute += 60_000_000 }
    minute = time < Int64.min + 60_000_000 ? time : time - sinceMinute
  }

  /// Up to eight octets, the first the lowest.
  private static func word(_ octets: ArraySlice<UInt8>) -> UInt64 {
    octets.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// `2026-01-05T07:31:02.118+00:00` of the time last moved to.
  @inline(__always) func write(_ time: Int64, to row: inout RowWriter) {
    guard !isFarAway else { return writeFarAway(time, to: &row) }
    let milliseconds = UInt32(truncatingIfNeeded: (time &- minute) / 1_000)
    let fraction = milliseconds % 1_000
    let seconds =
      0x3A | RowWriter.pair(milliseconds / 1_000) &<< 8 | 0x2E &<< 24 | UInt64(0x30 &+ fraction / 100) &<< 32
      | RowWriter.pair(fraction % 100) &<< 40 | sign &<< 56
    row.put(date.littleEndian, length: 8)
    row.put(hour.littleEndian, length: 8)
    row.put(seconds.littleEndian, length: 8)
    row.put(zone.littleEndian, length: 5)
  }

  @inline(never) private func writeFarAway(_ time: Int64, to row: inout RowWriter) {
    var text = text
    row.put(text: text.timestamp(time))
  }
}
