/// Records that are odd in one way: how many, and where the first of them stand.
struct OddRecords: Sendable {
  private(set) var count = 0
  /// Indices of the PDUs, in file order.
  private(set) var places: [UInt32] = []
  /// Those whose places are not kept.
  var omitted: Int { count - places.count }

  mutating func add(_ place: UInt32) {
    count += 1
    if places.count < Finding.frameLimit { places.append(place) }
  }
}
