import BluetoothWire
import LinkTrace

extension RequestCase {
  /// One finding about all procedures of the case, anchored to a PDU of the first; the requests follow.
  ///
  /// - Parameters:
  ///   - shown: the PDU of each procedure that shows it.
  ///   - key: what joins the octets of the request in the fingerprint.
  func finding(
    _ rule: RuleIdentifier,
    _ level: FindingLevel,
    _ fault: Fault,
    _ confidence: Confidence,
    key: String = "",
    message: String,
    evidence: [String],
    _ history: borrowing LinkHistory,
    shown: (Procedure) -> UInt32
  ) -> Finding {
    let places = procedures.map { shown(history.procedures[$0]) }
    let requests = procedures.map { history.procedures[$0].request }.filter { !places.contains($0) }
    return Finding(
      rule,
      level,
      fault,
      confidence,
      link: history.number,
      procedure: procedures[0],
      otherProcedures: Array(procedures.dropFirst()),
      frames: (places + requests).map { history.frame($0) },
      time: history.time(places[0]),
      key: hex(octets) + key,
      message: message + (procedures.count > 1 ? ", \(timesText(procedures.count))" : ""),
      evidence: evidence
    )
  }
}
