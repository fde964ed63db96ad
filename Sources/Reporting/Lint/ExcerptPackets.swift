import BluetoothWire
import LinkTrace
import ProtocolLint

/// The packets of a link, to take excerpts from.
struct ExcerptPackets {
  private let text: AttributeText
  private let sensor: Side?

  /// Packets before and after the anchor, and packets of the finding's other frames.
  private static let before = 3
  private static let after = 2
  private static let others = 3

  /// One packet, with how many PDUs of the link come before it.
  private struct Entry {
    var ordinal: Int
    var frame: UInt32
    var time: Int64
    var who: String
    var text: String
  }

  init(_ history: borrowing LinkHistory) {
    text = AttributeText(names: PacketNames(history))
    sensor = history.sensor
  }

  /// What stands around the anchor, and the first packets of the other frames the finding names.
  func excerpt(around finding: Finding, _ history: borrowing LinkHistory) -> LintExcerpt {
    guard let anchor = finding.frames.first else { return LintExcerpt() }
    var entries = near(anchor, history)
    for frame in finding.frames.dropFirst().prefix(Self.others) where !entries.contains(where: { $0.frame == frame }) {
      if let entry = first(of: frame, history) { entries.append(entry) }
    }
    entries.sort { $0.frame == $1.frame ? $0.ordinal < $1.ordinal : $0.frame < $1.frame }
    var excerpt = LintExcerpt()
    var last: Int?
    for entry in entries {
      excerpt.lines.append(
        LintExcerpt.Line(
          frame: entry.frame,
          time: entry.time,
          who: entry.who,
          text: TextColumns.cut(entry.text, to: LintExcerpt.widest),
          isMarked: entry.frame == anchor,
          followsGap: last.map { entry.ordinal > $0 + 1 } ?? false
        )
      )
      last = entry.ordinal
    }
    return excerpt
  }

  private func near(_ anchor: UInt32, _ history: borrowing LinkHistory) -> [Entry] {
    let place = Self.place(of: anchor, history)
    let low = max(0, place - Self.before)
    let high = min(history.pdus.count, place + Self.before + Self.after + 1)
    var entries: [Entry] = []
    for index in low..<high { entries.append(entry(index, history)) }
    let first = entries.first.map { min($0.frame, anchor) } ?? 0
    let last = entries.last.map { max($0.frame, anchor) } ?? .max
    entries += happenings(history).filter { $0.frame >= first && $0.frame <= last || $0.frame == anchor }
    entries.sort { $0.frame == $1.frame ? $0.ordinal < $1.ordinal : $0.frame < $1.frame }
    let earlier = entries.filter { $0.frame < anchor }.suffix(Self.before)
    let later = entries.filter { $0.frame > anchor }.prefix(Self.after)
    return Array(earlier) + entries.filter { $0.frame == anchor }.prefix(Self.before) + later
  }

  private func first(of frame: UInt32, _ history: borrowing LinkHistory) -> Entry? {
    let place = Self.place(of: frame, history)
    if place < history.pdus.count && history.pdus[place].frame == frame { return entry(place, history) }
    return happenings(history).first { $0.frame == frame }
  }

  /// The first PDU of a frame or of a later one.
  private static func place(of frame: UInt32, _ history: borrowing LinkHistory) -> Int {
    history.pdus.endOfPrefix { $0.frame < frame }
  }

  private func entry(_ index: Int, _ history: borrowing LinkHistory) -> Entry {
    let pdu = history.pdus[index]
    return Entry(
      ordinal: index,
      frame: pdu.frame,
      time: pdu.time,
      who: who(isReceived: pdu.isReceived),
      text: text.line(pdu, history)
    )
  }

  private func who(isReceived: Bool) -> String {
    guard let sensor else { return isReceived ? "received" : "sent" }
    return (isReceived ? Side.remote : .local) == sensor ? "sensor" : "collector"
  }

  /// The link's start, its end, and the events that have words.
  private func happenings(_ history: borrowing LinkHistory) -> [Entry] {
    var entries: [Entry] = []
    func add(_ frame: UInt32, _ time: Int64, _ who: String, _ text: String) {
      entries.append(
        Entry(ordinal: Self.place(of: frame, history), frame: frame, time: time, who: who, text: text)
      )
    }
    if let start = history.start { add(start.frame, start.time, "link", "connected to \(start.peer)") }
    for event in history.events {
      guard let text = LinkEventText.line(event) else { continue }
      add(event.frame, event.time, text.isOfHost ? who(isReceived: event.isReceived) : "link", text.line)
    }
    if history.end.cause == .disconnected {
      add(history.end.frame, history.end.time, "link", "disconnected: \(history.end.reason.name)")
    }
    return entries
  }
}
