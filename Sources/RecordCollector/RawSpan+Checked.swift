import BluetoothWire

extension RawSpan {
  /// The octet at `offset`, or nil where the span ends before it.
  func u8At(_ offset: Int) -> UInt8? { offset < byteCount ? u8(at: offset) : nil }
}
