public import BluetoothWire

extension Step {
  /// A link begins; the collector is the central unless said otherwise.
  public static func connect(
    collectorRole: LinkRole = .central,
    isEnhanced: Bool = false,
    sensorAddress: DeviceAddress? = nil,
    isResolved: Bool = false
  ) -> Step {
    var parameters = ConnectionParameters()
    parameters.collectorRole = collectorRole
    parameters.isEnhanced = isEnhanced
    parameters.sensorAddress = sensorAddress
    parameters.isResolved = isResolved
    return .connection(parameters)
  }

  /// The link is encrypted with the bond's key.
  public static func encrypt(status: UInt8 = 0, keySize: UInt8? = nil) -> Step {
    .encryption(Encryption(status: status, keySize: keySize))
  }

  /// The parties pair and encrypt.
  public static func pair(
    _ method: Pairing.Method = .justWorks,
    isSecureConnections: Bool = true,
    beginsWithSecurityRequest: Bool = true,
    sensorIdentityKey: [UInt8]? = nil,
    failure: UInt8? = nil
  ) -> Step {
    .pairing(
      Pairing(
        method,
        isSecureConnections: isSecureConnections,
        beginsWithSecurityRequest: beginsWithSecurityRequest,
        sensorIdentityKey: sensorIdentityKey,
        failure: failure
      )
    )
  }

  /// A party ends the link; the reason is that of its command.
  public static func disconnect(_ party: Party = .collector, reason: UInt8 = 0x13) -> Step {
    .disconnection(by: party, reason: reason)
  }

  /// The radio link breaks: connection timeout.
  public static var linkLoss: Step { .linkLoss(reason: 0x08) }

  /// The first packets of the link got no answer: connection failed to be established.
  public static var neverEstablished: Step { .linkLoss(reason: 0x3E) }

  /// The local host resets its controller, which drops the link without a word (Core Vol 4 Part E 7.3.2).
  public static var controllerReset: Step {
    .group([.command([0x03, 0x0C, 0x00]), .event([0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00])])
  }

  /// A Security Manager PDU.
  public static func security(from party: Party, _ octets: [UInt8]) -> Step {
    .channel(from: party, LogicalLinkEncoding.securityChannel, octets)
  }

  /// A command on the LE signalling channel.
  public static func signalling(from party: Party, _ octets: [UInt8]) -> Step {
    .channel(from: party, LogicalLinkEncoding.signallingChannel, octets)
  }

  /// The peripheral asks for other connection parameters: units of 1.25 ms, connection events, units of 10 ms.
  public static func updateParameters(
    interval: UInt16,
    latency: UInt16 = 0,
    supervisionTimeout: UInt16 = 400,
    isAccepted: Bool = true
  ) -> Step {
    .parameterUpdate(
      interval: interval,
      latency: latency,
      supervisionTimeout: supervisionTimeout,
      isAccepted: isAccepted
    )
  }
}
