import BluetoothWire
import HealthProfiles

/// A glucose meter as a value: ATT PDUs go in, ATT PDUs come out at their time by a simulated clock in nanoseconds.
///
/// It has the Generic Attribute, Glucose, Current Time and Device Information services, and its faults are switched one
/// by one. Pairing and encryption are the caller's, who sets `isEncrypted`.
public struct ScriptedMeter: Sendable {
  public var records: [MeterRecord] = []
  public var faults = MeterFaults()
  public var isEncrypted = false
  public var isAuthenticated = false
  /// Subscriptions outlive the link.
  public var isBonded = false
  /// The number of the next record.
  public var nextNumber: UInt16 = 1
  /// The base time of the next record, seconds since 1970.
  public var clock: Int64 = 1_767_598_200
  /// The Time Offset of the next record, minutes.
  public var offset: Int16 = 60
  /// The requests written to the control point, in order.
  public private(set) var requests: [[UInt8]] = []

  /// How many procedures were begun on this link.
  var begun = 0

  struct Outgoing: Sendable {
    var time: UInt64
    var pdu: [UInt8]
  }

  var queue: [Outgoing] = []
  var subscriptions: Set<UInt16> = []
  var mtu = 23
  /// The running procedure ends then.
  var busyUntil: UInt64 = 0
  var announced = false

  /// Where the values stand that records and requests go through.
  public struct Handles: Sendable {
    public var measurement: UInt16
    public var context: UInt16
    public var recordAccess: UInt16
  }

  /// Those of a meter without faults.
  public static var handles: Handles {
    let places = ScriptedMeter().table.places
    return Handles(measurement: places.measurement, context: places.context, recordAccess: places.recordAccess)
  }

  public init(records count: Int = 0) { add(count) }

  /// Takes so many measurements, 4 h 37 min apart; every third has a context.
  public mutating func add(_ count: Int) {
    for _ in 0..<count {
      guard let time = DateTime(secondsSince1970: clock) else { return }
      let number = nextNumber
      records.append(
        MeterRecord(
          number: number,
          baseTime: time,
          offset: offset,
          concentration: 70 + UInt16(truncatingIfNeeded: clock / 60 % 200),
          meal: number % 3 == 0 ? UInt8(number % 5) + 1 : nil
        )
      )
      clock += 16_620
      nextNumber &+= 1
    }
  }

  /// A new link.
  public mutating func connect(at now: UInt64) {
    queue.removeAll()
    mtu = 23
    busyUntil = 0
    isEncrypted = false
    isAuthenticated = false
    announced = false
    begun = 0
    if !isBonded { subscriptions.removeAll() }
    for request in faults.ownRequests { send(request, at: now) }
  }

  /// When the next PDU is due; nil: none is.
  public var nextDue: UInt64? { queue.first?.time }

  /// Takes the PDUs that are due, in order; an empty one is the end of the link.
  public mutating func due(at now: UInt64) -> [[UInt8]] {
    let end = queue.firstIndex { $0.time > now } ?? queue.count
    defer { queue.removeFirst(end) }
    return queue[..<end].map(\.pdu)
  }

  /// Queues a PDU behind what is queued for an earlier or the same time.
  mutating func send(_ pdu: [UInt8], at time: UInt64) {
    let index = queue.firstIndex { $0.time > time } ?? queue.count
    queue.insert(Outgoing(time: time, pdu: pdu), at: index)
  }

  mutating func log(_ request: [UInt8]) { requests.append(request) }

  /// Takes one PDU of the collector.
  public mutating func receive(_ pdu: [UInt8], at now: UInt64) {
    guard let octet = pdu.first else { return }
    let at = now + 1_000_000
    switch ATTOpcode(rawValue: octet) {
    case .exchangeMTURequest where pdu.count == 3:
      mtu = max(23, min(247, Int(Self.word(pdu, 1))))
      send(AttributeEncoding.exchangeMTUResponse(247), at: at)
    case .readByGroupTypeRequest where pdu.count == 7: send(groups(pdu), at: at)
    case .readByTypeRequest where pdu.count == 7: send(byType(pdu), at: at)
    case .findInformationRequest where pdu.count == 5: send(information(pdu), at: at)
    case .readRequest where pdu.count == 3: send(read(pdu), at: at)
    case .readBlobRequest where pdu.count == 5: send(read(pdu), at: at)
    case .writeRequest where pdu.count >= 3: write(pdu, at: at)
    case .confirmation: break
    default:
      if ATTOpcode(rawValue: octet).role == .request {
        send(AttributeEncoding.errorResponse(to: octet, handle: 0, error: 0x06), at: at)
      }
    }
  }

  static func word(_ octets: [UInt8], _ index: Int) -> UInt16 { UInt16(octets[index]) | UInt16(octets[index + 1]) << 8 }
}
