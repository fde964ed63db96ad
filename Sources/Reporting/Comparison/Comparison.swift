public import FetchComparison
import LinkTrace
import ProtocolLint

/// Two sides, read to their end and put beside each other.
public struct Comparison: Sendable {
  public let fetches: ComparedFetches
  let first: ComparisonParty
  let second: ComparisonParty

  public init(_ first: ComparisonSide, _ second: ComparisonSide, ignoringIdentity: Bool) {
    self.first = ComparisonParty("A", first)
    self.second = ComparisonParty("B", second)
    fetches = ComparedFetches(first.compared, second.compared, ignoringIdentity: ignoringIdentity)
  }

  /// Devices with records, or with a request for some.
  var devices: [DeviceComparison] {
    fetches.devices.filter { device in
      if device.hasRecords { return true }
      let links = (device.first.map { fetches.first.devices[$0].links } ?? []).map { fetches.first.links[$0] }
      let others = (device.second.map { fetches.second.devices[$0].links } ?? []).map { fetches.second.links[$0] }
      return (links + others).contains { !$0.summary.procedures.isEmpty }
    }
  }

  /// 1 where a reading is missing from the first side, 3 where neither side has one, else 0.
  public var exitCode: Int32 {
    if !fetches.hasRecords { return 3 }
    return fetches.missingFromFirst > 0 ? 1 : 0
  }
}
