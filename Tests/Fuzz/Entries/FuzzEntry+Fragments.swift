import BluetoothWire
import CaptureFiles
import Scenarios

extension FuzzEntry {
  /// Each chunk is an HCI packet as it stands.
  ///
  /// The tag's low four bits are the kind of frame; of ACL packets bit 7 puts them on the link that is up, whatever
  /// their handle says.
  static let fragments = FuzzEntry(
    name: "fragments",
    run: { octets in
      var link = TrackedLink()
      for (tag, octets) in Chunks(octets) {
        guard let kind = FrameKind(rawValue: tag & 0x0F) else { continue }
        var octets = octets
        if tag & 0x80 != 0, octets.count >= 2 {
          octets[0] = UInt8(truncatingIfNeeded: TrackedLink.handle)
          octets[1] = octets[1] & 0xF0 | UInt8(truncatingIfNeeded: TrackedLink.handle >> 8)
        }
        link.add(kind, octets)
      }
      return link.conclude()
    },
    seeds: {
      var cut = Rendering()
      cut.fragmentSize = 9
      return [
        ("whole", Scenario.firstSync(), Rendering()), ("fragments", .noRecords(), cut),
        ("bearers", .eattSync(), Rendering()), ("identities", .resolvableAddress(), Rendering()),
        ("adapters", .twoAdapters(), Rendering()), ("bond-lost", .bondLost(), Rendering()),
      ].map { (name: String, scenario: Scenario, rendering: Rendering) in
        let frames = scenario.frames(rendering).prefix(150)
        return (name, frames.flatMap { Chunks.chunk($0.kind.rawValue | 0x80, $0.octets) })
      }
    }
  )
}
