import BluetoothWire
import HealthProfiles
import Testing

/// What holds for all octets: nothing traps, and what decodes comes back unchanged.
struct RoundTripTests {
  /// Random octets of every length a notification of the default MTU has, and some more.
  private func forRandomOctets(seed: UInt64, _ check: ([UInt8]) throws -> Bool) rethrows -> [UInt8]? {
    var generator = FixedGenerator(seed: seed)
    for length in 0...24 {
      for _ in 0..<2_000 {
        let octets = generator.octets(length)
        if try !check(octets) { return octets }
      }
    }
    return nil
  }

  @Test func measurements() {
    let failed = forRandomOctets(seed: 2) { octets in
      let span = octets.span.bytes
      let prefix = GlucoseMeasurement.Prefix(decoding: span)
      let looks = GlucoseMeasurement.looksLikeMeasurement(span)
      guard let value = try? GlucoseMeasurement(decoding: span) else { return prefix.missing > 0 && !looks }
      return value.octets == octets && prefix.missing == 0 && prefix.annunciation == value.annunciation
        && prefix.concentration == value.concentration && prefix.timeOffset == value.timeOffset
        && (!looks || value.baseTime.isValid && value.trailing.isEmpty && value.reservedFlags == 0)
    }
    #expect(failed == nil)
  }

  @Test func contexts() {
    let failed = forRandomOctets(seed: 3) { octets in
      let looks = GlucoseMeasurementContext.looksLikeContext(octets.span.bytes)
      guard let value = try? GlucoseMeasurementContext(decoding: octets.span.bytes) else { return !looks }
      let reserved =
        value.carbohydrate?.identifier.isReserved == true || value.meal?.isReserved == true
        || value.condition?.tester.isReserved == true || value.condition?.health.isReserved == true
        || value.medication?.identifier.isReserved == true || (value.extendedFlags ?? 0) != 0
      return value.octets == octets && looks == (value.hasContent && !reserved && value.trailing.isEmpty)
    }
    #expect(failed == nil)
  }

  @Test func everyFlagsOctetOfAMeasurementAndAContext() throws {
    var generator = FixedGenerator(seed: 4)
    for flags in UInt8.min...UInt8.max {
      let measurement = [flags] + generator.octets(GlucoseMeasurement.expectedLength(flags: flags) - 1)
      #expect(try GlucoseMeasurement(decoding: measurement.span.bytes).octets == measurement)
      let context = [flags] + generator.octets(GlucoseMeasurementContext.expectedLength(flags: flags) - 1)
      #expect(try GlucoseMeasurementContext(decoding: context.span.bytes).octets == context)
    }
  }

  @Test func fixedSizeValues() {
    let failed = forRandomOctets(seed: 5) { octets in
      let span = octets.span.bytes
      func same(_ value: [UInt8]?, _ count: Int) -> Bool {
        value == (octets.count < count ? nil : Array(octets.prefix(count)))
      }
      return same(try? DateTime(decoding: span).octets, 7) && same(try? CurrentTime(decoding: span).octets, 10)
        && same(try? SystemID(decoding: span).octets, 8) && same(try? PnPID(decoding: span).octets, 7)
        && same(try? BatteryLevel(decoding: span).octets, 1) && same(try? GlucoseFeature(decoding: span).octets, 2)
        && same(try? MedicalFloat32(decoding: span).octets, 4)
        && DeviceInformationString(decoding: span).octets == octets
    }
    #expect(failed == nil)
  }

  @Test(arguments: [RecordAccessDialect.health, .insulinDelivery])
  func recordAccess(_ dialect: RecordAccessDialect) {
    let codes: [UInt8] =
      dialect == .health ? [0, 1, 2, 3, 4, 5, 6, 7, 8] : [0x0F, 0x33, 0x3C, 0x55, 0x5A, 0x66, 0x69, 0x01]
    var generator = FixedGenerator(seed: 6)
    var wellFormed = 0
    let failed = forRandomOctets(seed: 7) { random in
      // Mostly real codes in the first three octets, or almost nothing would be well formed.
      var octets = random
      for index in octets.indices.prefix(3) where generator.next() % 16 != 0 {
        octets[index] = codes.randomElement(using: &generator) ?? 0
      }
      let request = RecordAccessRequest(decoding: octets.span.bytes, dialect: dialect)
      let response = RecordAccessResponse(decoding: octets.span.bytes, dialect: dialect)
      if request.isWellFormed { wellFormed += 1 }
      let looksLikeRequest = RecordAccessRequest.looksLikeRequest(octets.span.bytes, dialect: dialect)
      let looksLikeResponse = RecordAccessResponse.looksLikeResponse(octets.span.bytes, dialect: dialect)
      // A reversed range of times is the only defect the cheap look does not see.
      let expected = request.isWellFormed && request.opCode != .combinedReport
      let isReversedTime = request.defect == .minimumAboveMaximum && request.filter == .userFacingTime
      return request.octets == octets && response.octets == octets && !request.summary.isEmpty
        && !response.summary.isEmpty
        && (looksLikeRequest == expected || isReversedTime && request.opCode != .combinedReport)
        && (!looksLikeResponse || response.isWellFormed) && !(request.isWellFormed && response.isWellFormed)
    }
    #expect(failed == nil)
    #expect(wellFormed > 200)
  }
}
