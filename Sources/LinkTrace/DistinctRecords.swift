/// The distinct records of one device: 16 octets each, in the order of their sequence numbers.
public struct DistinctRecords: Sendable {
  /// One record: its number, a hash of its content without the time offset, where it first came, and its base time.
  public struct Entry: Sendable {
    public var hash: UInt32
    public var firstFrame: UInt32
    /// Base time in seconds since 1970, truncated; 0 where it is not valid.
    public var baseTime: UInt32
    public var sequence: UInt16
    /// Deliveries, saturating.
    public var deliveries: UInt16
  }

  public private(set) var entries: [Entry] = []
  private var cursor = 0
  /// Contents kept of one number.
  private static let versionLimit = 16

  public init() {}

  /// What a delivery is to what was there before.
  public enum Arrival: Sendable { case new, again, changed }

  /// Adds a delivery.
  public mutating func insert(sequence: UInt16, hash: UInt32, frame: UInt32, baseTime: UInt32) -> Arrival {
    let next = cursor + 1
    if next < entries.count && entries[next].sequence == sequence && entries[next].hash == hash {
      cursor = next
      bump(next)
      return .again
    }
    let entry = Entry(hash: hash, firstFrame: frame, baseTime: baseTime, sequence: sequence, deliveries: 1)
    guard let last = entries.last, sequence <= last.sequence else {
      entries.append(entry)
      cursor = entries.count - 1
      return .new
    }
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].sequence < sequence { low = middle + 1 } else { high = middle }
    }
    var versions = 0
    while low < entries.count && entries[low].sequence == sequence {
      if entries[low].hash == hash {
        cursor = low
        bump(low)
        return .again
      }
      versions += 1
      low += 1
    }
    // A number with ever new content is told once as changed; a hostile file must not make it a list.
    guard versions < Self.versionLimit else { return .changed }
    entries.insert(entry, at: low)
    cursor = low
    return versions > 0 ? .changed : .new
  }

  private mutating func bump(_ index: Int) {
    if entries[index].deliveries < .max { entries[index].deliveries += 1 }
  }
}
