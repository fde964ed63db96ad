import CaptureFiles
import Glibc
import Testing

@Suite(.timeLimit(.minutes(1))) struct StreamTests {
  /// A named pipe: the frame must come although the writer has not finished.
  @Test func framesComeAsTheyArrive() throws {
    let whole = written(.btsnoop(.uart))
    try withFile("pipe", []) { path in
      unlink(path)
      try #require(mkfifo(path, 0o600) == 0)
      // Read and write, so that opening waits for nobody and the pipe never ends.
      let writer = Glibc.open(path, O_RDWR)
      defer { close(writer) }
      let found = try captures(in: path)
      #expect(found.map(\.format) == [.undetermined])
      let first = 16 + 24 + 4
      #expect(whole.withUnsafeBytes { write(writer, $0.baseAddress, first) } == first)
      var reader = try CaptureReader.open(found[0])
      #expect(reader.source.format == .btsnoop(.uart))
      #expect(reader.next()?.kind == .command)
      let rest = whole.count - first
      #expect(whole.withUnsafeBytes { write(writer, $0.baseAddress?.advanced(by: first), rest) } == rest)
      #expect(reader.next()?.kind == .event)
    }
  }
}
