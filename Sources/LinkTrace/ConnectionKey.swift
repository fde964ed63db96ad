/// One number for a connection handle and the controller it belongs to.
public enum ConnectionKey {
  /// Controller index in the upper, the handle's 12 bits in the lower 16 bits.
  @inlinable
  public static func of(adapter: UInt16, handle: UInt16) -> UInt32 {
    UInt32(adapter) << 16 | UInt32(handle & 0x0FFF)
  }
}
