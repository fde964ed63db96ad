/// A row of the table of steps.
enum StepRow { case link, security, subscriptions, request, records, pauses, result, end }

/// What one side did, in the cells of the table of steps: on a link of a capture, or in a sync that a store remembers.
protocol StepCells {
  var procedureCount: Int { get }

  func isCount(_ procedure: Int) -> Bool

  /// The text of a cell; empty where there is nothing to say.
  func text(_ row: StepRow, _ procedure: Int?) -> String
}
