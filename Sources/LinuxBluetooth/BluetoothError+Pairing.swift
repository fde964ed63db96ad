public import BluetoothWire
public import RecordCollector

extension BluetoothError {
  /// Pairing with a meter that failed, or a key it does not take.
  ///
  /// - Parameters:
  ///   - canEnterPasskey: somebody or something was there to enter one.
  ///   - gavePasskey: a passkey was handed over, so that it was not the right one.
  ///   - store: the file that holds the bond, for the command that repairs it.
  public static func pairing(
    _ failure: SecurityFailure,
    meter: DeviceAddress,
    daemonRuns: Bool,
    canEnterPasskey: Bool = true,
    gavePasskey: Bool = false,
    store: String = "FILE"
  ) -> BluetoothError {
    if daemonRuns {
      return BluetoothError(
        .pairing,
        "Pairing with \(meter) failed, and bluetoothd has pairing in its hands on this machine.",
        hint: "Pair once: run 'bluetoothctl --agent KeyboardDisplay' and type scan le, pair \(meter), "
          + "disconnect \(meter), quit. Then sync again."
      )
    }
    switch failure {
    case .keyMissing, .keyMismatch: return bondLost(meter: meter, daemonRuns: daemonRuns, store: store)
    case .passkey:
      return BluetoothError(
        .pairing,
        "Pairing with \(meter) failed: \(gavePasskey ? "the passkey was wrong" : "no passkey was given").",
        hint: gavePasskey
          ? "Sync again with the number the meter shows then."
          : passkeyHint
      )
    case .declined: return BluetoothError(.pairing, "Pairing with \(meter) was declined.", hint: "Sync again to retry.")
    case .pairing(let reason) where reason.rawValue == 0x03:
      return BluetoothError(
        .pairing,
        "The meter \(meter) pairs only with a passkey.",
        hint: passkeyHint
      )
    case .pairing where !canEnterPasskey, .other where !canEnterPasskey:
      return BluetoothError(
        .pairing,
        "Pairing with \(meter) failed\(reason(failure)), and nobody was there to enter a passkey.",
        hint: passkeyHint + " A meter that shows none may hold the bond of another phone: delete its pairings in its "
          + "own menu, or put it into pairing mode."
      )
    case .pairing, .other:
      return BluetoothError(
        .pairing,
        "The meter \(meter) refused to pair\(reason(failure)).",
        hint: "It may hold the bond of another phone: delete its pairings in the meter's own menu, as its manual says, "
          + "or put it into pairing mode. A meter that shows a passkey needs a terminal or --passkey, one that cannot "
          + "encrypt --allow-unencrypted."
      )
    }
  }

  private static let passkeyHint =
    "Run it in a terminal to be asked, or give the number the meter shows with --passkey or --passkey-fd."

  private static func reason(_ failure: SecurityFailure) -> String {
    if case .pairing(let reason) = failure { ": \(reason.name)" } else { "" }
  }

  /// A key is held here, and the meter has it no more.
  ///
  /// - Parameter store: the file that holds it.
  public static func bondLost(meter: DeviceAddress, daemonRuns: Bool, store: String = "FILE") -> BluetoothError {
    BluetoothError(
      .pairing,
      "The meter \(meter) no longer accepts the bond that is held here.",
      hint: daemonRuns
        ? "Forget it with 'bluetoothctl remove \(meter)' and pair again in bluetoothctl."
        : "If it is your meter and you reset it, this forgets the bond and pairs again: "
          + "racpscope sync \(meter) --store \(ProgramPath.quoted(store)) --repair"
    )
  }
}
