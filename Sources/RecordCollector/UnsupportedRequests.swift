/// Requests a meter has refused as unsupported, remembered so that they are not tried on every run (GLS 3.4.2).
public struct UnsupportedRequests: OptionSet, Hashable, Sendable {
  public let rawValue: UInt16

  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Report records greater than or equal to a sequence number.
  public static let reportAtLeast = UnsupportedRequests(rawValue: 1 << 0)
  /// Report records within a range of sequence numbers.
  public static let reportRange = UnsupportedRequests(rawValue: 1 << 1)
  /// Report the last record.
  public static let reportLast = UnsupportedRequests(rawValue: 1 << 2)
  /// Report the number of stored records.
  public static let count = UnsupportedRequests(rawValue: 1 << 3)
  /// Delete records within a range of sequence numbers.
  public static let deleteRange = UnsupportedRequests(rawValue: 1 << 4)
}
