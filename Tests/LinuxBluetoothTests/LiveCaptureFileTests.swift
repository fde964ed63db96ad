import CaptureFiles
import Foundation
import Glibc
import Reporting
import Testing

/// A capture that grows while traffic runs.
@Suite struct LiveCaptureFileTests {
  private let path = "\(NSTemporaryDirectory())live-capture-\(getpid())-\(UInt32.random(in: 0 ... .max)).btsnoop"

  private func frame(_ kind: FrameKind, _ octets: [UInt8]) -> CapturedFrame {
    CapturedFrame(
      number: 0,
      kind: kind,
      adapter: 1,
      time: 1_767_600_000_000_000,
      offset: 0,
      length: octets.count,
      originalLength: octets.count
    )
  }

  private func frames() throws -> [(frame: CapturedFrame, octets: [UInt8])] {
    var reader = try CaptureReader.open(.path(path))
    var found: [(frame: CapturedFrame, octets: [UInt8])] = []
    while let frame = reader.next() {
      let bytes = reader.bytes(of: frame)
      found.append((frame, (0..<bytes.byteCount).map { bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }))
    }
    return found
  }

  @Test func whatIsFlushedIsInTheFile() throws {
    defer { unlink(path) }
    var file = try LiveCaptureFile(path: path)
    let reset: [UInt8] = [0x03, 0x0C, 0x00]
    let isKept1 = file.write(frame(.command, reset), reset)
    #expect(isKept1)
    file.flush()
    #expect(try frames().map(\.octets) == [reset])
    let event: [UInt8] = [0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]
    let isKept2 = file.write(frame(.event, event), event)
    #expect(isKept2)
    file.flush(lost: 3)
    let isKept3 = file.write(frame(.command, reset), reset)
    #expect(isKept3)
    file.close()
    let found = try frames()
    #expect(found.map(\.octets) == [reset, event, reset])
    #expect(found.map(\.frame.kind) == [.command, .event, .command])
    #expect(found.allSatisfy { $0.frame.adapter == 1 && $0.frame.time == 1_767_600_000_000_000 })
  }

  @Test func keysAreZeros() throws {
    defer { unlink(path) }
    var file = try LiveCaptureFile(path: path)
    // LE Enable Encryption (0x2019): handle, random, EDIV, key; then Encryption Information (SMP 0x06) on CID 6.
    let enable: [UInt8] = [0x19, 0x20, 0x1C, 0x40, 0x00] + [UInt8](repeating: 0xAA, count: 26)
    let key: [UInt8] = [0x40, 0x20, 0x15, 0x00, 0x11, 0x00, 0x06, 0x00, 0x06] + [UInt8](repeating: 0xBB, count: 16)
    _ = file.write(frame(.command, enable), enable)
    _ = file.write(frame(.aclReceived, key), key)
    file.close()
    let octets = try frames().flatMap(\.octets)
    #expect(octets.count == enable.count + key.count)
    #expect(!octets.contains(0xAA))
    #expect(!octets.contains(0xBB))
  }

  @Test func onlyItsOwnerMayReadIt() throws {
    defer { unlink(path) }
    let open = Glibc.open(path, O_WRONLY | O_CREAT, 0o644)
    close(open)
    var file = try LiveCaptureFile(path: path)
    file.close()
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test func aPlaceThatCannotBeWrittenIsNamed() {
    #expect(throws: CaptureError.self) { try LiveCaptureFile(path: "/nonexistent/trace.btsnoop") }
  }
}
