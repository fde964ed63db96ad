import BluetoothWire
import CaptureFiles
import LinuxBluetooth
import RecordCollector
import RecordStore
import Reporting

/// One `sync` from the first question to the exit status: store, adapter, links, result.
struct SyncSession {
  private let settings: SyncSettings
  private var progress: SyncProgress
  private var meter: DeviceAddress
  private var attempts = 0
  private var stored = 0
  /// The right to sync each of the addresses the meter goes by.
  private var locks: [DeviceAddress: MeterLock] = [:]
  /// What the meter advertised, where it was looked for.
  private var advertisedName: String?

  init(_ settings: SyncSettings) {
    self.settings = settings
    meter = settings.address
    progress = SyncProgress(meter: settings.address)
  }

  mutating func run() -> ExitStatus {
    do {
      return try synchronise()
    } catch let error as BluetoothError {
      writeFailure(error.message, error.hint)
      return SyncExit.complain(error)
    } catch let error as StoreError {
      writeFailure(error.message, error.hint)
      return SyncExit.complain(error)
    } catch let error as CaptureError {
      writeFailure(error.message, error.hint)
      Complaint.write(error)
      return .usage
    } catch {
      writeFailure("\(error)", "")
      Complaint.write("\(error)", hint: "")
      return .findings
    }
  }

  private mutating func synchronise() throws -> ExitStatus {
    var loop = EventLoop(catchesSignals: true)
    // A sync that cannot begin leaves no empty store behind.
    let ready = try RecordStore.isThere(settings.store) ? nil : openAdapter(bonds: [], &loop)
    let store = try RecordStore(path: settings.store)
    for notice in store.notices { progress.say(notice.description) }
    let known = try SyncSearch.known(settings, store)
    meter = known ?? meter
    try lock(store)
    let isRepaired = try settings.isRepair && store.bond(with: meter) != nil
    if isRepaired { try confirmRepair(&loop) }
    let bonds = SyncBonds(store: store)
    // What a repair replaces is not loaded; it stays in the store until the new bond takes its place.
    let keys = try bonds.bonds().filter { !isRepaired || $0.address != meter }
    // Another process may have made the store meanwhile, with a bond.
    let (control, adapter) = try (keys.isEmpty ? ready : nil) ?? openAdapter(bonds: keys, &loop)
    let traffic = try record(adapter, &loop)
    defer { end(traffic, &loop) }
    if settings.isRepair { try repair(adapter, control, &loop) }
    if known == nil, adapter.isManaged, !settings.hasType {
      progress.wait(for: "looking for \(meter)")
      if let found = try SyncSearch.look(for: meter, control, adapter, &loop) {
        meter = found.address
        try lock(store)
        advertisedName = found.name.map { String(decoding: $0, as: UTF8.self) }
      }
    }
    var link = SyncLink(control, adapter, settings, bonds)
    link.isBondForgotten = isRepaired
    link.hasBond = try store.bond(with: meter) != nil
    let run = try links(&link, store, &loop)
    return try finish(run, link, store)
  }

  /// Takes the meter's lock under the address that is now known to be its own; the ones before stay taken.
  private mutating func lock(_ store: RecordStore) throws(StoreError) {
    guard locks[meter] == nil else { return }
    locks[meter] = try store.lock(meter, command: "racpscope sync \(meter)")
  }

  private func openAdapter(
    bonds: [Bond],
    _ loop: inout EventLoop
  ) throws(BluetoothError) -> (ControlChannel, PreparedAdapter) {
    try SyncAdapter.open(
      settings.adapter,
      bonds: bonds,
      capability: settings.capability,
      purpose: "sync",
      &loop
    )
  }

  /// Tries links until everything is held, or trying again does not help.
  private mutating func links(_ link: inout SyncLink, _ store: RecordStore, _ loop: inout EventLoop) throws -> SyncRun {
    var schedule = RetrySchedule(attempts: Int(settings.retries) + 1)
    var run: SyncRun
    repeat {
      attempts += 1
      run = try oneLink(&link, store, &loop)
      stored += run.stored
    } while !link.isAdapterGone && wait(after: run, &schedule, &loop)
    return run
  }

  private mutating func oneLink(_ link: inout SyncLink, _ store: RecordStore, _ loop: inout EventLoop) throws -> SyncRun
  {
    progress.wait(for: "connecting to \(meter)")
    let channel: AttributeChannel
    do throws(BluetoothError) {
      channel = try link.connect(to: meter, &loop)
    } catch {
      // A meter that was there a moment ago may come back.
      guard error.kind == .link || (error.kind == .range && attempts > 1) else { throw error }
      return SyncRun(outcome: .linkLost(reason: "no link could be made"))
    }
    if meter.kind == .resolvablePrivate {
      meter = try link.identity(behind: channel, &loop)
      // A sync of the identity may be under way, which the private address did not tell.
      do {
        try lock(store)
      } catch {
        channel.disconnect()
        throw error
      }
      progress.say("The meter's identity address is \(meter); use that one from now on.")
    }
    return try link.run(channel, meter, store, &progress, &loop)
  }

