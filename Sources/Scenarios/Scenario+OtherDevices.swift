import BluetoothWire
import HealthProfiles

/// Traffic that is no glucose meter's.
extension Scenario {
  /// A long link of a proprietary gadget: 4,000 notifications on unnamed handles, no discovery, no control point.
  public static func vendorGadget() -> Scenario {
    var gadget = Meter(number: 77)
    gadget.name = "Band 7"
    gadget.advertisedServices = [0xFEE0]
    var steps: [Step] = [
      .adapterAppears, .arrival, .exchangeMTU(247, server: 247), .encrypt(), .write(.handle(0x0053), [0x01, 0x00]),
      .accept,
    ]
    for index in 0..<4000 {
      let target: MeterAttribute = .handle(index % 5 == 0 ? 0x0055 : 0x0052)
      steps.append(.notify(target, noise(index, count: 12 + index % 9 * 4)))
      if index % 40 == 39 { steps.append(.writeCommand(.handle(0x0050), noise(index &+ 1, count: 20))) }
      if index % 500 == 499 { steps.append(.wait(milliseconds: 60_000)) }
    }
    return Scenario("vendor-gadget", meter: gadget, steps + [.linkLoss])
  }

  /// A pump whose control point 0x002D speaks the Insulin Delivery op codes; its history on 0x0030 is opaque.
  public static func insulinPump() -> Scenario {
    var pump = Meter(number: 88)
    pump.name = "Pump 780"
    pump.advertisedServices = [0x183A]
    let control: MeterAttribute = .handle(0x002D)
    let count = RecordAccessRequest(.count, .all, dialect: .insulinDelivery)
    let report = RecordAccessRequest(.report, .atLeast(0x0001_0203), dialect: .insulinDelivery)
    let outcome: [UInt8] = [0x0F, 0x0F, 0x33, 0xF0]
    let history = (0..<48).map { Step.notify(.handle(0x0030), noise($0, count: 16)) }
    return Scenario(
      "insulin-pump",
      meter: pump,
      [
        .adapterAppears, .arrival, .exchangeMTU(185), .encrypt(), .write(.handle(0x002E), [0x02, 0x00]), .accept,
        .write(.handle(0x0031), [0x01, 0x00]), .accept, .write(control, count.octets), .accept,
        .indicate(control, [0x66, 0x0F, 48, 0, 0, 0]), .confirm, .write(control, report.octets), .accept,
      ] + history + [.indicate(control, outcome), .confirm, .farewell]
    )
  }

  /// Octets without a pattern, the same on every call.
  private static func noise(_ seed: Int, count: Int) -> [UInt8] {
    var state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678
    return (0..<count).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state >> 32)
    }
  }
}
