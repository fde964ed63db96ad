import LinkTrace

/// Tells links as they end.
struct StoryStream: Sendable {
  var output: OutputBuffer
  let terminal: Terminal
  private let zone: TimeText.Zone
  private let tellsAll: Bool
  /// What the capture comes from, for the head line.
  var origin = "standard input"
  private var lastDevice: DeviceHistory.Key?
  private var isBegun = false
  private var beginning: Int64?

  init(_ output: OutputBuffer, _ terminal: Terminal, _ options: StoryOptions) {
    self.output = output
    self.terminal = terminal
    zone = options.zone
    tellsAll = options.all
  }

  /// The head line, once: what is known of a capture that is still going on.
  mutating func begin(_ time: Int64?) {
    guard !isBegun else { return }
    isBegun = true
    beginning = time
    var writer = StoryWriter(terminal, zone)
    writer.write(beginning: time, of: origin, to: &output)
    output.newline()
  }

  mutating func tell(_ link: StoryLink, of device: StoryDevice) {
    var writer = StoryWriter(terminal, zone)
    writer.beginning = beginning
    writer.tellsAll = tellsAll
    if lastDevice != device.key {
      writer.write(heading: device, to: &output)
      lastDevice = device.key
    }
    writer.write(link, of: device, to: &output)
    output.flush()
  }

  mutating func conclude(_ device: StoryDevice, isOnly: Bool) {
    var writer = StoryWriter(terminal, zone)
    if !isOnly { writer.write(heading: device, to: &output) }
    writer.write(totals: device, to: &output)
    output.flush()
  }
}
