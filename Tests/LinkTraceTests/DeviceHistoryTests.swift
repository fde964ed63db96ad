import BluetoothWire
import HealthProfiles
import Scenarios
import Testing

@testable import LinkTrace

/// One device over its links, and what it costs.
@Suite struct DeviceHistoryTests {
  private func device(_ scenario: Scenario, _ side: Party = .collector) throws -> DeviceHistory {
    let links = Trace(scenario.frames(Rendering(side: side))).links
    let first = try #require(links.first)
    var device = DeviceHistory(DeviceHistory.Key(first))
    for link in links { device.take(link) }
    return device
  }

  private func numbers(_ device: DeviceHistory) -> [UInt16] {
    var numbers: [UInt16] = []
    device.records.visit { numbers.append($0.sequence) }
    return numbers
  }

  @Test func `a record is a record however often it comes`() throws {
    let device = try device(.fullRefetch())
    #expect(device.links.count == 3)
    #expect(device.records.count == 30)
    #expect(numbers(device) == Array(1...30))
    #expect(device.records.changes.isEmpty && device.records.moves.isEmpty && device.records.restarts.isEmpty)
    #expect(device.records[7]?.link == 0)
    #expect(device.records[31] == nil && device.records[65_535] == nil)
    #expect(device.links.map { $0.procedures.count } == [1, 1, 1])
    #expect(device.links.map(\.security.hasBonded) == [true, false, false])
    #expect(device.links.map(\.security.usedStoredKey) == [false, true, true])
  }

  @Test func `the offset of a record is that of the one before where it is not sent`() throws {
    let device = try device(.clockChange())
    var offsets: Set<Int16> = []
    device.records.visit { record in
      if let offset = record.offset { offsets.insert(offset) }
    }
    #expect(offsets == [0, -180])
    let record = try #require(device.records[1])
    #expect(record.userFacingTime == record.baseTime)
  }

  /// Each of two mixed reports leaves out the offset that it sent last itself.
  @Test func `no offset is inherited in mixed reports`() throws {
    func measurement(_ number: UInt8, offset: Int16? = nil) -> Step {
      var octets: [UInt8] = [offset == nil ? 0x02 : 0x03, number, 0, 0xEA, 0x07, 1, number, 8, 0, 0]
      if let offset { octets += [UInt8(truncatingIfNeeded: offset), UInt8(truncatingIfNeeded: offset >> 8)] }
      return .notify(.measurement, octets + [100, 0xB0, 0x11])
    }
    let steps: [Step] = [
      .firstArrival, .report(.all), .accept, measurement(1, offset: 0), measurement(2), measurement(3, offset: -60),
      .report(.all), .accept, measurement(4), measurement(1, offset: 0), measurement(5), measurement(2), measurement(6),
      .result(.report, .success), .confirm, measurement(3, offset: -60), measurement(4), measurement(5), measurement(6),
      .result(.report, .success), .confirm, .farewell,
    ]
    let device = try device(Scenario("mixed", steps))
    #expect(device.records.count == 6)
    #expect(device.records.moves.isEmpty && device.records.changes.isEmpty, "\(device.records.moves)")
    #expect(device.records[6]?.offset == -60)
  }

  @Test func `a count that begins anew is told by number and time`() throws {
    let device = try device(.counterRestarted())
    let restart = try #require(device.records.restarts.first)
    #expect(device.records.restarts.count == 1)
    #expect(restart.new.sequence <= restart.old.sequence && restart.new.time > restart.old.time)
  }

  @Test(arguments: Party.allCases)
  func `both ends show the same device`(side: Party) throws {
    let device = try device(.linkLossResume(), side)
    #expect(device.key.isLocal == (side == .sensor))
    #expect(device.records.count == 30)
    #expect(device.links.first?.procedures.contains { $0.isBrokenOff } == true)
  }

  @Test func `parts are joined in the order of their times`() throws {
    let early = Scenario("early", [.firstArrival, .fetch(.all, 1...6), .farewell])
    let late = Scenario(
      "late",
      start: early.start + 3_600_000_000,
      [.bondedArrival, .fetch(.atLeast(5), 5...9), .farewell]
    )
    let parts = [(UInt16(0), try device(late)), (UInt16(1), try device(early))]
    let joined = DeviceHistory.joined(parts, names: ["late", "early"])
    #expect(joined.count == 1)
    let whole = try #require(joined.first)
    #expect(whole.links.map(\.file) == [1, 0])
    #expect(numbers(whole) == Array(1...9))
    #expect(whole.records[5]?.link == 0 && whole.records[9]?.link == 1)
    #expect(whole.link(1, file: 0) == 1)
  }

