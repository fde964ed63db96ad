extension Step {
  /// The collector exchanges the MTU; the sensor answers with its own.
  public static func exchangeMTU(_ client: UInt16, server: UInt16 = 185) -> Step {
    .mtuExchange(client: client, server: server)
  }

  /// The collector discovers everything the meter has.
  public static var discoverGlucose: Step { .discovery }

  /// A Read Request and its response.
  public static func read(_ attribute: MeterAttribute, value: [UInt8]? = nil) -> Step {
    .reading(attribute, value: value)
  }

  /// The Device Information strings are read.
  public static var readDeviceInformation: Step {
    .group([.read(.manufacturer), .read(.model), .read(.serialNumber), .read(.firmware)])
  }

  /// A value prepared as a whole and the Execute Write Request, without its answer.
  public static func writeLong(_ attribute: MeterAttribute, _ value: [UInt8]) -> Step {
    .group([.prepareWrite(attribute, offset: 0, value), .executeWrite(writes: true)])
  }

  /// A characteristic whose notifications or indications can be turned on.
  public enum Subscription: Sendable, Hashable, CaseIterable {
    case measurement
    case context
    case recordAccess
  }

  /// Client Characteristic Configurations are written and accepted; `isOn` false turns them off.
  public static func subscribe(_ subscriptions: [Subscription] = Subscription.allCases, isOn: Bool = true) -> Step {
    .group(
      subscriptions.flatMap { subscription -> [Step] in
        switch subscription {
        case .measurement: [.write(.measurementConfiguration, [isOn ? 1 : 0, 0]), .accept]
        case .context: [.write(.contextConfiguration, [isOn ? 1 : 0, 0]), .accept]
        case .recordAccess: [.write(.recordAccessConfiguration, [isOn ? 2 : 0, 0]), .accept]
        }
      }
    )
  }
}
