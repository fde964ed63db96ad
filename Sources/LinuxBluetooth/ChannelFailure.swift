import Glibc

/// Why a Bluetooth socket cannot be had, or stopped working, told apart by what the user can do about it.
///
/// The kernel's error numbers were measured against a meter: see docs/live.md.
public enum ChannelFailure: Error, Sendable, Equatable {
  /// The kernel has no Bluetooth, or not this part of it (EAFNOSUPPORT, EPROTONOSUPPORT).
  case noSupport
  /// A capability is missing (EPERM, EACCES on an HCI socket).
  case notPermitted
  /// Nothing was heard of the peer for the supervision time (ETIMEDOUT).
  case linkLost
  /// The peer ended the link or was switched off (ECONNRESET).
  case peerEnded
  /// Pairing was refused, or the peer refuses the stored key (EACCES).
  case securityRefused
  /// The two sides hold different keys (ENOSYS, from a failed message integrity check).
  case keyMismatch
  /// The adapter is down or gone (EHOSTUNREACH, ENETDOWN, ENODEV).
  case adapterDown
  /// Nobody answered under the address (ECONNREFUSED, or the time given ran out).
  case notInRange
  /// Another program has the attribute channel to the peer (EBUSY).
  case busy
  /// The kernel gave the connection up (ECONNABORTED): the adapter was about to be switched off again, or, on an
  /// established link, pairing or encryption failed.
  case abandoned
  /// PDUs were dropped on this machine because they were not read in time.
  case overrun
  /// The user asked to stop.
  case stopped
  /// The kernel did not answer a management command in time.
  case noAnswer
  case system(Int32)

  /// The failure of opening or reading an HCI socket, by its error number.
  static func ofController(_ number: Int32) -> ChannelFailure {
    switch abs(number) {
    case EAFNOSUPPORT, EPROTONOSUPPORT, EINVAL: .noSupport
    case EPERM, EACCES: .notPermitted
    case ENODEV, ENETDOWN, ENXIO: .adapterDown
    default: .system(abs(number))
    }
  }

  /// The failure of the attribute channel, by its error number.
  static func ofLink(_ number: Int32) -> ChannelFailure {
    switch abs(number) {
    case EAFNOSUPPORT, EPROTONOSUPPORT: .noSupport
    case EPERM: .notPermitted
    case ETIMEDOUT: .linkLost
    case ECONNRESET, EPIPE, ENOTCONN, 0: .peerEnded
    // PIN or Key Missing is EBADE.
    case EACCES, EBADE: .securityRefused
    case ENOSYS: .keyMismatch
    case EHOSTUNREACH, ENETDOWN, ENODEV, EHOSTDOWN: .adapterDown
    case ECONNREFUSED: .notInRange
    case EBUSY: .busy
    case ECONNABORTED: .abandoned
    default: .system(abs(number))
    }
  }
}
