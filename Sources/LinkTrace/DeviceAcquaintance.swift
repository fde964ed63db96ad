/// What the links of one device have shown of it so far.
struct DeviceAcquaintance: Sendable {
  private(set) var signs: HealthSigns = []
  /// What was known when the link was read of whose device least was known.
  private var least = HealthSigns.all

  /// Takes over what a link shows; false where an earlier one was read without it.
  mutating func meet(_ shown: HealthSigns) -> Bool {
    signs.formUnion(shown)
    least.formIntersection(signs)
    return !isOutdated
  }

  /// Takes over what links of another capture show; true where one of this capture was read without it.
  mutating func hear(_ told: HealthSigns) -> Bool {
    signs.formUnion(told)
    return isOutdated
  }

  /// True where a link was read without something that matters for it: where records came, the name of their service adds
  /// nothing.
  private var isOutdated: Bool {
    let known = least.contains(.records) ? least.union(.glucose) : least
    return !known.isSuperset(of: signs)
  }

  /// Begins another pass over the same links with what is known by now.
  mutating func startSecondPass() { least = .all }
}
