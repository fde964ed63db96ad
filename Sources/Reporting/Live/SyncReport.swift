public import BluetoothWire
public import RecordCollector

/// Writes what became of a sync.
public struct SyncReport: Sendable {
  private static let schema = "racpscope/sync/1"

  public var meter: DeviceAddress
  /// What the meter calls itself; nil where it is not known.
  public var name: String?
  public var run: SyncRun
  /// How many links were tried.
  public var attempts: Int
  /// Records stored over all links.
  public var stored: Int
  public var notices: [CollectorNotice]

  public init(
    meter: DeviceAddress,
    name: String?,
    run: SyncRun,
    attempts: Int,
    stored: Int,
    notices: [CollectorNotice]
  ) {
    self.meter = meter
    self.name = name
    self.run = run
    self.attempts = attempts
    self.stored = stored
    self.notices = notices
  }

  /// A line or two for a person.
  public func text(_ terminal: Terminal, to output: inout OutputBuffer) {
    let title = name.map { "\(TextEscaping.terminal($0)) (\(meter))" } ?? meter.description
    output.append(title, as: .heading, on: terminal)
    output.append(": ")
    let role: TextRole = run.outcome.isComplete ? .good : .bad
    output.append(TextEscaping.terminal(run.outcome.sentence), as: role, on: terminal)
    output.newline()
    var facts: [String] = []
    if run.received > 0 {
      facts.append("\(run.received) received" + (run.contexts > 0 ? " with \(run.contexts) contexts" : ""))
    }
    if run.alreadyHeld > 0 { facts.append("\(run.alreadyHeld) held before") }
    if let count = run.count { facts.append("the meter counts \(count)") }
    if let mark = run.mark { facts.append("highest number \(mark)") }
    if run.deleted > 0 { facts.append("\(run.deleted) deleted from the meter") }
    facts.append(TimeText.duration(Int64(clamping: run.duration / 1000)))
    if attempts > 1 { facts.append("\(attempts) links") }
    output.append("  " + facts.joined(separator: ", "))
    output.newline()
  }

  /// One object.
  public func json(to output: OutputBuffer) -> OutputBuffer {
    var writer = JSONWriter(output)
    writer.beginObject()
    writer.member("schema", Self.schema)
    writer.member("meter", meter.description)
    writer.member("address_type", meter.isRandom ? "random" : "public")
    writer.member("name", name)
    writer.member("outcome", run.outcome.name)
    writer.member("complete", run.outcome.isComplete)
    writer.member("message", run.outcome.sentence)
    writer.member("stored", stored)
    writer.member("received", run.received)
    writer.member("contexts", run.contexts)
    writer.member("already_held", run.alreadyHeld)
    writer.member("deleted", run.deleted)
    writer.member("epoch", run.epoch)
    writer.member("mark", run.mark)
    writer.member("count", run.count)
    writer.key("security")
    writer.beginObject()
    writer.member("level", run.security.level)
    writer.member("key_size", run.security.keySize)
    writer.endObject()
    writer.member("round_trips", run.roundTrips)
    writer.member("used_cache", run.usedCache)
    writer.member("attempts", attempts)
    writer.key("started_at")
    if let startedAt = run.startedAt { writer.value(fixed: Int64(startedAt * 1000), places: 3) } else { writer.null() }
    writer.key("seconds")
    writer.value(fixed: Int64(clamping: run.duration / 1_000_000), places: 3)
    writer.key("transfer_seconds")
    writer.value(fixed: Int64(clamping: run.transferDuration / 1_000_000), places: 3)
    writer.key("notices")
    writer.beginArray()
    for notice in notices {
      writer.beginObject()
      writer.member("notice", notice.name)
      writer.member("message", notice.sentence)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    writer.endDocument()
    return writer.output
  }

  /// One object for a sync that came to no link.
  public static func json(
    failure message: String,
    hint: String,
    meter: DeviceAddress,
    to output: OutputBuffer
  ) -> OutputBuffer {
    var writer = JSONWriter(output)
    writer.beginObject()
    writer.member("schema", schema)
    writer.member("meter", meter.description)
    writer.member("outcome", "failed")
    writer.member("complete", false)
    writer.member("message", message)
    writer.member("hint", hint)
    writer.endObject()
    writer.endDocument()
    return writer.output
  }
}
