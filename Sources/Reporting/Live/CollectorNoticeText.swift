import BluetoothWire
import HealthProfiles
public import RecordCollector

extension CollectorNotice {
  /// One sentence for a person.
  public var sentence: String {
    switch self {
    case .numberingRestarted(let mark, let found):
      "The meter's numbers started anew (the highest held is \(mark), the meter has \(found)): everything is fetched."
    case .numbersExhausted:
      "The meter has used its last number, 65535: everything is fetched and what is held is left out."
    case .staleAttributes: "The remembered handles were wrong; the services were discovered again."
    case .servicesChanged: "The meter said that its services changed."
    case .fellBack(.count, let value):
      "The meter does not count its records (\(value.name)); they come without a count."
    case .fellBack(.reportLast, let value):
      "The meter does not report its last record (\(value.name)); its numbering is checked in another way."
    case .fellBack(_, let value):
      "The meter refuses the narrower request (\(value.name)); a wider one is used from now on."
    case .oneProcedureALink:
      "The meter answers one request on a link and no second one: from now on everything is asked for in one request."
    case .filterIgnored(let asked, let got): "The meter was asked for records \(asked) and sent record \(got) too."
    case .busy(let attempt): "The meter is busy with another procedure; asking again (\(attempt))."
    case .subscriptionsRewritten: "The meter had forgotten its subscriptions; they were written again."
    case .duplicates(let count): "\(Self.records(count)) came twice."
    case .conflicting(let numbers):
      "\(Self.list("Record", numbers)) came with other content than before; both are kept."
    case .renumbered(let count):
      count == 1
        ? "1 reading came again under another number; it is held once."
        : "\(count) readings came again under other numbers; each is held once."
    case .contextsMissing(let numbers): "\(Self.list("Record", numbers)) announced a context that did not come."
    case .shortRecords(let numbers):
      "\(Self.list("Record", numbers)) ended before what its flags announce; what came is kept, the rest is not known."
    case .orphanContexts(let numbers):
      "\(Self.list("Context", numbers)) came without a record; kept beside the records."
    case .countDiffers(let count, let received): "The meter counted \(count) and sent \(received)."
    case .recordsAfterResponse(let count):
      "\(countText(count, "notification")) came after the meter had said it was done."
    case .recordsDespiteNone(let count): "The meter said it found none, after \(Self.records(count))."
    case .successWithoutRecords: "The meter reported success and sent no record."
    case .unexpectedResponse(let octets): "The meter answered something that was not asked: \(hex(octets))."
    case .unreadableValue(let handle, let value):
      "A value of \(value.count) octets under handle \(handle) is too short to be a record and cannot be kept."
    case .offsetMissing(let number): "No time offset came before record \(number); its user-facing time is not known."
    case .clockChanged(let number, let old, let new):
      "The meter's clock was set before record \(number): offset \(old) to \(new) minutes."
    case .invalidBaseTime(let number): "Record \(number) has a base time that is no date."
    case .baseTimeBackwards(let number): "Record \(number) has an earlier base time than the one before it."
    case .meterClock(let time): "The meter's clock says \(time)."
    case .unencrypted: "The link is not encrypted, as --allow-unencrypted permits."
    case .unreadable(let handle, let error):
      "Handle \(handle) could not be read: \(error.name ?? "error \(error.rawValue)")."
    case .deletionRefused(let value): "The meter does not delete (\(value.name)); its records stay on it."
    case .deletionNotDone(let reason): "Records stay on the meter that were to be deleted: \(reason)."
    case .deleted(let count): "\(Self.records(count)) deleted from the meter."
    }
  }

  /// One word for the notice, the same in every version.
  public var name: String {
    switch self {
    case .numberingRestarted: "numbering_restarted"
    case .numbersExhausted: "numbers_exhausted"
    case .staleAttributes: "stale_attributes"
    case .servicesChanged: "services_changed"
    case .fellBack: "fell_back"
    case .oneProcedureALink: "one_procedure_a_link"
    case .filterIgnored: "filter_ignored"
    case .busy: "busy"
    case .subscriptionsRewritten: "subscriptions_rewritten"
    case .duplicates: "duplicates"
    case .conflicting: "conflicting"
    case .renumbered: "renumbered"
    case .contextsMissing: "contexts_missing"
    case .shortRecords: "short_records"
    case .orphanContexts: "orphan_contexts"
    case .countDiffers: "count_differs"
    case .recordsAfterResponse: "records_after_response"
    case .recordsDespiteNone: "records_despite_none"
    case .successWithoutRecords: "success_without_records"
    case .unexpectedResponse: "unexpected_response"
    case .unreadableValue: "unreadable_value"
    case .offsetMissing: "offset_missing"
    case .clockChanged: "clock_changed"
    case .invalidBaseTime: "invalid_base_time"
    case .baseTimeBackwards: "base_time_backwards"
    case .meterClock: "meter_clock"
    case .unencrypted: "unencrypted"
    case .unreadable: "unreadable"
    case .deletionRefused: "deletion_refused"
    case .deletionNotDone: "deletion_not_done"
    case .deleted: "deleted"
    }
  }

  private static func records(_ count: Int) -> String { count == 1 ? "1 record" : "\(count) records" }

  private static func list(_ noun: String, _ numbers: [UInt16]) -> String {
    let shown = numbers.prefix(8).map(String.init).joined(separator: ", ")
    return
      "\(noun)\(numbers.count == 1 ? "" : "s") \(shown)\(numbers.count > 8 ? " and \(numbers.count - 8) more" : "")"
  }
}
