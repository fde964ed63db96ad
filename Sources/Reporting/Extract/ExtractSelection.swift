/// Which links of a capture an extract holds.
public enum ExtractSelection: Sendable, Equatable {
  /// Links by their numbers, as `show` prints them.
  case links([UInt32])
  /// Every link of one device: an address in its printed form, a name, or the beginning of a name.
  case device(String)
}
