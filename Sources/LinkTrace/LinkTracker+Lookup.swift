extension LinkTracker {
  /// The number of the link that has a connection handle of an adapter now; nil where none has, or one of BR/EDR.
  public func linkNumber(adapter: UInt16, handle: UInt16) -> UInt32? {
    guard let slot = slotOfKey[ConnectionKey.of(adapter: adapter, handle: handle)], links[slot].transport != .classic
    else { return nil }
    return links[slot].history.number
  }
}
