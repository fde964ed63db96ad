import BluetoothWire
import HealthProfiles

/// Octets from hexadecimal text; wrong text gives no octets, which no test expects.
func bytes(_ text: String) -> [UInt8] { octets(hex: text) ?? [] }

/// A generator with a fixed seed (SplitMix64), so that every run tests the same values.
struct FixedGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  mutating func octets(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) } }
}

// A span may not be an argument inside #expect, so the recognisers are called on octets here.

func looksLikeMeasurement(_ octets: [UInt8]) -> Bool { GlucoseMeasurement.looksLikeMeasurement(octets.span.bytes) }

func looksLikeContext(_ octets: [UInt8]) -> Bool { GlucoseMeasurementContext.looksLikeContext(octets.span.bytes) }

func looksLikeRequest(_ octets: [UInt8], _ dialect: RecordAccessDialect = .health) -> Bool {
  RecordAccessRequest.looksLikeRequest(octets.span.bytes, dialect: dialect)
}

func looksLikeResponse(_ octets: [UInt8], _ dialect: RecordAccessDialect = .health) -> Bool {
  RecordAccessResponse.looksLikeResponse(octets.span.bytes, dialect: dialect)
}
