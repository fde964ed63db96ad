/// What the events of a link say of its radio: intervals, PHY, packet length.
public struct RadioSummary: Sendable {
  /// Connection parameters the link changed to, the latest eight.
  public private(set) var updates: [ConnectionUpdate] = []
  /// The PHY last agreed on, `2M PHY`; nil where no update was seen.
  public private(set) var phy: String?
  /// The longest payload the controller sends, in octets; nil where no change was seen.
  public private(set) var dataOctets: UInt16?

  init(_ history: borrowing LinkHistory) {
    for event in history.events {
      switch event.kind {
      case .connectionUpdate where event.code == 0:
        updates.append(ConnectionUpdate(packed: event.value))
        if updates.count > 8 { updates.removeFirst() }
      case .phyUpdate where event.code == 0:
        let transmit = UInt8(truncatingIfNeeded: event.value)
        let receive = UInt8(truncatingIfNeeded: event.value >> 8)
        phy =
          transmit == receive
          ? Self.name(transmit) + " PHY" : "\(Self.name(transmit)) PHY out, \(Self.name(receive)) in"
      case .dataLength: dataOctets = UInt16(truncatingIfNeeded: event.value)
      default: continue
      }
    }
  }

  private static func name(_ phy: UInt8) -> String {
    switch phy {
    case 1: "1M"
    case 2: "2M"
    case 3: "coded"
    default: "\(phy)"
    }
  }
}
