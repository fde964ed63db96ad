import BluetoothWire
import RecordCollector
import RecordStore
import Testing

/// Keys with octets that are easy to find.
enum BondSample {
  static let key: [UInt8] = Array(0xA0...0xAF)
  static let identityKey: [UInt8] = Array(0xB0...0xBF)
  static let bond = StoredBond(
    address: Sample.meter,
    longTermKeys: [
      StoredLongTermKey(
        type: 1,
        isCentral: true,
        keySize: 16,
        diversifier: 0xFEDC,
        random: 0xFEDC_BA98_7654_3210,
        value: key
      ),
      StoredLongTermKey(type: 2, isCentral: false, keySize: 7, diversifier: 0, random: 0, value: key.reversed()),
    ],
    identityResolvingKey: identityKey
  )
}

/// Keys of bonds: kept, and never shown.
@Suite struct BondTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  @Test func aBondComesBackAsItWas() throws {
    try folder.open().save(BondSample.bond)
    let store = try folder.open()
    #expect(try store.bond(with: Sample.meter) == BondSample.bond)
    #expect(try store.bonds() == [BondSample.bond])
    #expect(try store.memory(of: Sample.meter).isBonded)
    #expect(try store.bond(with: Sample.otherMeter) == nil)
  }

  @Test func aNewBondTakesThePlaceOfTheOld() throws {
    let store = try folder.open()
    try store.save(BondSample.bond)
    var bond = BondSample.bond
    bond.longTermKeys.removeLast()
    bond.identityResolvingKey = nil
    try store.save(bond)
    #expect(try store.bonds() == [bond])
  }

  /// Handles outlive a link only with the bond (Core Vol 3 Part G 2.5.2).
  @Test func aForgottenBondTakesItsHandlesAlong() throws {
    let store = try folder.open()
    let characteristic = AttributeCache.Characteristic(declaration: 11, value: 12, properties: 0x10, configuration: 13)
    let cache = AttributeCache(glucoseService: 10...21, measurement: characteristic, recordAccess: characteristic)
    for meter in [Sample.meter, Sample.otherMeter] { try store.remember(attributes: cache, of: meter) }
    try store.save(BondSample.bond)
    try store.forgetBond(with: Sample.meter)
    #expect(try store.memory(of: Sample.meter).attributes == nil)
    #expect(try store.memory(of: Sample.otherMeter).attributes == cache)
  }

  @Test func aForgottenBondLeavesTheRecordsAndNoKeyInAnyFile() throws {
    let store = try folder.open()
    _ = try store.commit(Sample.batch(0...4), for: Sample.meter)
    try store.save(BondSample.bond)
    try store.forgetBond(with: Sample.meter)
    #expect(try store.memory(of: Sample.meter).isBonded == false)
    #expect(try store.allRecords().count == 5)
    for name in try folder.names {
      #expect(try !Octets.contain(folder.octets(name), BondSample.key), "\(name)")
      #expect(try !Octets.contain(folder.octets(name), BondSample.identityKey), "\(name)")
    }
  }

  @Test func aKeyOfAnotherLengthIsRefused() throws {
    let store = try folder.open()
    var bond = BondSample.bond
    bond.longTermKeys[0].value = [1, 2, 3]
    let error = storeError { () throws(StoreError) in try store.save(bond) }
    #expect(error?.kind == .refused)
    #expect(try store.bonds().isEmpty)
  }

  @Test func nothingPrintsAKey() {
    let bond = BondSample.bond
    var dumped = ""
    dump(bond, to: &dumped)
    dump(bond.longTermKeys[0], to: &dumped)
    let texts = [
      dumped, "\(bond)", String(reflecting: bond), "\(bond.longTermKeys)", String(reflecting: bond.longTermKeys),
      String(describing: Optional(bond)),
    ]
    for text in texts {
      #expect(!text.contains("160"))
      #expect(!text.lowercased().contains("a0"))
      #expect(!text.contains("\(0xFEDC)"))
    }
  }
}
