public import BluetoothWire

/// Why a link could not be secured.
public enum SecurityFailure: Hashable, Sendable {
  /// The reason of Pairing Failed, from either side (Core Vol 3 Part H 3.5.5).
  case pairing(PairingFailure)
  /// The meter has no key for the one held here: PIN or Key Missing, 0x06.
  case keyMissing
  /// The keys of both sides differ: Connection Terminated due to MIC Failure, 0x3D.
  case keyMismatch
  /// A person or an agent said no.
  case declined
  /// The passkey was wrong or was not entered.
  case passkey
  /// Nothing more is known than this text of the host.
  case other(String)
}
