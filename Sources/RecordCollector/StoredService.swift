/// The service whose records are kept; the raw value is its 16-bit UUID.
public enum StoredService: UInt16, Hashable, Sendable {
  case glucose = 0x1808
}
