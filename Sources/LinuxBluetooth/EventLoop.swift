import CBluetooth
import Glibc

/// Waits for descriptors, and serves while it waits what must never stop: the user's wish to end, and the recording
/// of the adapter's traffic.
///
/// One loop serves a whole run, on one thread.
public struct EventLoop: ~Copyable {
  /// Reports SIGINT, SIGTERM and SIGHUP; -1 for none.
  private let termination: Int32
  /// How often the user asked to stop.
  public private(set) var stopRequests = 0
  /// What records the traffic meanwhile; nil for nothing.
  public var recorder: TrafficRecorder?

  /// What to wait for on one descriptor; a negative descriptor is passed over.
  public struct Interest: Sendable {
    public var descriptor: Int32
    public var isWriting: Bool

    public init(_ descriptor: Int32, writing: Bool = false) {
      self.descriptor = descriptor
      isWriting = writing
    }
  }

  /// - Parameter catchesSignals: true for the process's own loop: its signals become `stopRequests`.
  public init(catchesSignals: Bool) {
    termination = catchesSignals ? bluetooth_open_termination() : -1
  }

  deinit { if termination >= 0 { close(termination) } }

  public var isStopped: Bool { stopRequests > 0 }

  /// Waits until a descriptor is ready, the deadline is past, or the user wants to stop.
  ///
  /// - Returns: for each interest whether it is ready or has failed; all false otherwise.
  public mutating func wait(_ interests: [Interest], until deadline: UInt64?) -> [Bool] {
    let requests = stopRequests
    while true {
      let ready = pollOnce(interests, until: deadline)
      if ready.contains(true) || stopRequests > requests { return ready }
      if let deadline, MonotonicClock.now() >= deadline { return ready }
    }
  }

  private mutating func pollOnce(_ interests: [Interest], until deadline: UInt64?) -> [Bool] {
    var descriptors = interests.map {
      pollfd(fd: $0.descriptor, events: Int16($0.isWriting ? POLLOUT : POLLIN), revents: 0)
    }
    descriptors.append(pollfd(fd: termination, events: Int16(POLLIN), revents: 0))
    descriptors.append(pollfd(fd: recorder?.descriptor ?? -1, events: Int16(POLLIN), revents: 0))
    let timeout = MonotonicClock.milliseconds(until: deadline, from: MonotonicClock.now())
    let count = unsafe poll(&descriptors, nfds_t(descriptors.count), timeout)
    guard count > 0 else { return interests.map { _ in false } }
    if descriptors[interests.count].revents != 0, bluetooth_take_signal(termination) > 0 { stopRequests += 1 }
    if descriptors[interests.count + 1].revents != 0 { recorder?.serve() }
    return interests.indices.map { descriptors[$0].revents != 0 }
  }
}
