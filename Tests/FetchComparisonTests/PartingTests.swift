import FetchComparison
import HealthProfiles
import LinkTrace
import Scenarios
import Testing

/// The first step at which two fetches part.
@Suite struct PartingTests {
  private func parting(_ first: Scenario, _ second: Scenario) throws -> FetchParting? {
    ComparedFetches(try ScenarioSide.of(first), try ScenarioSide.of(second)).device?.parting
  }

  @Test func atTheResult() throws {
    let parting = try #require(try parting(.partialThenSkip(), .linkLossResume()))
    guard case .request(let octets, _)? = parting.first?.content,
      case .request(let others, _)? = parting.second?.content
    else {
      Issue.record("they part at \(parting)")
      return
    }
    #expect(octets == [0x01, 0x03, 0x01, 0x1F, 0x00])
    #expect(others == [0x01, 0x03, 0x01, 0x0D, 0x00])
  }

  @Test func atTheEncryption() throws {
    let steps: [Step] = [
      .adapterAppears, .firstArrival, .fetch(.all, 1...30), .farewell,
    ]
    let parting = try #require(try parting(.noEncryption(), Scenario("encrypted", steps)))
    #expect(parting.first?.content == .security(.clear))
    #expect(parting.second?.content == .security(.encrypted))
    #expect(parting.sharedSteps == 1)
  }

  @Test func whereOneEnds() throws {
    let steps: [Step] = [.adapterAppears, .firstArrival, .fetch(.all, 1...30), .farewell]
    let parting = try #require(try parting(Scenario("once", steps), .fullRefetch()))
    #expect(parting.first == nil)
    #expect(parting.second?.content == .link)
  }

  @Test func aTimeIsNoParting() throws {
    let slow: [Step] = [.adapterAppears, .firstArrival, .pace(microseconds: 200_000), .fetch(.all, 1...9), .farewell]
    let fast: [Step] = [.adapterAppears, .firstArrival, .fetch(.all, 1...9), .farewell]
    #expect(try parting(Scenario("slow", slow), Scenario("fast", fast)) == nil)
  }

  @Test func aCountIsNoParting() throws {
    let counted: [Step] = [.adapterAppears, .firstArrival, .ask(answer: 9), .fetch(.all, 1...9), .farewell]
    let plain: [Step] = [.adapterAppears, .firstArrival, .fetch(.all, 1...9), .farewell]
    #expect(try parting(Scenario("counted", counted), Scenario("plain", plain)) == nil)
  }

  /// An operand with "all": no meter can answer that, whoever counts.
  @Test func aMalformedCountIsAParting() throws {
    let malformed: [Step] = [
      .adapterAppears, .firstArrival, .write(.recordAccess, [0x04, 0x01, 0x00]), .accept,
      .result(.count, .invalidOperand), .confirm,
      .farewell,
    ]
    let sound: [Step] = [.adapterAppears, .firstArrival, .ask(answer: 9), .fetch(.all, 1...9), .farewell]
    let parting = try #require(try parting(Scenario("malformed", malformed), Scenario("sound", sound)))
    #expect(parting.first?.content == .request([0x04, 0x01, 0x00], isCommand: false))
    #expect(parting.second?.content == .request([0x01, 0x01], isCommand: false))
  }

  /// Where nothing was turned on, that counts at the request that is made all the same.
  @Test func subscriptionsThatLackCountAtTheRequest() throws {
    let bare: [Step] = [
      .adapterAppears, .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .report(.all), .refuse(error: 0x81),
      .farewell,
    ]
    let sound: [Step] = [.adapterAppears, .firstArrival, .fetch(.all, 1...9), .farewell]
    let side = try ScenarioSide.of(Scenario("bare", bare))
    let parting = try #require(ComparedFetches(side, try ScenarioSide.of(Scenario("sound", sound))).device?.parting)
    #expect(parting.first?.content == .subscriptions([]))
    #expect(parting.first?.frame == side.links[0].summary.procedures.first?.requestFrame)
  }

  @Test func aLinkMetInItsMiddleTellsNoParting() throws {
    let device = ComparedFetches(
      try ScenarioSide.of(.midConnectionStart()),
      try ScenarioSide.of(.firstSync())
    ).device
    #expect(device?.parting == nil)
    #expect(device?.isPartingUnseen == true)
  }
}
