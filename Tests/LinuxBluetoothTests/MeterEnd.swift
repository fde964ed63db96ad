import Foundation
import Glibc
import ScriptedMeter

/// The meter's end of a socket pair, played on a thread of its own.
final class MeterEnd: @unchecked Sendable {
  /// The collector's end.
  let descriptor: Int32
  private let end: Int32
  private let done = DispatchSemaphore(value: 0)
  private var meter: ScriptedMeter

  /// - Parameters:
  ///   - hangsUp: asked before each PDU the meter sends, with how many were sent; true ends the link in its place.
  ///   - hangsUpAfter: asked after each; true ends the link behind it.
  init(
    _ meter: ScriptedMeter,
    isEncrypted: Bool,
    hangsUp: @escaping @Sendable ([UInt8], Int) -> Bool = { _, _ in false },
    hangsUpAfter: @escaping @Sendable ([UInt8]) -> Bool = { _ in false }
  ) {
    var ends: [Int32] = [0, 0]
    _ = socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends)
    descriptor = ends[0]
    end = ends[1]
    self.meter = meter
    self.meter.connect(at: 1)
    self.meter.isEncrypted = isEncrypted
    Thread.detachNewThread { [self] in
      play(hangsUp, hangsUpAfter)
      close(end)
      done.signal()
    }
  }

  /// Waits for the end of the link; the meter as it was then.
  func finished() -> ScriptedMeter {
    done.wait()
    done.signal()
    return meter
  }

  private func play(_ hangsUp: ([UInt8], Int) -> Bool, _ hangsUpAfter: ([UInt8]) -> Bool) {
    var now: UInt64 = 1
    var sent = 0
    var buffer = [UInt8](repeating: 0, count: 1024)
    while true {
      let count = buffer.withUnsafeMutableBytes { recv(end, $0.baseAddress, $0.count, 0) }
      guard count > 0 else { return }
      meter.receive(Array(buffer[..<count]), at: now)
      while let due = meter.nextDue {
        now = max(now, due)
        for pdu in meter.due(at: now) {
          if hangsUp(pdu, sent) { return }
          sent += 1
          _ = pdu.withUnsafeBytes { send(end, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
          if hangsUpAfter(pdu) { return }
          // The collector encrypts once it was refused.
          if pdu.first == 0x01, pdu.last == 0x05 || pdu.last == 0x0F { meter.isEncrypted = true }
        }
      }
    }
  }
}
