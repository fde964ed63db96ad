import LinkTrace

extension DeviceSubject {
  /// Adds the numbers of records that came to a collector outside of the capture's procedures.
  ///
  /// - Parameters:
  ///   - links: the links that are looked at; those of other collectors and eras among them are left out.
  func addStrays(
    of collector: Int,
    on links: Range<Int>,
    era: Int,
    to numbers: inout SequenceSet,
    _ device: borrowing DeviceHistory
  ) {
    for link in links where standings[link].collector == collector && standings[link].era == era {
      if !device.links[link].strays.isEmpty { numbers.formUnion(device.links[link].strays) }
    }
  }
}
