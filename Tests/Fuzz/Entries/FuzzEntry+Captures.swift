import CaptureFiles
import Scenarios

extension FuzzEntry {
  /// The octets as a file: recognised by content, archives opened, every record of every capture read.
  static let captures = FuzzEntry(
    name: "captures",
    run: { octets in
      guard let sources = try? CaptureFiles.captures(in: .memory(octets, name: "input")) else { return 0 }
      var seen = sources.count
      for source in sources {
        guard var reader = try? CaptureReader.open(source) else { continue }
        while let frame = reader.next() { seen &+= reader.bytes(of: frame).byteCount &+ frame.originalLength }
        seen &+= reader.notes.count
      }
      return seen
    },
    seeds: {
      let scenario = Scenario.noRecords()
      return WritableFormat.seeds.map { name, format in (name, scenario.capture(Rendering(format: format))) }
    }
  )
}

extension WritableFormat {
  /// Every container that can be written, by name.
  static let seeds: [(String, WritableFormat)] = [
    ("monitor", .btsnoop(.monitor)), ("uart", .btsnoop(.uart)), ("h1", .btsnoop(.unencapsulated)),
    ("pcap187", .pcap(.uart)), ("pcap201", .pcap(.uartWithDirection, nanoseconds: true, bigEndian: true)),
    ("pcap254", .pcap(.monitor)), ("pcapng", .pcapng), ("pklg", .packetLogger()),
    ("pklg-le", .packetLogger(bigEndian: false)),
  ]
}
