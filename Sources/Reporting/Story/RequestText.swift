import HealthProfiles
import LinkTrace

/// What a request asks for, in words.
enum RequestText {
  /// `report ≥ 31`; `malformed request`; of one that the logger cut what is left: `count, cut by the logger`.
  ///
  /// What stands in the octets comes from a device and is not escaped.
  static func of(_ entry: ProcedureSummary, malformed: String = "malformed request") -> String {
    of(entry.requestOctets, entry.procedure.dialect, isCut: entry.isRequestCut, malformed: malformed)
  }

  static func of(
    _ octets: [UInt8],
    _ dialect: RecordAccessDialect,
    isCut: Bool,
    malformed: String = "malformed request"
  ) -> String {
    let request = RecordAccessRequest(octets: octets, dialect: dialect)
    if isCut { return (octets.isEmpty ? "a request" : request.opCode.name) + ", cut by the logger" }
    return request.isWellFormed ? request.summary : malformed
  }
}
