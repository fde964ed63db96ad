import LinkTrace

/// The comparison of one device.
public struct DeviceComparison: Sendable {
  /// Indices into the devices of the two sides; nil where a side has none with this identity.
  public var first: Int?
  public var second: Int?
  public var alignment: RecordAlignment
  /// What each side lacks, by cause, the gravest first.
  public var missingFromFirst: [MissingRecords]
  public var missingFromSecond: [MissingRecords]
  /// Nil where both did the same, where one side has no links with it, and where that cannot be told.
  public var parting: FetchParting?
  /// True where the capture of either side starts in the middle of its first link: what it did there before is unseen.
  public var isPartingUnseen = false

  init(_ first: Int?, _ second: Int?, _ firstSide: ComparedSide, _ secondSide: ComparedSide) {
    self.first = first
    self.second = second
    let one = first.map { firstSide.devices[$0] }
    let other = second.map { secondSide.devices[$0] }
    alignment = RecordAlignment(one, other, firstSide, secondSide)
    missingFromFirst = MissingRecords.groups(
      alignment.onlySecond,
      of: other,
      on: secondSide,
      lackedBy: one,
      on: firstSide,
      holding: alignment.first.numbers
    )
    missingFromSecond = MissingRecords.groups(
      alignment.onlyFirst,
      of: one,
      on: firstSide,
      lackedBy: other,
      on: secondSide,
      holding: alignment.second.numbers
    )
    guard let one, let other, !one.links.isEmpty, !other.links.isEmpty else { return }
    isPartingUnseen = [(one, firstSide), (other, secondSide)].contains { device, side in
      device.links.first.map { side.links[$0].summary.start == nil } ?? false
    }
    if isPartingUnseen { return }
    parting = FetchParting(FetchSteps.of(one, firstSide), FetchSteps.of(other, secondSide))
  }

  /// True where either side holds a record.
  public var hasRecords: Bool { alignment.first.records + alignment.second.records > 0 }
}
