public import CaptureFiles

/// From where a scenario is seen and what its capture has lost.
public struct Rendering: Sendable, Hashable {
  /// The file format, for `capture` and `write`.
  public var format: WritableFormat
  /// Whose host made the capture.
  public var side: Party
  /// Octets of data in an ACL packet; longer L2CAP PDUs are cut into fragments. Nil for whole PDUs.
  public var fragmentSize: Int?
  /// How the logger shortened ACL packets.
  public var clip: Clip?
  /// Frames cut off at the beginning, as a capture that starts late.
  public var cutFirst: Int = 0
  /// Frames kept after `cutFirst`, as a capture that stops early.
  public var keepFirst: Int?
  /// Frames the logger lost, numbered from 1 in the whole rendering; the drop counter tells.
  public var lost: Set<Int> = []
  /// The index of the adapter.
  public var adapter: UInt16 = 0
  /// The connection handle of the first link.
  public var handle: UInt16 = 0x0040
  /// True where the collector uses a cached attribute table.
  public var withoutDiscovery = false
  /// True where the controller reports every ACL packet the host sent.
  public var completesPackets = true

  public init(
    format: WritableFormat = .btsnoop(.monitor),
    side: Party = .collector,
    fragmentSize: Int? = nil,
    clip: Clip? = nil
  ) {
    self.format = format
    self.side = side
    self.fragmentSize = fragmentSize
    self.clip = clip
  }
}
