extension Array {
  /// The end of the elements at the beginning that a condition holds for, found by halving; `count` where it holds for
  /// all.
  ///
  /// - Parameter isBefore: holds for no element behind one that it does not hold for.
  @inlinable
  public func endOfPrefix(where isBefore: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
