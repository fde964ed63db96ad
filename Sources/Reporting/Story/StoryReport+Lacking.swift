import BluetoothWire
import LinkTrace

extension StoryReport {
  /// What the options ask for and the capture has not.
  public enum Lacking: Sendable {
    /// No device matches; the health devices there are, not escaped.
    case device(String, among: [String])
    /// The link does not lead to a health device, or not to the one asked for.
    case link(UInt32)
  }

  /// Nil where something could be told of what was asked for; final after the last link.
  public var lacking: Lacking? {
    let chosen = devices.filter { matches($0) }
    if let device = options.device, chosen.isEmpty {
      let titles = devices.map { Listing.device($0.key.address, $0.information.name ?? $0.advertisedName) }
      return .device(device, among: titles)
    }
    if let link = options.link, !chosen.contains(where: { !$0.told.isEmpty }) { return .link(link) }
    return nil
  }
}
