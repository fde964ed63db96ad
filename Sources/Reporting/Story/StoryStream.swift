import LinkTrace

/// Tells links as they end.
struct StoryStream: Sendable {
  var output: OutputBuffer
  let terminal: Terminal
  private let zone: TimeText.Zone
  private var lastDevice: StoryDevice.Key?

  init(_ output: OutputBuffer, _ terminal: Terminal, _ zone: TimeText.Zone) {
    self.output = output
    self.terminal = terminal
    self.zone = zone
  }

  mutating func tell(_ link: StoryLink, of device: StoryDevice) {
    var writer = StoryWriter(terminal, zone)
    if lastDevice != device.key {
      writer.write(heading: device, to: &output)
      lastDevice = device.key
    }
    writer.write(link, of: device, to: &output)
    output.flush()
  }

  mutating func conclude(_ device: StoryDevice) {
    var writer = StoryWriter(terminal, zone)
    writer.write(heading: device, to: &output)
    writer.write(totals: device, to: &output)
    output.flush()
  }
}
