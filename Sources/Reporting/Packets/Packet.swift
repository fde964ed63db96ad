import BluetoothWire
import LinkTrace

/// What a frame is.
struct Packet {
  var link: UInt32?
  /// The ATT PDUs it completed, where they are asked for one by one.
  var pdus: [PDU] = []
  /// Its octets with keys as zeros; nil where they are not shown.
  var octets: [UInt8]?

  /// One ATT PDU.
  struct PDU {
    var opcode: ATTOpcode
    var handle: UInt16
    var name: String?
    var provenance: Provenance
  }
}
