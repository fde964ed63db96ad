import BluetoothWire
import CaptureFiles
import LinkTrace
import Scenarios

extension Scenario {
  /// Names of the ready-made scenarios, as test arguments.
  static var names: [String] { catalogue.map(\.name) }
}

extension LinkHistory {
  /// True where a result may be told of a procedure only if its result frame is there.
  static func isFinal(_ outcome: Procedure.Outcome) -> Bool {
    switch outcome {
    case .success, .noRecords, .count, .failed, .aborted, .resultClipped, .malformedResult, .refused: true
    default: false
    }
  }
}

/// The ATT discovery exchanges removed from whole ACL packets: requests 0x04 to 0x10, their responses and errors.
func withoutDiscovery(_ frames: [RenderedFrame]) -> [RenderedFrame] {
  frames.filter { frame in
    guard frame.kind == .aclSent || frame.kind == .aclReceived, frame.octets.count >= 9 else { return true }
    guard frame.octets[1] >> 4 & 3 != 1, frame.octets[6] == 4, frame.octets[7] == 0 else { return true }
    let opCode = frame.octets[8]
    // Reads of one attribute stay: 0x0A to 0x0F are no discovery.
    let isDiscovery = [0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x10, 0x11].contains(opCode)
    let isRefused =
      opCode == 0x01 && frame.octets.count >= 10 && [0x04, 0x06, 0x08, 0x10].contains(frame.octets[9])
    return !isDiscovery && !isRefused
  }
}
