import BluetoothWire
import CaptureFiles
import FetchComparison
import HealthProfiles
import LinkTrace
import Scenarios

/// Reads the links of scenarios into a side.
struct ScenarioSide: LinkConsumer {
  var side: ComparedSide

  mutating func take(_ history: borrowing LinkHistory, from tracker: borrowing LinkTracker) {
    side.take(history, name: nil)
  }

  static func of(
    _ scenario: Scenario,
    _ rendering: Rendering = Rendering(),
    ignoringIdentity: Bool = false
  ) throws -> ComparedSide {
    var consumer = ScenarioSide(side: ComparedSide(ignoringIdentity: ignoringIdentity))
    var tracker = LinkTracker()
    var reader = try CaptureReader.open(.memory(scenario.capture(rendering), name: scenario.name))
    tracker.read(&reader, into: &consumer)
    tracker.finish(into: &consumer)
    return consumer.side
  }

  static func steps(_ steps: [Step], meter: Meter = Meter()) throws -> ComparedSide {
    try of(Scenario("steps", meter: meter, steps))
  }

  /// Rows of a store with the meter's own records.
  static func rows(_ numbers: ClosedRange<UInt16>, of meter: Meter = Meter()) -> ComparedSide {
    var side = ComparedSide()
    for number in numbers {
      let octets = meter.measurement(number).octets
      side.take(
        measurement: octets.span.bytes,
        contexts: meter.hasContext(number) ? [meter.context(number).octets] : [],
        offset: meter.offset(of: number),
        of: meter.address,
        name: nil
      )
    }
    return side
  }
}

extension ComparedFetches {
  /// The only device.
  var device: DeviceComparison? { devices.count == 1 ? devices[0] : nil }

  /// Causes and ranges of what the first side lacks: `skipped 13-30`.
  var lacks: [String] {
    (device?.missingFromFirst ?? []).map { group in
      let ranges = group.numbers.ranges.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: " ")
      return "\(group.cause)".prefix { $0 != "(" } + " " + ranges
    }
  }
}
