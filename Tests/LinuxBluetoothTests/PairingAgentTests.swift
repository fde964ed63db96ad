import BluetoothWire
import RecordCollector
import Testing

@testable import LinuxBluetooth

/// What the agent answers the kernel during pairing, and what it keeps.
@Suite struct PairingAgentTests {
  private let meter = ManagementCommandTests.meter
  private let peer: [UInt8] = [0x01, 0x00, 0xFE, 0xCA, 0x0D, 0xF0, 0x02]
  private let kernel = FakeKernel()
  private let bonds = BondsInMemory()

  private func agent(_ passkey: Prompt.Source = .nobody, answers: Bool = true) -> PairingAgent {
    PairingAgent(
      kernel.control,
      adapter: 0,
      peer: meter,
      answers: answers,
      passkey: Prompt(passkey),
      bonds: bonds,
      say: { _ in }
    )
  }

  @Test func justWorksIsConfirmed() {
    var agent = agent()
    kernel.tell(0x000F, peer + [1, 0, 0, 0, 0])
    agent.look()
    #expect(kernel.heard().map(\.code) == [0x001C])
  }

  @Test func anotherAdapterOrPeerIsNotAnswered() {
    var agent = agent()
    kernel.tell(0x000F, peer + [1, 0, 0, 0, 0], adapter: 1)
    kernel.tell(0x000F, [9, 0, 0xFE, 0xCA, 0x0D, 0xF0, 2, 1, 0, 0, 0, 0])
    agent.look()
    #expect(kernel.heard().isEmpty)
  }

  @Test func whereBluetoothdPairsNothingIsAnsweredOrKept() {
    var agent = agent(.given("123456"), answers: false)
    kernel.tell(0x000F, peer + [1, 0, 0, 0, 0])
    kernel.tell(0x0010, peer)
    kernel.tell(0x000A, [1] + ManagementCommandTests.keyOctets)
    agent.look()
    #expect(kernel.heard().isEmpty)
    #expect(bonds.held.isEmpty)
  }

  @Test func aPasskeyIsHandedOver() {
    var agent = agent(.given("123 456"))
    kernel.tell(0x0010, peer)
    agent.look()
    let heard = kernel.heard()
    #expect(heard.map(\.code) == [0x001E])
    #expect(heard.first?.parameters == peer + [0x40, 0xE2, 0x01, 0x00])
    #expect(agent.failure == nil)
  }

  @Test(arguments: [Prompt.Source.nobody, .given("12ab"), .given("1234567"), .given("")])
  func withoutAPasskeyPairingIsRefusedAtOnce(source: Prompt.Source) {
    var agent = agent(source)
    kernel.tell(0x0010, peer)
    agent.look()
    #expect(kernel.heard().map(\.code) == [0x001F])
    // The link must not be ended before the meter has been told.
    #expect(agent.failure == nil)
    kernel.tell(0x0011, peer + [5])
    agent.look()
    #expect(agent.failure == .passkey)
  }

  @Test func aRefusalThatTheKernelDoesNotConfirmFailsAllTheSame() {
    var agent = agent()
    kernel.tell(0x0010, peer)
    agent.look()
    agent.awaitReasons()
    #expect(agent.failure == .passkey)
  }

  @Test func linksAreRead() {
    let octets: [UInt8] = [2, 0] + peer + [1, 2, 3, 4, 5, 6, 0]
    #expect(AdapterConnections(octets: octets).peers == [meter])
    for count in octets.indices.prefix(9) {
      #expect(AdapterConnections(octets: Array(octets.prefix(count))).peers.isEmpty)
    }
    #expect(AdapterConnections(octets: [255, 255] + peer).peers == [meter])
  }

  @Test func aKeyIsKept() {
    var agent = agent()
    kernel.tell(0x000A, [1] + ManagementCommandTests.keyOctets)
    agent.look()
    #expect(agent.hasNewBond)
    #expect(bonds.held == [Bond(address: meter, longTermKeys: [ManagementCommandTests.key])])
  }

  @Test func aKeyOfPairingWithoutBondingIsNotKept() {
    var agent = agent()
    kernel.tell(0x000A, [0] + ManagementCommandTests.keyOctets)
    agent.look()
    #expect(!agent.hasNewBond)
    #expect(bonds.held.isEmpty)
  }

  @Test func bothKeysOfLegacyPairingAreKeptAndReplaceOlderOnes() {
    bonds.held = [Bond(address: meter, longTermKeys: [ManagementCommandTests.key])]
    var agent = agent()
    var mine = ManagementCommandTests.key
    mine.type = 0
    var theirs = mine
    theirs.isCentral = true
    kernel.tell(0x000A, [1] + mine.octets)
    kernel.tell(0x000A, [1] + theirs.octets)
    agent.look()
    #expect(bonds.held == [Bond(address: meter, longTermKeys: [mine, theirs])])
  }

  @Test func aHiddenMeterGetsItsIdentity() {
    var agent = agent()
    let alias = DeviceAddress(value: 0x5122_3344_5566, isRandom: true)
    agent.beginLink(to: alias)
    kernel.tell(0x0018, [1] + alias.octets + peer + Array(0x20...0x2F))
    kernel.tell(0x000A, [1] + ManagementCommandTests.keyOctets)
    agent.look()
    #expect(agent.peer == meter)
    #expect(bonds.held.first?.identityKey?.value == Array(0x20...0x2F))
    #expect(bonds.held.first?.longTermKeys == [ManagementCommandTests.key])
  }

  @Test func aBondThatCannotBeKeptIsToldOf() {
    bonds.isFull = true
    var agent = agent()
    kernel.tell(0x000A, [1] + ManagementCommandTests.keyOctets)
    agent.look()
    #expect(!agent.hasNewBond)
    #expect(agent.keepingFailure == "the disk is full")
  }

  @Test func failuresAndEndsAreRemembered() {
    var agent = agent()
    kernel.tell(0x0011, peer + [5])
    kernel.tell(0x000C, peer + [4])
    agent.look()
    #expect(agent.failure == .other("pairing was refused"))
    #expect(agent.disconnection == .authenticationFailure)
    agent.beginLink(to: meter)
    #expect(agent.failure == nil)
    #expect(agent.disconnection == nil)
  }

  @Test func anAdapterThatGoesAwayIsNoticed() {
    var agent = agent()
    kernel.tell(0x0005, [])
    agent.look()
    #expect(agent.adapterIsGone)
  }
}
