import BluetoothWire
import LinuxBluetooth
import RecordStore

/// The bonds of a store, as an adapter is given them.
struct SyncBonds: BondKeeping {
  let store: RecordStore

  func bonds() throws(StoreError) -> [Bond] {
    try store.bonds().map { bond in
      Bond(
        address: bond.address,
        longTermKeys: bond.longTermKeys.map { key in
          LongTermKey(
            address: bond.address,
            type: key.type,
            isCentral: key.isCentral,
            size: key.keySize,
            diversifier: key.diversifier,
            random: key.random,
            value: key.value
          )
        },
        identityKey: bond.identityResolvingKey.map { IdentityKey(address: bond.address, value: $0) }
      )
    }
  }

  func keep(_ bond: Bond) throws(StoreError) {
    try store.save(
      StoredBond(
        address: bond.address,
        longTermKeys: bond.longTermKeys.map { key in
          StoredLongTermKey(
            type: key.type,
            isCentral: key.isCentral,
            keySize: key.size,
            diversifier: key.diversifier,
            random: key.random,
            value: key.value
          )
        },
        identityResolvingKey: bond.identityKey?.value
      )
    )
  }

  func forget(_ address: DeviceAddress) throws(StoreError) { try store.forgetBond(with: address) }
}
