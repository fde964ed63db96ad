public import BluetoothWire

/// What there is instead of what was asked for, as a phrase without a full stop; nothing in it is escaped.
public enum Listing {
  /// So many are listed one by one.
  private static let shown = 12

  /// `there is a`, `there are a, b and 3 more`; a title that stands twice is listed once.
  ///
  /// - Parameter none: the phrase where there is none.
  public static func there(_ titles: [String], none: String = "there is none") -> String {
    var different: [String] = []
    for title in titles where !different.contains(title) { different.append(title) }
    switch different.count {
    case 0: return none
    case 1: return "there is " + different[0]
    default: return "there are " + joined(different)
    }
  }

  /// A device as a title: `F0:0D:CA:FE:00:01 (GM-1)`.
  public static func device(_ address: DeviceAddress?, _ name: [UInt8]?) -> String {
    let address = address?.description ?? "one of unknown address"
    return name.map { address + " (" + String(decoding: $0, as: UTF8.self) + ")" } ?? address
  }

  /// The numbers of a capture's links, in order: `its only link is 3`, `its links are 1 to 5`, `its links are 2, 4`.
  public static func links(_ numbers: [UInt32]) -> String {
    guard let first = numbers.first, let last = numbers.last else { return "it holds no Low Energy link" }
    if numbers.count == 1 { return "its only link is \(first)" }
    let isRow = UInt64(last) - UInt64(min(first, last)) + 1 == UInt64(numbers.count)
    return "its links are " + (isRow ? "\(first) to \(last)" : joined(numbers.map { String($0) }))
  }

  private static func joined(_ titles: [String]) -> String {
    let rest = titles.count > shown ? " and \(titles.count - shown) more" : ""
    return titles.prefix(shown).joined(separator: ", ") + rest
  }
}
