public import BluetoothWire
public import RecordCollector

/// A name for a record that is the same in every export, so that what imports it twice creates nothing twice.
///
/// Device identity, service, epoch and sequence number. Text: `F0:0D:CA:FE:00:01-random-1808-0-17`, with `-v1` where it is
/// other content under a known number, with `-context0` where it is a context without record.
public struct SyncIdentifier: Hashable, Sendable {
  public var meter: DeviceAddress
  public var service: StoredService
  public var epoch: UInt32
  public var sequenceNumber: UInt16
  public var kind: Kind

  /// What it names.
  public enum Kind: Hashable, Sendable {
    case record(variant: UInt32)
    case orphan(ordinal: UInt32)
  }

  public init(
    meter: DeviceAddress,
    service: StoredService = .glucose,
    epoch: UInt32,
    sequenceNumber: UInt16,
    kind: Kind = .record(variant: 0)
  ) {
    self.meter = meter
    self.service = service
    self.epoch = epoch
    self.sequenceNumber = sequenceNumber
    self.kind = kind
  }
}

extension SyncIdentifier: CustomStringConvertible {
  public var description: String {
    let type = meter.isRandom ? "random" : "public"
    let text = "\(meter)-\(type)-\(hex(UInt64(service.rawValue), digits: 4))-\(epoch)-\(sequenceNumber)"
    switch kind {
    case .record(variant: 0): return text
    case .record(let variant): return text + "-v\(variant)"
    case .orphan(let ordinal): return text + "-context\(ordinal)"
    }
  }
}
