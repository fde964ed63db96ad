public import HealthProfiles

extension Step {
  /// A request on the Record Access Control Point, without the Write Response (GLS 3.4).
  public static func request(_ opCode: RecordAccessOpCode, _ selection: RecordSelection) -> Step {
    .write(.recordAccess, RecordAccessRequest(opCode, selection).octets)
  }

  /// Report stored records.
  public static func report(_ selection: RecordSelection) -> Step { .request(.report, selection) }

  /// Report number of stored records.
  public static func count(_ selection: RecordSelection) -> Step { .request(.count, selection) }

  /// Delete stored records.
  public static func delete(_ selection: RecordSelection) -> Step { .request(.delete, selection) }

  /// Abort operation.
  public static var abort: Step { .write(.recordAccess, RecordAccessRequest.abort().octets) }

  /// The sensor's Response Code: which request it answers and how it went.
  public static func result(_ request: RecordAccessOpCode, _ value: RecordAccessResponseValue) -> Step {
    .indicate(.recordAccess, [0x06, 0x00, request.octet(), value.octet()])
  }

  /// The sensor's Number of stored records response.
  public static func counted(_ number: UInt16) -> Step {
    .indicate(
      .recordAccess,
      [0x05, 0x00, UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    )
  }

  /// A stored record, its context after it where the meter has one.
  public static func record(_ number: UInt16, withContext: Bool = true) -> Step {
    .storedRecord(number, withContext: withContext)
  }

  /// Stored records in order of their sequence numbers.
  public static func records(_ numbers: ClosedRange<UInt16>) -> Step { .group(numbers.map { .record($0) }) }

  /// A record of the first meter, changed, as a notification without its context.
  public static func changedRecord(
    _ number: UInt16,
    withOffset: Bool = false,
    _ change: (inout GlucoseMeasurement) -> Void = { _ in }
  ) -> Step {
    var measurement = Meter().measurement(number, withOffset: withOffset)
    measurement.contextFollows = false
    change(&measurement)
    return .measurement(measurement)
  }

  /// Any measurement as a notification.
  public static func measurement(_ measurement: GlucoseMeasurement) -> Step {
    .notify(.measurement, measurement.octets)
  }

  /// Any context as a notification.
  public static func context(_ context: GlucoseMeasurementContext) -> Step { .notify(.context, context.octets) }

  /// A whole Report: request, Write Response, records, success, confirmation.
  public static func fetch(_ selection: RecordSelection, _ numbers: ClosedRange<UInt16>) -> Step {
    .group([.report(selection), .accept, .records(numbers), .result(.report, .success), .confirm])
  }

  /// A whole count: request, Write Response, number, confirmation.
  public static func ask(_ selection: RecordSelection = .all, answer: UInt16) -> Step {
    .group([.count(selection), .accept, .counted(answer), .confirm])
  }

  /// A Report that finds nothing.
  public static func fetchNothing(_ selection: RecordSelection) -> Step {
    .group([.report(selection), .accept, .result(.report, .noRecordsFound), .confirm])
  }
}
