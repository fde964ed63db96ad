public import CaptureFiles

/// A frame a scenario gives: what a capture's record holds, with its octets.
public struct RenderedFrame: Hashable, Sendable {
  public var kind: FrameKind
  public var adapter: UInt16
  /// Microseconds since 1970.
  public var time: Int64
  /// The bare HCI packet, or what clipping left of it.
  public var octets: [UInt8]
  /// How many octets the packet had.
  public var originalLength: Int
  /// Packets lost so far, btsnoop's counter.
  public var drops: UInt32
  /// True for the telling frame of a `marked` step.
  public var isMarked = false

  public init(
    kind: FrameKind,
    adapter: UInt16 = 0,
    time: Int64,
    octets: [UInt8],
    originalLength: Int? = nil,
    drops: UInt32 = 0
  ) {
    self.kind = kind
    self.adapter = adapter
    self.time = time
    self.octets = octets
    self.originalLength = originalLength ?? octets.count
    self.drops = drops
  }
}
