import BluetoothWire
import Glibc
import RecordCollector
import Testing

@testable import LinuxBluetooth

/// Every failure has one plain sentence and the way out.
@Suite struct BluetoothErrorTests {
  private let meter = ManagementCommandTests.meter

  private static let failures: [ChannelFailure] = [
    .noSupport, .notPermitted, .linkLost, .peerEnded, .securityRefused, .keyMismatch, .adapterDown, .notInRange, .busy,
    .abandoned, .overrun, .stopped, .noAnswer, .system(5),
  ]

  @Test(arguments: failures) func aSentenceEndsWithAFullStop(failure: ChannelFailure) {
    for error in [
      BluetoothError.channel(failure, purpose: "scan"),
      .connection(failure, to: meter, daemonRuns: true), .connection(failure, to: meter, daemonRuns: false),
    ] {
      #expect(error.message.hasSuffix("."))
      #expect(error.message.first?.isUppercase == true)
      #expect(!error.message.dropLast().contains(". "), "one sentence: \(error.message)")
      #expect(error.hint.isEmpty == (error.kind == .stopped), "\(error.message) \(error.hint)")
    }
  }

  @Test(
    arguments: [
      .pairing(PairingFailure(rawValue: 3)), .pairing(PairingFailure(rawValue: 8)), .keyMissing, .keyMismatch,
      .declined, .passkey, .other("refused"),
    ] as [SecurityFailure]
  )
  func pairingHasAWayOut(failure: SecurityFailure) {
    for daemonRuns in [false, true] {
      let error = BluetoothError.pairing(failure, meter: meter, daemonRuns: daemonRuns)
      #expect(error.kind == .pairing)
      #expect(error.message.hasSuffix(".") && !error.hint.isEmpty)
    }
  }

  @Test(arguments: [ManagementStatus.permissionDenied, .blocked, .invalidIndex, .busy, .notPowered, .failed])
  func aRefusedCommandHasAWayOut(status: ManagementStatus) {
    let error = BluetoothError.refused(.setPowered(true), status, "hci0")
    #expect(error.message.hasSuffix(".") && !error.hint.isEmpty)
  }

  @Test func aMissingCapabilityNamesTheCommand() {
    let error = BluetoothError.channel(.notPermitted, purpose: "scan")
    #expect(error.kind == .permission)
    #expect(error.hint.contains("sudo setcap cap_net_admin,cap_net_raw+ep /"))
  }

  @Test func theErrorNumbersOfTheKernelAreToldApart() {
    let expected: [(Int32, ChannelFailure)] = [
      (ETIMEDOUT, .linkLost), (ECONNRESET, .peerEnded), (EACCES, .securityRefused), (ENOSYS, .keyMismatch),
      (EHOSTUNREACH, .adapterDown), (ECONNREFUSED, .notInRange), (EBUSY, .busy), (ECONNABORTED, .abandoned),
      (EAFNOSUPPORT, .noSupport), (EPROTONOSUPPORT, .noSupport), (EIO, .system(EIO)),
    ]
    for (number, failure) in expected {
      #expect(ChannelFailure.ofLink(number) == failure)
      #expect(ChannelFailure.ofLink(-number) == failure)
    }
    #expect(ChannelFailure.ofController(EPERM) == .notPermitted)
    #expect(ChannelFailure.ofController(EAFNOSUPPORT) == .noSupport)
  }

  @Test func whoHoldsTheLinkIsSaid() {
    let error = BluetoothError.connection(.busy, to: meter, daemonRuns: true)
    #expect(error.kind == .busy)
    #expect(error.hint.contains("bluetoothctl disconnect F0:0D:CA:FE:00:01"))
  }

  @Test func pairingIsBluetoothdsWhereItRuns() {
    let error = BluetoothError.pairing(.other(""), meter: meter, daemonRuns: true)
    #expect(error.kind == .pairing)
    #expect(error.hint.contains("pair F0:0D:CA:FE:00:01"))
    // Typed as it is shown, the command is whole.
    #expect(
      BluetoothError.bondLost(meter: meter, daemonRuns: false, store: "my meters.db").hint
        .hasSuffix(": racpscope sync F0:0D:CA:FE:00:01 --store 'my meters.db' --repair")
    )
    #expect(BluetoothError.pairing(.keyMissing, meter: meter, daemonRuns: false).hint.contains("--repair"))
    #expect(BluetoothError.pairing(.passkey, meter: meter, daemonRuns: false).hint.contains("--passkey"))
  }
}
