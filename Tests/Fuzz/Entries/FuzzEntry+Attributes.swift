import BluetoothWire
import CaptureFiles
import Scenarios

extension FuzzEntry {
  /// Each chunk is an ATT PDU on a link that is up; bit 0 of the tag: the host sent it.
  static let attributes = FuzzEntry(
    name: "attributes",
    run: { octets in
      var link = TrackedLink()
      for (tag, octets) in Chunks(octets) { link.add(attribute: octets, isSent: tag & 1 == 1) }
      return link.conclude()
    },
    seeds: {
      [Scenario.firstSync(), .noRecords(), .writeCommand(), .insulinPump(), .deleteBeforeCommit()].map { scenario in
        (scenario.name, Array(scenario.frames().compactMap(\.attributeChunk).joined().prefix(4096)))
      }
    }
  )
}

extension RenderedFrame {
  /// The ATT PDU of an ACL packet as a chunk; nil for anything else.
  fileprivate var attributeChunk: [UInt8]? {
    guard kind == .aclSent || kind == .aclReceived, octets.count > 8,
      octets[6] == UInt8(LogicalLinkEncoding.attributeChannel), octets[7] == 0
    else { return nil }
    return Chunks.chunk(kind == .aclSent ? 1 : 0, Array(octets[8...]))
  }
}
