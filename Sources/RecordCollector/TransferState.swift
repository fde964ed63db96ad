import HealthProfiles

/// How far the fetch of the records is, from its request to the commit.
struct TransferState: Sendable {
  /// Which records are asked for.
  var selection: RecordSelection
  /// The octets of the request, once it was sent.
  var request: [UInt8] = []
  /// A request was replaced by "all" because the meter refused it: done once.
  var hasFallenBack = false
  /// It takes the place of another transfer of this run: the records themselves are wanted now, no count before them.
  var isAskedAgain = false
  /// The increment was asked for a second time because the last record shows that there is one.
  var isRepeated = false
  /// The request was written; from here on measurements are kept.
  var hasStarted = false
  /// The response came and says success or no records.
  var isAnswered = false
  var wasSuccess = false
  var answeredAt: UInt64 = 0
  /// Another procedure was run after the response, so that late records have had their time.
  var wasFollowed = false
  /// Values that came after the response.
  var trailing = 0
  var lastTrailing: UInt64 = 0
  /// Numbers that were asked for beside the transfer, to check it or to complete it.
  var askedBeside: [ClosedRange<UInt16>] = []
  /// How many values had come when the first of these was asked for.
  var ownValues: Int?
  /// What the meter says it has.
  var count: Int?
  var countIsAsked = false
  /// How often all was asked for again because the count said that some was lost, and what had come the last time.
  var attempts = 0
  var numbersBefore: [UInt16] = []
  var gapsArePlanned = false
  var gaps: [ClosedRange<UInt16>] = []
  var numberingIsVerified = false
  /// The record at the mark was asked for though others below it had come.
  var markIsAsked = false
  /// Single records that are asked for again.
  var againIsPlanned = false
  var again: [UInt16] = []

  init(selection: RecordSelection) { self.selection = selection }

  var isFull: Bool { selection == .all }

  /// Whether a record with this number would have come, were it there.
  func covers(_ number: UInt16) -> Bool {
    UInt32(number) >= selection.minimum ?? 0 && UInt32(number) <= selection.maximum ?? .max
  }
}
