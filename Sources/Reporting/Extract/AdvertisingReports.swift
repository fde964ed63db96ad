import BluetoothWire

/// The reports in an LE Advertising Report or LE Extended Advertising Report event (Core Vol 4 Part E 7.7.65.2, 7.7.65.13).
struct AdvertisingReports {
  /// One report; offsets count from the event's code octet.
  struct Report {
    /// First octet, and how many it has.
    var start: Int
    var count: Int
    var addressStart: Int
    var address: DeviceAddress
    var dataStart: Int
    var dataCount: Int
    /// Where the address of the device the advertising is directed to stands; nil for a legacy report.
    var directStart: Int?
  }

  var reports: [Report] = []

  /// Empty for other events, and for several legacy reports in one event, whose fields controllers do not agree on.
  init(_ event: RawSpan) {
    guard event.byteCount >= 4, event.u8(at: 0) == 0x3E else { return }
    switch event.u8(at: 2) {
    case 0x02: legacy(event)
    case 0x0D: extended(event)
    default: return
    }
  }

  private mutating func legacy(_ event: RawSpan) {
    guard event.u8(at: 3) == 1, event.byteCount >= 13 else { return }
    let count = Int(event.u8(at: 12))
    guard 13 + count <= event.byteCount else { return }
    reports.append(
      Report(
        start: 4,
        count: event.byteCount - 4,
        addressStart: 6,
        address: DeviceAddress(event, at: 6, isRandom: event.u8(at: 5) & 1 == 1),
        dataStart: 13,
        dataCount: count,
        directStart: nil
      )
    )
  }

  private mutating func extended(_ event: RawSpan) {
    var at = 4
    for _ in 0..<Int(event.u8(at: 3)) where at + 24 <= event.byteCount {
      let count = Int(event.u8(at: at + 23))
      guard at + 24 + count <= event.byteCount else { return }
      reports.append(
        Report(
          start: at,
          count: 24 + count,
          addressStart: at + 3,
          address: DeviceAddress(event, at: at + 3, isRandom: event.u8(at: at + 2) & 1 == 1),
          dataStart: at + 24,
          dataCount: count,
          directStart: at + 17
        )
      )
      at += 24 + count
    }
  }

  /// True where a report's data holds a complete local name; false for a shortened one, nil without a name.
  static func hasCompleteName(_ event: RawSpan, _ report: Report) -> Bool? {
    let data = event.extracting(report.dataStart..<(report.dataStart + report.dataCount))
    var structures = AdvertisingStructures()
    while let (type, _) = structures.next(in: data) {
      if type == 0x09 { return true }
      if type == 0x08 { return false }
    }
    return nil
  }
}
