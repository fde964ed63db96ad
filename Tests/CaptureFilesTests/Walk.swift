import BluetoothWire
import CaptureFiles

/// A frame with its octets, outliving the reader's buffer.
struct Walked: Equatable {
  var number: UInt32
  var kind: FrameKind
  var adapter: UInt16
  var time: Int64
  var octets: [UInt8]
  var originalLength: Int
}

/// Everything one capture gives.
struct Walk {
  var frames: [Walked] = []
  var notes: [CaptureNote] = []
  var drops: UInt64 = 0
  var count: UInt32 = 0
  var format = CaptureFormat.undetermined

  init(_ octets: [UInt8], name: String = "test") throws(CaptureError) {
    self.init(reading: try CaptureReader.open(.memory(octets, name: name)))
  }

  init(_ source: CaptureSource) throws(CaptureError) {
    self.init(reading: try CaptureReader.open(source))
  }

  init(reading reader: consuming CaptureReader) {
    while let frame = reader.next() {
      frames.append(
        Walked(
          number: frame.number,
          kind: frame.kind,
          adapter: frame.adapter,
          time: frame.time,
          octets: reader.bytes(of: frame).copied(),
          originalLength: frame.originalLength
        )
      )
    }
    notes = reader.notes
    drops = reader.drops
    count = reader.frameCount
    format = reader.source.format
  }

}

/// 2025-11-30 00:00:00 UTC in microseconds since 1970.
let midnight: Int64 = 1_764_460_800_000_000

/// A small mix of packets every HCI format can carry.
let packets: [(FrameKind, [UInt8])] = [
  (.command, [0x03, 0x0C, 0x00]),
  (.event, [0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]),
  (.aclSent, [0x40, 0x00, 0x07, 0x00, 0x03, 0x00, 0x04, 0x00, 0x02, 0x17, 0x00]),
  (.aclReceived, [0x40, 0x20, 0x07, 0x00, 0x03, 0x00, 0x04, 0x00, 0x03, 0x17, 0x00]),
]

func written(_ format: WritableFormat) -> [UInt8] {
  var writer = CaptureWriter(format: format)
  for (index, packet) in packets.enumerated() {
    writer.write(kind: packet.0, time: midnight + Int64(index) * 10_000, octets: packet.1)
  }
  return writer.finish()
}

let writableFormats: [WritableFormat] = [
  .btsnoop(.unencapsulated), .btsnoop(.uart), .btsnoop(.monitor),
  .pcap(.uart), .pcap(.uartWithDirection), .pcap(.monitor),
  .pcap(.uartWithDirection, nanoseconds: true), .pcap(.uart, bigEndian: true),
  .pcap(.monitor, nanoseconds: true, bigEndian: true), .pcapng,
  .packetLogger(bigEndian: true), .packetLogger(bigEndian: false),
]
