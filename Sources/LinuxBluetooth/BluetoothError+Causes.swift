public import BluetoothWire
import RecordCollector

extension BluetoothError {
  /// A socket that cannot be opened or used.
  ///
  /// - Parameter purpose: what it was needed for: `scan`, `capture`.
  public static func channel(_ failure: ChannelFailure, purpose: String) -> BluetoothError {
    switch failure {
    case .noSupport:
      BluetoothError(
        .adapter,
        "This kernel has no Bluetooth support.",
        hint: "Load it with 'sudo modprobe bluetooth'; containers and many virtual machines have none."
      )
    case .notPermitted: missingPermission(purpose)
    case .adapterDown: adapterGone
    case .noAnswer:
      BluetoothError(.adapter, "The kernel did not answer the command to \(purpose).", hint: again)
    case .stopped: BluetoothError(.stopped, "Stopped.")
    default:
      BluetoothError(
        .adapter,
        "Bluetooth cannot be used to \(purpose): \(FailureText.reason(failure)).",
        hint: again
      )
    }
  }

  /// The way out where nothing better is known.
  private static let again =
    "Try again. If it stays so, unplug the adapter and plug it in again, or name another with --adapter."

  public static func missingPermission(_ purpose: String) -> BluetoothError {
    BluetoothError(
      .permission,
      "To \(purpose), the program needs the capabilities CAP_NET_ADMIN and CAP_NET_RAW.",
      hint: "Give them once with: sudo setcap cap_net_admin,cap_net_raw+ep \(ProgramPath.quoted)"
    )
  }

  public static let adapterGone = BluetoothError(
    .adapter,
    "The Bluetooth adapter is down or was unplugged.",
    hint: "Plug it in again; 'racpscope adapters' lists what is there."
  )

  public static let noAdapter = BluetoothError(
    .adapter,
    "There is no Bluetooth adapter.",
    hint: "Plug one in, or pass one through to this machine; 'racpscope adapters' lists what is there."
  )

  static func noSuchAdapter(_ name: String, _ names: [String]) -> BluetoothError {
    BluetoothError(.usage, "There is no adapter '\(name)'.", hint: "There is \(names.joined(separator: ", ")).")
  }

  static func noLowEnergy(_ name: String) -> BluetoothError {
    BluetoothError(.adapter, "The adapter \(name) has no Bluetooth Low Energy.", hint: "Name another with --adapter.")
  }

  static func poweredOff(_ name: String) -> BluetoothError {
    BluetoothError(.adapter, "The adapter \(name) is powered off.", hint: "Power it on with: bluetoothctl power on")
  }

  static func blocked(_ name: String) -> BluetoothError {
    BluetoothError(
      .adapter,
      "The adapter \(name) is blocked by rfkill.",
      hint: "Unblock it with: rfkill unblock bluetooth"
    )
  }

  static func refused(_ command: ManagementCommand, _ status: ManagementStatus, _ name: String) -> BluetoothError {
    switch status {
    case .permissionDenied: missingPermission(command.title)
    case .blocked: blocked(name)
    case .invalidIndex: adapterGone
    case .busy:
      BluetoothError(
        .busy,
        "The adapter \(name) is busy: another program is at it.",
        hint: "Try again in a moment, or stop the other program."
      )
    default:
      BluetoothError(.adapter, "The adapter \(name) refused to \(command.title): \(status.name).", hint: again)
    }
  }

  /// A link that could not be made.
  ///
  /// - Parameter daemonRuns: bluetoothd is there, and may have the link.
  public static func connection(
    _ failure: ChannelFailure,
    to meter: DeviceAddress,
    daemonRuns: Bool
  ) -> BluetoothError {
    switch failure {
    case .notInRange:
      BluetoothError(
        .range,
        "The meter \(meter) does not answer.",
        hint: "Bring it near, wake it up and let it advertise; 'racpscope scan' shows what is in range."
      )
    case .busy:
      BluetoothError(
        .busy,
        "Another program is connected to \(meter).",
        hint: daemonRuns
          ? "bluetoothd holds the link: 'bluetoothctl disconnect \(meter)' frees it."
          : "Stop that program and try again."
      )
    case .securityRefused, .keyMismatch: pairing(.other("encryption was refused"), meter: meter, daemonRuns: daemonRuns)
    case .adapterDown: adapterGone
    case .noSupport, .notPermitted, .noAnswer, .stopped: channel(failure, purpose: "connect to \(meter)")
    case .linkLost, .peerEnded, .abandoned, .overrun, .system:
      BluetoothError(
        .link,
        "The link to \(meter) did not come about: \(FailureText.reason(failure)).",
        hint: "Keep the meter near and awake, and try again."
      )
    }
  }
}
