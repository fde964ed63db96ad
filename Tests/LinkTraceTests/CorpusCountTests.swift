import CaptureFiles
import Foundation
import LinkTrace
import Testing

/// The ATT PDUs of public captures, counted by us and by an independent decoder.
///
/// The count in the corpus' index comes from other tools, whose faults are known: they dissect a chip vendor's log
/// packets on handle 0x0EDC as if they were data. Captures with such packets may differ by what these add.
@Suite struct CorpusCountTests {
  private static let corpus: URL? = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let named = ProcessInfo.processInfo.environment["RACPSCOPE_CORPUS"].map { URL(fileURLWithPath: $0) }
    let folder = named ?? root.deletingLastPathComponent().appendingPathComponent("shared/corpus")
    return FileManager.default.fileExists(atPath: folder.appendingPathComponent("index.tsv").path) ? folder : nil
  }()

  private struct Counts: LinkConsumer {
    var pdus: UInt64 = 0

    mutating func take(_ history: borrowing LinkHistory, from tracker: borrowing LinkTracker) {
      pdus += UInt64(history.counts.sentPDUs) + UInt64(history.counts.receivedPDUs)
    }
  }

  @Test func ourCountIsThatOfAnIndependentDecoder() throws {
    guard let corpus = Self.corpus else {
      print("skipped: there is no corpus of public captures beside the project")
      return
    }
    let index = try String(contentsOf: corpus.appendingPathComponent("index.tsv"), encoding: .utf8)
    var compared = 0
    for line in index.split(whereSeparator: \.isNewline).dropFirst() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count > 14, let expected = UInt64(fields[8]) else { continue }
      let path = corpus.appendingPathComponent("captures").appendingPathComponent(fields[0]).path
      guard let counted = Self.count(path) else { continue }
      let isNear = counted.pdus <= expected && counted.pdus + counted.foreign >= expected
      #expect(isNear, "\(fields[0]): \(counted.pdus) ATT PDUs, the other decoder has \(expected)")
      compared += 1
    }
    #expect(compared > 15)
  }

  /// Our ATT PDUs and the packets of a chip's own log; nil for what is refused by name.
  private static func count(_ path: String) -> (pdus: UInt64, foreign: UInt64)? {
    do {
      guard let source = try captures(in: path).first else { return nil }
      var reader = try CaptureReader.open(source)
      var tracker = LinkTracker()
      var counts = Counts()
      tracker.read(&reader, into: &counts)
      tracker.finish(into: &counts)
      return (counts.pdus, tracker.totals.vendorLogPackets)
    } catch {
      return nil
    }
  }
}
