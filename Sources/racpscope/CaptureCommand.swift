import CaptureFiles
import CommandLineInterface
import LinuxBluetooth
import Reporting

/// `racpscope capture`: records the adapter's HCI traffic while another program runs, and decodes it as it goes.
enum CaptureCommand {
  static let declaration = Subcommand(
    "capture",
    summary: "record the adapter's HCI traffic and tell what happens while it happens",
    examples: [
      Example("racpscope capture -o vendor.btsnoop", "until Ctrl-C; start it before the vendor's program connects"),
      Example("racpscope capture -o trace.btsnoop --adapter hci1", "one adapter only"),
      Example("racpscope capture", "only tell"),
    ],
    options: [
      Option("--output", short: "-o", value: .file("FILE"), summary: "write a btsnoop file, private to its owner"),
      SyncSettings.adapter,
      Option("--quiet", short: "-q", summary: "tell nothing, only record"),
      SharedOptions.utc,
    ],
    details: [
      "The file is written as the packets come. Keys in it are zeros, so it can be handed on; readings are not hidden "
        + "('racpscope extract --redact' does that).",
      "Needs CAP_NET_RAW. Exit status: 0, 2 wrong usage or the file cannot be written, 3 no permission.",
    ]
  )

  static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitStatus {
    var adapter: UInt16?
    if let name = arguments.value("--adapter") {
      guard name.hasPrefix("hci"), let number = UInt16(name.dropFirst(3)) else {
        throw UsageError("'\(name)' is not an adapter", hint: "write hci0; 'racpscope adapters' lists what is there")
      }
      adapter = number
    }
    let path = arguments.value("--output")
    if path == "-" {
      throw UsageError("a capture is not written to stdout", hint: "name a file with -o trace.btsnoop")
    }
    if path == nil && arguments.flag("--quiet") {
      throw UsageError("nothing is recorded and nothing is told", hint: "name a file with --output")
    }
    let channel: MonitorChannel
    do throws(ChannelFailure) {
      channel = try MonitorChannel()
    } catch {
      return SyncExit.complain(.channel(error, purpose: "capture"))
    }
    var file: LiveCaptureFile?
    if let path {
      do throws(CaptureError) {
        file = try LiveCaptureFile(path: path)
      } catch {
        Complaint.write(error)
        return .usage
      }
    }
    let story = arguments.flag("--quiet") ? nil : LiveStory(descriptor: 1, zone: SharedOptions.zone(arguments))
    return record(channel, adapter, SyncTraffic(file: file, story: story), name: path ?? "the adapter")
  }

  /// Records until the user stops it.
  private static func record(
    _ channel: MonitorChannel,
    _ adapter: UInt16?,
    _ traffic: SyncTraffic,
    name: String
  ) -> ExitStatus {
    var loop = EventLoop(catchesSignals: true)
    loop.recorder = TrafficRecorder(channel, adapter: adapter, consumer: traffic)
    if Terminal.behind(descriptor: 2).isTerminal { Complaint.write("recording; Ctrl-C ends it", hint: "") }
    while !loop.isStopped, traffic.isWanted {
      _ = loop.wait([], until: MonotonicClock.now() + 1_000_000_000)
      traffic.look()
    }
    loop.recorder?.serve()
    let output = traffic.finish(name: name)
    if let failure = traffic.failure {
      Complaint.write("\(name) is incomplete: \(failure)", hint: "make room or name another file, and record again")
      return .usage
    }
    return output.map { Destination.standardOutput.end($0) } ?? .done
  }
}