  @Test func `the same traffic twice is not joined with itself`() throws {
    let one = try device(.firstSync())
    let joined = DeviceHistory.joined([(0, one), (1, one)])
    #expect(joined.map { $0.links.count } == [1, 1])
    #expect(joined.map { $0.links.first?.file } == [0, 1])
  }

  @Test func `a private address that no key resolves is no identity`() throws {
    let key = DeviceHistory.Key()
    #expect(!key.isIdentity)
    let link = try #require(Trace(Scenario.firstSync().frames()).links.first)
    #expect(DeviceHistory.Key(link).isIdentity)
  }

  @Test func `a link costs less than a kilobyte and a record 16 octets`() throws {
    #expect(MemoryLayout<PackedDeviceRecord>.stride == 16)
    // Two procedures, each with the octets of its request in an allocation of its own.
    let link = MemoryLayout<DeviceLink>.stride + 2 * (MemoryLayout<DeviceProcedure>.stride + 64)
    #expect(link <= 1_024, "\(link)")
  }

  @Test func `what fits 16 octets comes back, and what does not is kept elsewhere`() throws {
    func packed(_ year: UInt64, _ rest: UInt64) -> UInt64 { year << 40 | rest }
    let usual = DeviceRecord(
      time: packed(2_026, 0x0C_1F_17_3B_3B),
      frame: .max,
      packedContent: DeviceRecord.offsetFlag | 0x03FF_FFFF,
      link: 16_383,
      sequence: 65_535,
      packedOffset: -2_048
    )
    #expect(PackedDeviceRecord(usual)?.record(65_535) == usual)
    var odd: [DeviceRecord] = []
    for (time, link, offset) in [
      (packed(4_096, 0x0101_0000_00), 0, 0), (packed(2_026, 0xFF_1F_17_3B_3B), 0, 0),
      (packed(2_026, 0x0C_20_17_3B_3B), 0, 0),
      (packed(2_026, 0x0C_1F_FF_3B_3B), 0, 0), (packed(2_026, 0x0C_1F_17_40_3B), 0, 0),
      (packed(2_026, 0x0C_1F_17_3B_40), 0, 0),
      (packed(2_026, 0x0101_0000_00), 16_384, 0), (packed(2_026, 0x0101_0000_00), 0, 2_048),
      (packed(2_026, 0x0101_0000_00), 0, -2_049),
    ] as [(UInt64, UInt32, Int16)] {
      odd.append(
        DeviceRecord(
          time: time,
          frame: 9,
          packedContent: DeviceRecord.offsetFlag | 7,
          link: link,
          sequence: UInt16(odd.count + 1),
          packedOffset: offset
        )
      )
    }
    var records = DeviceRecords()
    for record in odd {
      #expect(PackedDeviceRecord(record) == nil, "\(record)")
      records.insert(record)
    }
    #expect(records.count == odd.count && records.changeCount == 0)
    for record in odd { #expect(records[record.sequence] == record) }
    var settled = try #require(odd.first)
    settled.packedOffset = 5
    records.insert(settled)
    #expect(records.moveCount == 1 && records[1] == settled)
    records.insert(usual)
    var visited: [DeviceRecord] = []
    records.visit { visited.append($0) }
    #expect(visited == [settled] + odd.dropFirst() + [usual])
  }

  @Test func `records in any order cost the same`() {
    var history = DeviceHistory(DeviceHistory.Key())
    let steps: [Step] =
      [.firstArrival, .report(.all), .accept]
      + (1...400).reversed().map { .record(UInt16($0 * 160), withContext: false) } + [
        .result(.report, .success), .confirm,
      ]
    for link in Trace(Scenario("descending", steps).frames()).links { history.take(link) }
    #expect(history.records.count == 400)
    #expect(numbers(history) == (1...400).map { UInt16($0 * 160) })
  }
}
