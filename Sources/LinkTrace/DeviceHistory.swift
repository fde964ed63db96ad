public import BluetoothWire
import HealthProfiles

/// One device over the links of a capture, and over captures that were joined: what rules that look beyond one link need.
///
/// It is built link by link; a link's own history can be let go afterwards. Memory grows by about half a kilobyte a link
/// and by 16 octets a distinct record.
public struct DeviceHistory: Sendable {
  public let key: Key
  /// In the order of their beginnings.
  public private(set) var links: [DeviceLink] = []
  public private(set) var records = DeviceRecords()
  /// The names of the run's files by their ordinals; empty where there is one.
  public private(set) var fileNames: [String] = []
  /// Links beyond those kept.
  public private(set) var droppedLinks = 0

  private static let linkLimit = 50_000

  /// What makes two links those of one device.
  public struct Key: Hashable, Sendable {
    /// Its identity address; nil where the capture does not show it.
    public var address: DeviceAddress?
    /// True where the captured host itself is the device.
    public var isLocal: Bool
    /// Tells apart links whose device has no known address.
    public var link: UInt32

    /// A device of which nothing is known.
    public init() {
      isLocal = false
      link = 0
    }

    public init(_ history: borrowing LinkHistory) {
      isLocal = history.presumedDevice == .local
      address = isLocal ? history.localAddress : history.peerIdentity
      link = address == nil && !isLocal ? history.number : 0
    }

    /// True where links of other captures can be told to be those of the same device.
    public var isIdentity: Bool {
      switch address?.kind {
      case .public, .randomStatic: true
      default: false
      }
    }
  }

  public init(_ key: Key) { self.key = key }

  /// Takes over what a link of the device shows.
  ///
  /// - Parameter withRecords: false to leave the records out, which is all that costs time for each of them.
  public mutating func take(_ history: borrowing LinkHistory, withRecords: Bool = true) {
    guard links.count < Self.linkLimit else {
      droppedLinks += 1
      return
    }
    var link = DeviceLink(history)
    if withRecords { collect(history, &link) }
    links.append(link)
  }

  /// Lets the records go that it has: it is as if they had been left out from the first link on.
  public mutating func forgetRecords() { records = DeviceRecords() }

  /// The number of the link in the run of its file.
  public func link(_ number: UInt32, file: UInt16) -> Int? {
    links.firstIndex { $0.number == number && $0.file == file }
  }

  private mutating func collect(_ history: borrowing LinkHistory, _ link: inout DeviceLink) {
    let isMeasured = { (traffic: HandleTraffic) in
      traffic.role == .glucoseMeasurement && (traffic.notifications > 0 || traffic.indications > 0)
    }
    // Nearly always there is one such handle; of several each PDU is asked.
    guard let first = history.handles.firstIndex(where: isMeasured) else { return }
    let isOnlyOne = !history.handles[(first + 1)...].contains(where: isMeasured)
    let place = UInt32(links.count)
    let hasOverlaps = history.procedures.contains { $0.overlaps != nil }
    var spans = ProcedureSpans()
    if hasOverlaps { spans.fill(history) }
    var offset: Int16?
    var next: UInt16?
    let pdus = history.pdus.span
    let arena = history.arena.bytes
    for index in 0..<pdus.count {
      let slot = Int(pdus[index].attribute)
      if isOnlyOne ? slot != first : slot == Int(UInt16.max) || !isMeasured(history.handles[slot]) { continue }
      let pdu = pdus[index]
      guard pdu.isDelivery, pdu.valueCount >= 10, !pdu.isClipped else { continue }
      let value = arena.extracting(Int(pdu.valueStart)..<(Int(pdu.valueStart) + Int(pdu.valueCount)))
      // Of two reports that run mixed each leaves out the offset that it sent last, and nothing tells which is which.
      if hasOverlaps, value.u8(at: 0) & 0x01 == 0, spans.place(index).company != 0 { offset = nil }
      // Nor does anything tell what a record that is not there had: its offset would hold for those after it.
      if let expected = next, expected != value.u16(at: 1) { offset = nil }
      next = value.u16(at: 1) &+ 1
      guard let record = DeviceRecord(value, frame: pdu.frame, link: place, offset: &offset) else { continue }
      let flags = value.u8(at: 0)
      if flags & 0x08 != 0 {
        // Behind the offset and the concentration, as far as they are there.
        let at = GlucoseMeasurement.expectedLength(flags: flags & 0x03)
        link.annunciations &+= 1
        if link.annunciationFrame == 0 { link.annunciationFrame = pdu.frame }
        if value.byteCount >= at + 2 { link.announce(value.u16(at: at), frame: pdu.frame) }
      }
      records.insert(record)
    }
  }

  /// A device of several captures: parts in any order, each with the ordinal of its file.
  ///
  /// A part whose links run at the same time as those of another one shows the same traffic once more and is left for a
  /// history of its own: the result has one history for each set of parts that can follow each other.
  public static func joined(
    _ parts: [(file: UInt16, history: DeviceHistory)],
    names: [String] = []
  ) -> [DeviceHistory] {
    let ordered = parts.sorted { ($0.history.start, $0.file) < ($1.history.start, $1.file) }
    var groups: [[(file: UInt16, history: DeviceHistory)]] = []
    for part in ordered {
      let home = groups.firstIndex { group in group.allSatisfy { !runsBeside($0.history, part.history) } }
      if let home { groups[home].append(part) } else { groups.append([part]) }
    }
    return groups.compactMap { DeviceHistory(joining: $0, names) }
  }

  /// When its first link began, in microseconds since 1970 UTC.
  private var start: Int64 { links.first?.firstTime ?? 0 }

  private static func runsBeside(_ left: DeviceHistory, _ right: DeviceHistory) -> Bool {
    var later = right.links[...]
    for link in left.links {
      while let first = later.first, first.endTime < link.firstTime { later = later.dropFirst() }
      if let first = later.first, first.firstTime <= link.endTime { return true }
    }
    return false
  }

  private init?(joining parts: [(file: UInt16, history: DeviceHistory)], _ names: [String]) {
    guard let first = parts.first else { return nil }
    fileNames = names
    key = first.history.key
    droppedLinks = parts.reduce(0) { $0 + $1.history.droppedLinks }
    var all: [(part: Int, place: Int, link: DeviceLink)] = []
    for (part, entry) in parts.enumerated() {
      for (place, var link) in entry.history.links.enumerated() {
        link.file = entry.file
        all.append((part, place, link))
      }
    }
    // A single capture keeps its own order, whatever its clock does.
    if parts.count > 1 { all.sort { ($0.link.firstTime, $0.part, $0.place) < ($1.link.firstTime, $1.part, $1.place) } }
    links = all.map(\.link)
    if parts.count == 1 {
      records = first.history.records
      return
    }
    var position = parts.map { [UInt32](repeating: 0, count: $0.history.links.count) }
    for (new, entry) in all.enumerated() { position[entry.part][entry.place] = UInt32(new) }
    var versions: [DeviceRecord] = []
    for (part, entry) in parts.enumerated() {
      for var record in entry.history.records.versions {
        record.link = position[part][Int(record.link)]
        versions.append(record)
      }
    }
    versions.sort { ($0.link, $0.frame) < ($1.link, $1.frame) }
    for record in versions { records.insert(record) }
  }
}
