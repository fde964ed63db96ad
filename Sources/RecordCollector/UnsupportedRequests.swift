/// What a meter has shown that it cannot do, remembered so that it is not tried on every run (GLS 3.4.2).
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
  /// A second procedure on a link: it hangs up, or says nothing any more, once the first one has been answered.
  ///
  /// Everything is then asked for in one procedure, and looked at without another one.
  public static let followUps = UnsupportedRequests(rawValue: 1 << 5)
  /// That happened on the latest link; it may have been the link's fault, and another one shows.
  public static let followUpsInDoubt = UnsupportedRequests(rawValue: 1 << 6)
}
