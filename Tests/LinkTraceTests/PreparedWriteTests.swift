import BluetoothWire
import HealthProfiles
import LinkTrace
import Scenarios
import Testing

/// What prepared writes, commands and odd lengths write, and what nothing tells of them (Core Vol 3 Part F 3.4.5, 3.4.6).
@Suite struct PreparedWriteTests {
  private static let discovered: [Step] = [.arrival, .exchangeMTU(185), .pair(), .discoverGlucose]

  private static func link(_ steps: [Step], _ side: Party = .collector) throws -> LinkHistory {
    try #require(Trace(Scenario("prepared", discovered + steps).frames(Rendering(side: side))).links.first)
  }

  /// The role, the value and whether it is in doubt of each subscription that was not refused.
  private static func written(_ link: LinkHistory) -> [String] {
    link.subscriptions.filter { $0.error == 0 }
      .map { "\($0.role) \($0.value)" + ($0.isDoubtful ? " in doubt" : "") }
  }

  @Test(arguments: Party.allCases)
  func `an execution writes every attribute of the queue`(side: Party) throws {
    let link = try Self.link(
      [
        .prepareWrite(.measurementConfiguration, offset: 0, [1, 0]),
        .prepareWrite(.recordAccessConfiguration, offset: 0, [2]),
        .prepareWrite(.recordAccessConfiguration, offset: 1, [0]), .executeWrite(writes: true), .accept, .farewell,
      ],
      side
    )
    #expect(Self.written(link) == ["glucoseMeasurement 1", "recordAccess 2"])
    #expect(link.subscriptions.allSatisfy { $0.answer != nil })
  }

  @Test func `what is cancelled is not written`() throws {
    let link = try Self.link(
      [
        .prepareWrite(.measurementConfiguration, offset: 0, [1, 0]), .executeWrite(writes: false), .accept,
        .prepareWrite(.contextConfiguration, offset: 0, [1, 0]), .executeWrite(writes: true), .accept, .farewell,
      ]
    )
    #expect(Self.written(link) == ["glucoseContext 1"])
  }

  @Test func `a part that is refused is not in the queue`() throws {
    let meter = Meter()
    let handle = meter.handle(of: .measurementConfiguration)
    let link = try Self.link(
      [
        .attribute(from: .collector, AttributeEncoding.prepareWriteRequest(handle, [1, 0])), .refuse(error: 0x09),
        .prepareWrite(.contextConfiguration, offset: 0, [1, 0]), .executeWrite(writes: true), .accept, .farewell,
      ]
    )
    #expect(Self.written(link) == ["glucoseContext 1"])
  }

  @Test func `behind a hole the value is not known`() throws {
    let link = try Self.link(
      [
        .prepareWrite(.recordAccessConfiguration, offset: 1, [0]), .executeWrite(writes: true), .accept, .farewell,
      ]
    )
    #expect(Self.written(link) == ["recordAccess 0 in doubt"])
  }

  @Test func `an execution that fails leaves in doubt what it does not name`() throws {
    let handle = Meter().handle(of: .recordAccessConfiguration)
    let link = try Self.link(
      [
        .prepareWrite(.measurementConfiguration, offset: 0, [1, 0]),
        .prepareWrite(.recordAccessConfiguration, offset: 0, [2, 0]), .executeWrite(writes: true),
        .attribute(from: .sensor, AttributeEncoding.errorResponse(to: 0x18, handle: handle, error: 0x0D)), .farewell,
      ]
    )
    #expect(Self.written(link) == ["glucoseMeasurement 1 in doubt"])
    #expect(link.subscriptions.map(\.error) == [0, 0x0D])
  }

  @Test(arguments: Party.allCases)
  func `a request may be a prepared write`(side: Party) throws {
    let link = try Self.link(
      [
        .subscribe(), .prepareWrite(.recordAccess, offset: 0, [0x01, 0x03]),
        .prepareWrite(.recordAccess, offset: 2, [0x01, 0x05, 0x00]), .executeWrite(writes: true), .accept,
        .records(5...6), .result(.report, .success), .confirm, .farewell,
      ],
      side
    )
    let procedure = try #require(link.procedures.first)
    #expect(link.procedures.count == 1 && link.unaskedResults.isEmpty)
    #expect(procedure.outcome == .success && procedure.records == 2)
    let octets = link.value(link.pdus[Int(procedure.request)])
    #expect((0..<octets.byteCount).map { octets.u8(at: $0) } == [0x01, 0x03, 0x01, 0x05, 0x00])
    let answer = try #require(procedure.answer)
    #expect(link.pdus[Int(answer)].opcode == .executeWriteResponse)
  }

  @Test func `a signed command is a request, its signature apart`() throws {
    let link = try Self.link(
      [
        .subscribe(), .signedWriteCommand(.recordAccess, [0x01, 0x01]), .records(1...3), .result(.report, .success),
        .confirm, .farewell,
      ]
    )
    let procedure = try #require(link.procedures.first)
    #expect(procedure.outcome == .success && procedure.records == 3 && procedure.answer == nil)
    #expect(link.pdus[Int(procedure.request)].valueCount == 2)
  }

  @Test func `what a command or a single octet turns on is in doubt`() throws {
    let link = try Self.link(
      [
        .writeCommand(.measurementConfiguration, [1, 0]), .write(.recordAccessConfiguration, [2]), .accept,
        .write(.contextConfiguration, [1, 0]), .accept, .farewell,
      ]
    )
    #expect(
      Self.written(link) == ["glucoseMeasurement 1 in doubt", "recordAccess 2 in doubt", "glucoseContext 1"]
    )
  }

  @Test func `one execution is one request`() throws {
    let link = try Self.link(
      [
        .prepareWrite(.measurementConfiguration, offset: 0, [1, 0]),
        .prepareWrite(.recordAccessConfiguration, offset: 0, [2, 0]), .executeWrite(writes: true), .accept, .farewell,
      ]
    )
    #expect(!link.counts.hasUnsettledTurns && link.counts.skippedAnswers == 0 && link.counts.orphanAnswers == 0)
  }
}
