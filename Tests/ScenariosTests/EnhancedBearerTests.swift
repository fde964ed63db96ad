import HealthProfiles
import Scenarios
import Testing

@Suite struct EnhancedBearerTests {
  @Test func unitsOverABearerAreThoseOfTheFixedChannel() {
    let steps: [Step] = [
      .subscribe(), .fetch(.all, 1...30), .notify(.handle(0x0050), [UInt8](repeating: 7, count: 150)),
    ]
    let plain = units(Scenario("plain", [.connect()] + steps).frames())
    let enhanced = units(Scenario("eatt", [.connect(), .openBearers(1), .selectBearer(0)] + steps).frames())
    var rebuilt: [[UInt8]] = []
    var missing = 0
    for unit in enhanced where unit.channel >= 0x0040 {
      #expect(unit.payload.count <= 64)
      if missing > 0, let last = rebuilt.indices.last {
        rebuilt[last] += unit.payload
        missing -= unit.payload.count
      } else {
        missing = Int(unit.payload[0]) + Int(unit.payload[1]) << 8 - (unit.payload.count - 2)
        rebuilt.append(Array(unit.payload.dropFirst(2)))
      }
    }
    #expect(missing == 0)
    #expect(rebuilt == plain.map(\.payload))
  }

  @Test func noPartySendsWithoutCredits() {
    var credits: [UInt16: Int] = [:]
    for unit in units(Scenario.eattSync().frames()) {
      if unit.channel >= 0x0040 {
        credits[unit.channel, default: 16] -= 1
        #expect(credits[unit.channel, default: 0] >= 0)
      } else if unit.channel == 5 && unit.payload[0] == 0x16 {
        credits[UInt16(unit.payload[4]), default: 16] += Int(unit.payload[6])
      }
    }
    #expect(credits.count >= 3)
  }
}
