import HealthProfiles

/// What is done one after another between the link and the first request for records.
enum PreparationStep: Sendable {
  /// Encrypts or pairs, unless the link is encrypted or may stay as it is.
  case secure
  case exchangeMTU
  case findServices
  case findCharacteristics(service: Int)
  case findDescriptors(service: Int)
  /// Takes the discovered handles into use.
  case concludeDiscovery
  /// Asks whether the remembered handles are still right.
  case verifyCache
  case readDatabaseHash
  case readDetails
  case read(Reading)
  case subscribe(configuration: UInt16, value: UInt8)
}

/// One value that is read.
struct Reading: Sendable {
  enum Kind: Sendable {
    case feature
    case currentTime
    case dateTime
    case deviceInformation(UInt16)
  }

  var kind: Kind
  var handle: UInt16
  /// What has come of a value longer than a PDU.
  var value: [UInt8] = []
}

/// The ATT request that waits for its response: one at a time (Core Vol 3 Part F 3.3.2).
struct AttributeExchange: Sendable {
  enum Purpose: Sendable {
    case mtu
    case services
    case characteristics(service: Int)
    case descriptors(service: Int)
    case databaseHash(verifies: Bool)
    case probe
    case read(Reading)
    case subscribe
    case recordAccess
    case abort
  }

  var purpose: Purpose
  var pdu: [UInt8]
  /// The attribute or the first handle of the request, for reports.
  var handle: UInt16
  var deadline: UInt64
}

/// A record access procedure: from the request to the response indication (GLP 4.7).
struct RunningProcedure: Sendable {
  enum Purpose: Sendable, Equatable {
    /// The number, before the records.
    case countFirst
    /// The records the run is for.
    case transfer
    /// The number, after the records, where some may be missing.
    case countAfter
    /// Numbers that a transfer left out.
    case gap(ClosedRange<UInt16>)
    /// Whether the record at the mark is still the same: by a range of one.
    case mark
    /// Whether the last record is below the mark.
    case last
    /// The same with a request that every meter knows: all records from the mark on.
    case fromMark
    /// One record again: for its context, for the measurement of an orphan, or because it came cut.
    case again(UInt16)
    case delete(ClosedRange<UInt16>)
  }

  var purpose: Purpose
  var request: RecordAccessRequest
  /// The Write Response has come: the procedure has started.
  var isAccepted = false
  /// The response has come before the Write Response.
  var earlyResponse: RecordAccessResponse.Content?
  /// 30 s from the Write Response or the latest record (GLP 4.7.5).
  var deadline: UInt64
  /// When the request was first written.
  var startedAt: UInt64
  /// The number of values in the buffer at the start.
  var bufferStart: Int
  /// Measurements that came within this procedure.
  var records = 0
  /// Octets of a response to something else.
  var strayResponse: [UInt8]?
}

/// What the collector waits for besides an ATT response or a procedure.
enum Waiting: Sendable {
  case nothing
  case security(deadline: UInt64)
  /// The meter is busy; the same request is sent again then.
  case busy(until: UInt64)
  /// Quiet after a response.
  case quiet(until: UInt64)
  case lookUp(found: CollectedRecord)
  case store
  case deletionAnswer
}
