/// What a format says of the first octets of an input.
enum Probe {
  /// They are not this format's.
  case notMine
  /// They are this format's, and it is read.
  case mine(CaptureFormat)
  /// They are this format's, and it is not read.
  case refused(Refusal)
}

/// Why a recognised format is not read, and what to capture instead.
struct Refusal: Equatable {
  /// Completes "NAME is …": `a radio capture (nRF sniffer), which is not read yet`.
  var what: String
  /// What to do instead, one sentence.
  var hint: String
}
