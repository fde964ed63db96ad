extension [UInt8] {
  /// Appends the octets of a span; allocates only where the capacity is used up.
  @inline(__always)
  mutating func append(octetsOf span: RawSpan) {
    unsafe span.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }
}
