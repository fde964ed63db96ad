import BluetoothWire
import LinkTrace

/// A frame in words.
struct Packet {
  var link: UInt32?
  /// The ATT PDUs it completed.
  var pdus: [PDU] = []
  /// What else it is.
  var extra: [String] = []
  /// Its octets with keys as zeros; nil where they are not shown.
  var octets: [UInt8]?

  /// One ATT PDU.
  struct PDU {
    var text: String
    var opcode: ATTOpcode
    var handle: UInt16
    var name: String?
    var provenance: Provenance
  }

  var text: String { (pdus.map(\.text) + extra).joined(separator: "; ") }
}
