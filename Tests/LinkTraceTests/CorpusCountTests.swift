import CaptureFiles
import LinkTrace
import ReferenceCaptures
import Testing

/// The ATT PDUs of public captures, counted by us and by an independent decoder.
///
/// The count in the corpus' index comes from other tools, whose faults are known: they dissect a chip vendor's log
/// packets on handle 0x0EDC as if they were data. Captures with such packets may differ by what these add.
@Suite struct CorpusCountTests {
  private struct Counts: LinkConsumer {
    var pdus: UInt64 = 0

    mutating func take(_ history: borrowing LinkHistory, from tracker: borrowing LinkTracker) {
      pdus += UInt64(history.counts.sentPDUs) + UInt64(history.counts.receivedPDUs)
    }
  }

  @Test(.enabled(if: Folder.corpus.isThere, "\(Folder.corpus.absence)"))
  func ourCountIsThatOfAnIndependentDecoder() throws {
    let index = try #require(FileContent(Folder.corpus.path("index.tsv")))
    var compared = 0
    for line in index.text.split(whereSeparator: \.isNewline).dropFirst() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count > 14, let expected = UInt64(fields[8]) else { continue }
      guard let counted = Self.count(Folder.corpus.path("captures/" + fields[0])) else { continue }
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