  /// Waits for the next try; false where there is none.
  private mutating func wait(after run: SyncRun, _ schedule: inout RetrySchedule, _ loop: inout EventLoop) -> Bool {
    guard !loop.isStopped, let pause = schedule.pause(after: run) else { return false }
    progress.say("\(run.outcome.sentence) Trying again in \((pause + 999_999_999) / 1_000_000_000) s.")
    _ = loop.wait([], until: MonotonicClock.now() + pause)
    return !loop.isStopped
  }

  // MARK: Before

  private mutating func confirmRepair(_ loop: inout EventLoop) throws {
    if settings.isConfirmed { return }
    let question = "Forget the bond with \(meter) and pair again? The records stay. Type yes to do it: "
    guard let answer = SyncTerminal.ask(question, &loop) else {
      throw BluetoothError(.usage, "The bond was not forgotten: nobody confirmed it.", hint: "Confirm it with --yes.")
    }
    guard answer.lowercased() == "yes" else {
      throw BluetoothError(.stopped, "The bond was not forgotten.", hint: "Type yes to do it, or use --yes.")
    }
  }

  private func repair(_ adapter: PreparedAdapter, _ control: ControlChannel, _ loop: inout EventLoop) throws {
    guard !adapter.daemonRuns else {
      throw BluetoothError(
        .pairing,
        "The bond with \(meter) is bluetoothd's, and bluetoothd must forget it.",
        hint: "Run 'bluetoothctl --agent KeyboardDisplay' and type remove \(meter), scan le, pair \(meter), "
          + "disconnect \(meter), quit. Then sync again."
      )
    }
    try adapter.forget(meter, control, &loop)
  }

  /// Watches the traffic: for the file of `--save`, and else for why pairing failed, where that is permitted.
  private func record(_ adapter: PreparedAdapter, _ loop: inout EventLoop) throws -> SyncTraffic? {
    let channel: MonitorChannel
    do throws(ChannelFailure) {
      channel = try MonitorChannel()
    } catch {
      if settings.save == nil { return nil }
      throw BluetoothError.channel(error, purpose: "record the traffic")
    }
    let traffic = try settings.save.map { path in SyncTraffic(file: try LiveCaptureFile(path: path)) }
    loop.recorder = TrafficRecorder(channel, adapter: adapter.identifier, consumer: traffic)
    return traffic
  }

  // MARK: After

  private func end(_ traffic: SyncTraffic?, _ loop: inout EventLoop) {
    guard let traffic else { return }
    loop.recorder?.serve()
    _ = traffic.finish(name: "")
    guard let failure = traffic.failure else { return }
    Complaint.write(
      "\(settings.save ?? "") is incomplete: \(failure)",
      hint: "make room or name another file; the records are not concerned"
    )
  }

  private mutating func finish(_ run: SyncRun, _ link: SyncLink, _ store: RecordStore) throws -> ExitStatus {
    progress.clear()
    progress.sayRest()
    if let reason = link.keepingFailure {
      progress.say("The bond could not be stored (\(reason)): the next sync has to pair again.")
    }
    if run.outcome.isComplete, let advertisedName {
      try store.remember(identity: SensorIdentity(address: meter, name: advertisedName))
    }
    let report = SyncReport(
      meter: meter,
      name: try store.device(meter).flatMap { Self.title($0.identity) },
      run: run,
      attempts: attempts,
      stored: stored,
      notices: progress.notices
    )
    var output = OutputBuffer(descriptor: 1)
    if settings.isJSON {
      output = report.json(to: output)
    } else {
      report.text(Terminal.behind(descriptor: 1), to: &output)
    }
    let written = Destination.standardOutput.end(output)
    if link.isAdapterGone && !run.outcome.isComplete { return SyncExit.complain(.adapterGone) }
    let advice = link.advice(on: run.outcome, meter)
    if let advice { Complaint.write(advice) }
    return SyncExit.status(run.outcome).joined(with: written)
  }

  private static func title(_ identity: SensorIdentity) -> String? {
    identity.name ?? identity.model.map { model in identity.manufacturer.map { "\($0) \(model)" } ?? model }
  }

  private mutating func writeFailure(_ message: String, _ hint: String) {
    progress.clear()
    guard settings.isJSON else { return }
    let output = SyncReport.json(failure: message, hint: hint, meter: meter, to: OutputBuffer(descriptor: 1))
    _ = Destination.standardOutput.end(output)
  }
}
