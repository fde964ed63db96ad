import BluetoothWire
import RecordCollector
import Testing

@Suite struct ValueTests {
  private func cache() -> AttributeCache {
    AttributeCache(
      glucoseService: 5...16,
      measurement: .init(declaration: 6, value: 7, properties: 0x10, configuration: 8),
      context: .init(declaration: 9, value: 10, properties: 0x10, configuration: 11),
      feature: .init(declaration: 12, value: 13, properties: 2),
      recordAccess: .init(declaration: 14, value: 15, properties: 0x28, configuration: 16),
      currentTime: 20,
      deviceInformation: [0x2A29: 30, 0x2A24: 32],
      databaseHash: [UInt8](repeating: 9, count: 16)
    )
  }

  @Test func cacheSurvivesItsStoredForm() {
    #expect(AttributeCache(octets: cache().octets) == cache())
    var small = cache()
    small.context = nil
    small.databaseHash = nil
    small.deviceInformation = [:]
    #expect(AttributeCache(octets: small.octets) == small)
  }

  @Test func damagedCacheIsNotRead() {
    let octets = cache().octets
    for length in 0..<octets.count { _ = AttributeCache(octets: [UInt8](octets.prefix(length))) }
    #expect(AttributeCache(octets: []) == nil)
    #expect(AttributeCache(octets: [2] + octets.dropFirst()) == nil)
    #expect(AttributeCache(octets: [UInt8](octets.dropLast())) == nil)
  }

  @Test func contentIsComparedWithoutThePresenceOfTheOffset() {
    let bare = [0x02, 5, 0, 0xEA, 7, 3, 4, 5, 6, 7, 0x7B, 0xB0, 0x11] as [UInt8]
    var with = bare
    with[0] = 0x03
    with.insert(contentsOf: [0xC4, 0xFF], at: 10)
    let first = CollectedRecord(sequenceNumber: 5, value: with, offset: -60)
    #expect(first.valueWithoutOffset == bare)
    #expect(first.hasSameContent(as: CollectedRecord(sequenceNumber: 5, value: bare, offset: -60)))
    #expect(first.hasSameContent(as: CollectedRecord(sequenceNumber: 5, value: bare)))
    #expect(!first.hasSameContent(as: CollectedRecord(sequenceNumber: 5, value: bare, offset: 0)))
    #expect(!first.hasSameContent(as: CollectedRecord(sequenceNumber: 6, value: bare, offset: -60)))
    #expect(CollectedRecord(sequenceNumber: 5, value: [0x03]).valueWithoutOffset == [0x03])
    #expect(CollectedRecord(sequenceNumber: 5, value: []).baseTime == nil)
  }

  @Test func pausesGrowAndEnd() {
    var schedule = RetrySchedule(firstPause: 2, longestPause: 10, attempts: 5)
    let lost = SyncRun(outcome: .linkLost(reason: "0x08"))
    #expect((0..<6).map { _ in schedule.pause(after: lost) } == [2, 4, 8, 10, nil, nil])
    var partly = RetrySchedule(firstPause: 2, longestPause: 10, attempts: 3)
    var stored = lost
    stored.stored = 3
    #expect((0..<5).map { _ in partly.pause(after: stored) } == [2, 2, 2, 2, 2])
    #expect(partly.pause(after: SyncRun(outcome: .synced(new: 3))) == nil)
  }
}
