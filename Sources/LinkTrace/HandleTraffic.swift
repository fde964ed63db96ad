/// The traffic of one attribute handle of one server on a link, and what the handle is.
public struct HandleTraffic: Sendable {
  public var handle: UInt16
  /// The side whose server holds the handle.
  public var server: Side
  public var role: AttributeRole = .unknown
  public var provenance: Provenance = .unnamed
  /// PDUs that name the handle: requests, commands, notifications and indications.
  public var total: UInt32 = 0
  /// PDUs whose octets were let go to bound memory.
  public var dropped: UInt32 = 0
  /// First and last frame that names it.
  public var firstFrame: UInt32
  public var lastFrame: UInt32
  /// Values that came unrequested: notifications and indications.
  public var notifications: UInt32 = 0
  public var indications: UInt32 = 0
  public var writes: UInt32 = 0
  public var reads: UInt32 = 0
  /// Index of the last indication that was confirmed; 0 where none was.
  var lastConfirmed: UInt32 = 0
  /// Of the values that came: how many have exactly the shape of a glucose measurement, of a context.
  var measurementShapes: UInt32 = 0
  var contextShapes: UInt32 = 0
  /// Values kept while nothing named the handle.
  var kept: UInt32 = 0
  /// True for the traffic after a Service Changed indication that covers the handle: what is known of it holds no more.
  public internal(set) var isVoid = false

  /// Counts a value the server sent by itself; true where the role alone says that it is kept.
  @inline(__always)
  mutating func notify(_ frame: UInt32) -> Bool {
    lastFrame = frame
    notifications &+= 1
    total &+= 1
    return role.isKept
  }

  init(handle: UInt16, server: Side, frame: UInt32) {
    self.handle = handle
    self.server = server
    firstFrame = frame
    lastFrame = frame
  }
}
