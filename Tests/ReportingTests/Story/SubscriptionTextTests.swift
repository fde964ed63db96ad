import HealthProfiles
import Scenarios
import Testing

/// How the story tells subscriptions that the sensor need not hold.
@Suite struct SubscriptionTextTests {
  private static func story(_ steps: [Step]) throws -> String {
    let begin: [Step] = [.adapterAppears, .arrival, .exchangeMTU(185), .pair(), .discoverGlucose]
    return try StoryText.of(Scenario("subscriptions", begin + steps + [.fetch(.all, 1...3), .farewell]).capture())
  }

  @Test func preparedWritesAreSubscriptions() throws {
    let text = try Self.story(
      [
        .prepareWrite(.measurementConfiguration, offset: 0, [1, 0]),
        .prepareWrite(.contextConfiguration, offset: 0, [1, 0]), .executeWrite(writes: true), .accept,
        .writeLong(.recordAccessConfiguration, [2, 0]), .accept,
      ]
    )
    #expect(text.contains("subscribed  measurement, context, record access\n"), "\(text)")
    #expect(!text.contains("whether the sensor holds every subscription"))
  }

  /// What the profile does not send of a characteristic is no subscription like the others.
  @Test func theOtherBitIsMarked() throws {
    let text = try Self.story(
      [
        .write(.measurementConfiguration, [2, 0]), .accept, .write(.contextConfiguration, [1, 0]), .accept,
        .write(.recordAccessConfiguration, [1, 0]), .accept,
      ]
    )
    let line = "subscribed  measurement (for indications only), context, record access (for notifications only)\n"
    #expect(text.contains(line), "\(text)")
  }

  @Test func commandsAndSingleOctetsAreMarked() throws {
    let text = try Self.story(
      [
        .writeCommand(.measurementConfiguration, [1, 0]), .write(.contextConfiguration, [1]), .accept,
        .subscribe([.recordAccess]),
      ]
    )
    let line = "subscribed  measurement (by Write Command), context (not as two octets), record access\n"
    #expect(text.contains(line), "\(text)")
    #expect(text.contains("whether the sensor holds every subscription"))
  }
}
