/// A Service Changed indication of a server: from where on its handles are no longer what was known of them
/// (Core Vol 3 Part G 7.1).
public struct TableChange: Sendable, Equatable {
  /// Index of the indication.
  public var place: UInt32
  public var server: Side
  /// The handles it names.
  public var handles: ClosedRange<UInt16>
  /// Index of the response with which the handles were discovered anew, or with which the table turned out to be the
  /// same; the highest number where none is.
  public var end = UInt32.max

  /// True where a handle is not known at a place because of it.
  func covers(_ handle: UInt16, at index: UInt32) -> Bool {
    index > place && index < end && handles.contains(handle)
  }
}
