import LinkTrace

extension SequenceSet {
  /// Drops the numbers that a report has shown to be gone from the store: the oldest record comes first (GLS 3.5), and
  /// those below it that it asked for as well are there no more.
  ///
  /// - Parameter asked: the numbers it asked for; nil where it names none.
  mutating func drop(below report: DeviceProcedure, _ asked: ClosedRange<UInt32>?) {
    guard let asked, let first = report.firstNumber.map(UInt32.init), report.sequences.minimum == first,
      asked.lowerBound < first
    else { return }
    remove(asked.lowerBound...min(first - 1, asked.upperBound))
  }
}
