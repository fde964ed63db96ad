import BluetoothWire
import CaptureFiles
import HealthProfiles
import LinkTrace
import Scenarios

/// A tracker with one link that is up, encrypted, discovered and subscribed, to which frames are added.
struct TrackedLink {
  /// The connection handle of the link.
  static let handle = Rendering().handle
  /// Made once; a copy costs less than following the frames again for every input.
  private static let opened = open()

  private var tracker: LinkTracker
  private var frame: CapturedFrame
  private var report = EveryReport()

  init() { (tracker, frame) = Self.opened }

  private static func open() -> (LinkTracker, CapturedFrame) {
    var tracker = LinkTracker()
    var frame = CapturedFrame(
      number: 0,
      kind: .other,
      adapter: 0,
      time: 0,
      offset: 0,
      length: 0,
      originalLength: 0
    )
    for opening in Scenario("opening", [.adapterAppears, .firstArrival]).frames() {
      follow(opening.kind, opening.octets, at: opening.time, &frame, &tracker)
    }
    return (tracker, frame)
  }

  /// True where a link ended.
  @discardableResult
  private static func follow(
    _ kind: FrameKind,
    _ octets: [UInt8],
    at time: Int64,
    _ frame: inout CapturedFrame,
    _ tracker: inout LinkTracker
  ) -> Bool {
    frame.number &+= 1
    frame.kind = kind
    frame.time = time
    frame.length = octets.count
    frame.originalLength = octets.count
    return unsafe tracker.follow(frame, octets.span.bytes)
  }

  mutating func add(_ kind: FrameKind, _ octets: [UInt8]) {
    guard Self.follow(kind, octets, at: frame.time &+ 7500, &frame, &tracker) else { return }
    while let history = tracker.takeEnded() {
      report.take(history, from: tracker)
      tracker.recycle(history)
    }
  }

  /// An attribute PDU in one ACL packet.
  mutating func add(attribute octets: [UInt8], isSent: Bool) {
    let unit = LogicalLinkEncoding.frame(channel: LogicalLinkEncoding.attributeChannel, octets)
    let boundary: HCIEncoding.PacketBoundary = isSent ? .firstFromHost : .firstFromController
    add(isSent ? .aclSent : .aclReceived, HCIEncoding.acl(handle: Self.handle, boundary: boundary, unit))
  }

  /// Ends the capture; how many octets the reports have.
  mutating func conclude() -> Int {
    _ = tracker.openLinks().count
    tracker.finish(into: &report)
    return report.conclude(nil, tracker.totals) &+ Int(tracker.totals.frames)
  }
}
