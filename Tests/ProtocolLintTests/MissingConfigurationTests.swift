import HealthProfiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

/// A characteristic without a Client Characteristic Configuration is the sensor's declaration, and no collector's neglect.
@Suite struct MissingConfigurationTests {
  /// Where the configurations of the three characteristics stand.
  enum Place: UInt16, CaseIterable {
    case measurement = 0x001C
    case context = 0x001F
    case recordAccess = 0x0024

    var subscription: Step.Subscription {
      switch self {
      case .measurement: .measurement
      case .context: .context
      case .recordAccess: .recordAccess
      }
    }
  }

  /// A first link on which the service is discovered whole, but for one configuration that is not there.
  private static func discovered(without missing: Place) -> [Step] {
    let head: [Step] = [
      .arrival, .exchangeMTU(185), .pair(), .askForServices(), .tellServices([.init(0x0019, 0x0024, 0x1808)]),
      .askForCharacteristics(from: 0x0019, to: 0x0024),
      .tellCharacteristics([
        .init(0x001A, 0x10, 0x2A18), .init(0x001D, 0x10, 0x2A34), .init(0x0020, 0x02, 0x2A51),
        .init(0x0022, 0x28, 0x2A52),
      ]), .askForCharacteristics(from: 0x0023, to: 0x0024), .noMoreCharacteristics(from: 0x0023),
    ]
    return head + Place.allCases.flatMap { $0 == missing ? absent($0.rawValue) : present($0.rawValue) }
  }

  private static func absent(_ handle: UInt16) -> [Step] {
    [.askForDescriptors(from: handle, to: handle), .noDescriptors(from: handle)]
  }

  private static func present(_ handle: UInt16) -> [Step] {
    let type: UInt16 = 0x2902
    return [.askForDescriptors(from: handle, to: handle), .tellDescriptors([(handle, type)])]
  }

  private static func judge(_ steps: [Step], _ side: Party) throws -> Judgement {
    try Judgement(Scenario("missing", steps), Rendering(side: side))
  }

  private static func text(_ judged: Judgement) -> [String] {
    judged.findings.filter { $0.rule.description.hasPrefix("CAP") == false }.map { "\($0.rule) \($0.level)" }
  }

  @Test(arguments: Place.allCases, Party.allCases)
  func `what nobody can turn on is said once, whatever the sensor answers`(missing: Place, side: Party) throws {
    let rest = Place.allCases.filter { $0 != missing }.map(\.subscription)
    let discovered = Self.discovered(without: missing) + [.subscribe(rest)]
    let refused = try Self.judge(
      discovered + [.count(.all), .refuse(error: 0x81), .report(.all), .refuse(error: 0x81), .farewell],
      side
    )
    #expect(Self.text(refused) == ["GATT-002 error"], "\(refused.findings.map(\.message))")
    let accepted = try Self.judge(discovered + [.fetch(.all, 1...3), .farewell], side)
    #expect(Self.text(accepted) == ["GATT-002 error"], "\(accepted.findings.map(\.message))")
  }

  @Test(arguments: Place.allCases, Party.allCases)
  func `nor is it the collector's neglect on the next link of the bond`(missing: Place, side: Party) throws {
    let rest = Place.allCases.filter { $0 != missing }.map(\.subscription)
    let steps: [Step] = [
      .subscribe(rest), .report(.all), .refuse(error: 0x81), .farewell, .later(minutes: 60), .bondedArrival,
      .report(.all), .refuse(error: 0x81), .farewell,
    ]
    let judged = try Self.judge(Self.discovered(without: missing) + steps, side)
    #expect(judged.findings.allSatisfy { $0.fault != .collector }, "\(judged.findings.map(\.message))")
    #expect(judged.findings(of: "GATT-002").count == 1)
  }

  @Test(arguments: Party.allCases)
  func `what the collector makes of the silence stands under it`(side: Party) throws {
    let steps: [Step] = [
      .subscribe([.context, .recordAccess]), .report(.all), .accept, .wait(milliseconds: 12_000), .disconnect(),
    ]
    let judged = try Self.judge(Self.discovered(without: .measurement) + steps, side)
    #expect(Self.text(judged) == ["GATT-002 error"], "\(judged.findings.map(\.message))")
    #expect(judged.findings.flatMap(\.consequences).map(\.rule) == ["APP-003"])
  }

  @Test(arguments: Party.allCases)
  func `what another characteristic lacks is a finding of its own`(side: Party) throws {
    let discovered = Self.discovered(without: .recordAccess) + [.subscribe([.context])]
    let refused = try Self.judge(discovered + [.report(.all), .refuse(error: 0x81), .farewell], side)
    #expect(Set(Self.text(refused)) == ["GATT-002 error", "GATT-003 error"])
    #expect(
      refused.findings(of: "GATT-003").allSatisfy {
        $0.message.contains("while notifications of the measurement are off")
      }
    )
    let accepted = try Self.judge(discovered + [.fetch(.all, 1...3), .farewell], side)
    #expect(Set(Self.text(accepted)) == ["GATT-002 error", "GATT-003 error", "GATT-004 error", "GATT-007 error"])
    #expect(accepted.findings(of: "GATT-007").allSatisfy { $0.message.contains("of the measurement") })
  }
}
