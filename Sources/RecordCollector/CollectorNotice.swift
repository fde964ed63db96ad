public import BluetoothWire
public import HealthProfiles

/// Something a person should know that did not stop the run.
///
/// Of those about one record the first three of a kind are given in a run.
public enum CollectorNotice: Hashable, Sendable {
  /// The meter's numbers started anew: its last record is below the mark, or another record has a known number.
  case numberingRestarted(mark: UInt16, found: UInt16)
  /// The mark is 65535, above which there is no number (GLS 3.1.1.2).
  case numbersExhausted
  /// The remembered handles were wrong; the services were discovered again.
  case staleAttributes
  /// The meter said that its services changed (Core Vol 3 Part G 7.1).
  case servicesChanged
  /// A request the meter refuses as unsupported was replaced by another one, now and on later runs.
  case fellBack(UnsupportedRequests, RecordAccessResponseValue)
  /// The meter does nothing more on a link once it has answered one procedure: everything is asked for in one.
  case oneProcedureALink
  /// Records outside the range that was asked for came too; identity drops those that are held.
  case filterIgnored(asked: String, got: UInt16)
  /// The meter was busy with another procedure; asked again later.
  case busy(attempt: Int)
  /// A subscription the meter should have kept was not there; written again (0x81).
  case subscriptionsRewritten
  /// So many records came twice with the same content in one report.
  case duplicates(Int)
  /// These records were sent with one number and different content, or held with other content.
  case conflicting([UInt16])
  /// So many records are readings held under other numbers of an earlier numbering; they are not stored as new ones.
  case renumbered(Int)
  /// The context of these records was announced and did not come.
  case contextsMissing([UInt16])
  /// These measurements ended before what their flags announce; they are kept as they came (GLS 3.1.1).
  case shortRecords([UInt16])
  /// Contexts came without their measurement.
  case orphanContexts([UInt16])
  /// The meter's count and what it sent differ (GLS 3.4.3.2).
  case countDiffers(count: Int, received: Int)
  /// Values came after the response that should have been the end (GLS 3.4.3.4).
  case recordsAfterResponse(Int)
  /// "No records found" after records had come.
  case recordsDespiteNone(Int)
  /// "Success" without any record.
  case successWithoutRecords
  /// A control point value that answers nothing that was asked.
  case unexpectedResponse([UInt8])
  /// A measurement or context too short to have a sequence number; it cannot be stored.
  case unreadableValue(handle: UInt16, value: [UInt8])
  /// No record of the report had a Time Offset before this one (GLS 3.1.1.4).
  case offsetMissing(UInt16)
  /// The Time Offset changed inside the report: the meter's clock was set.
  case clockChanged(at: UInt16, from: Int16, to: Int16)
  /// A base time that is no date.
  case invalidBaseTime(UInt16)
  /// A base time earlier than that of the record before it.
  case baseTimeBackwards(UInt16)
  /// The meter's own clock, where it offers it.
  case meterClock(DateTime)
  /// The link is not encrypted, as the plan allows.
  case unencrypted
  /// A Device Information or clock characteristic refused to be read.
  case unreadable(handle: UInt16, ATTError)
  /// The meter does not delete; the records stay on it.
  case deletionRefused(RecordAccessResponseValue)
  /// The person did not confirm, the link went or the answer did not come; records stay on the meter.
  case deletionNotDone(String)
  /// So many records were deleted from the meter after they had been committed.
  case deleted(Int)
}
