/// What the packets report writes, and how.
public struct PacketsOptions: Sendable {
  public var format = Format.text
  /// True to write the octets of each frame; key material is written as zeros.
  public var hasOctets = false
  /// Only frames of this link.
  public var link: UInt32?
  /// Only these frames.
  public var frames: ClosedRange<UInt32>?
  /// True to leave lines as long as they are; else they are cut at `columns`.
  public var isWide = false
  /// Columns of a line.
  public var columns = 160
  /// Zone of the times.
  public var zone = TimeText.Zone.local

  public init() {}

  /// The shape of the output.
  public enum Format: String, CaseIterable, Sendable { case text, jsonl }
}
