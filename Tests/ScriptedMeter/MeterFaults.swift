/// What a `ScriptedMeter` does wrong or declines to do.
public struct MeterFaults: Sendable {
  /// Nanoseconds between two values of a report.
  public var interval: UInt64 = 8_000_000
  /// Nanoseconds before the value with this index, once in each report.
  public var stall: (index: Int, pause: UInt64)?
  /// Nanoseconds between the last record and the response.
  public var lateResponse: UInt64 = 0
  /// How many records come after the response; a large number for all.
  public var recordsAfterResponse = 0
  /// Every fifth record is sent twice.
  public var duplicates = false
  /// Numbers left out of all reports but those of a range.
  public var skipped: Set<UInt16> = []
  /// Measurements that end after the base time, whatever their flags announce.
  public var shortened: Set<UInt16> = []
  /// The same, but in all reports but those of a range.
  public var cut: Set<UInt16> = []
  /// So many procedures a link are answered; those that follow end as `afterwards` says. Nil: any number.
  public var proceduresALink: Int?
  public var afterwards = Refusal.silence
  /// Requests that begin with these octets always end so.
  public var refusals: [[UInt8]: Refusal] = [:]
  public var noResponse = false
  /// The response names another request.
  public var wrongOpCode = false
  /// So many requests are refused with ATT 0x80.
  public var busy = 0
  /// The same with the response code 0x0A.
  public var serverBusy = 0
  /// A request is never answered by a Write Response.
  public var noWriteResponse = false
  /// Numbers whose context is announced and left out of all reports but those of a range.
  public var lostContexts: Set<UInt16> = []
  /// No context is ever sent.
  public var noContexts = false
  /// Numbers whose measurement is left out of all reports but those of a range, though its context is sent.
  public var orphans: Set<UInt16> = []
  /// Contexts come before their measurements.
  public var contextFirst = false
  public var newestFirst = false
  /// Response codes for requests the meter does not know.
  public var refusesAtLeast: UInt8?
  public var refusesRange: UInt8?
  public var refusesLast: UInt8?
  public var refusesCount: UInt8?
  public var refusesDelete: UInt8?
  /// Every Report is answered by this code.
  public var refusesReport: UInt8?
  /// Reports "greater than or equal" as if all had been asked for.
  public var ignoresFilter = false
  /// Has no record for any request but "last".
  public var hidesAllButTheLast = false
  /// Answers "no records found" after the records.
  public var deniesRecords = false
  /// Answers "success" where it has none.
  public var successForNone = false
  /// Requests of control point, subscriptions and reads need an encrypted link.
  public var requiresSecurity = true
  /// With `requiresSecurity`, an authenticated key.
  public var requiresAuthentication = false
  /// So many requests are refused with ATT 0x81 though all is subscribed.
  public var forgetsSubscriptions = 0
  /// The first Delete is refused in the same way.
  public var forgetsSubscriptionsAtDelete = false
  /// Handles begin here.
  public var firstHandle: UInt16 = 1
  public var databaseHash: [UInt8]?
  /// Indicates Service Changed after the subscriptions.
  public var indicatesServiceChanged = false
  /// Requests of its own that the meter sends when the link is up.
  public var ownRequests: [[UInt8]] = []
  /// The clock is a Date Time in the Glucose Service instead of the Current Time Service.
  public var hasDateTimeInGlucoseService = false
  /// There is no Glucose Service.
  public var isAnotherDevice = false
  /// The count is so much too high.
  public var countError = 0
  /// Acknowledges Delete as `02 01`, no response at all.
  public var malformedDeleteResponse = false

  /// How a meter does not do what it is asked.
  public enum Refusal: Sendable {
    /// The write is answered, and nothing follows.
    case silence
    /// Not even the write is answered.
    case unansweredWrite
    /// It hangs up when it is asked.
    case hangUp
    /// It has hung up already, as soon as its last response was sent.
    case hangUpBefore
  }

  public init() {}
}
