import CaptureFiles
import ReferenceCaptures
import Testing

@Suite(.enabled(if: Folder.corpus.isThere, "\(Folder.corpus.absence)"))
struct CorpusTests {
  @Test func everyCaptureIsReadOrRefusedByName() {
    let paths = Folder.corpus.folder("captures").paths()
    #expect(!paths.isEmpty)
    for path in paths {
      do throws(CaptureError) {
        let walk = try Walk(captures(in: path)[0])
        #expect(walk.frames.count > 0, "\(path)")
        #expect(!walk.notes.contains { $0.kind == .badLength || $0.kind == .truncatedTail }, "\(path)")
      } catch {
        #expect(error.kind == .refused, "\(error.message)")
        #expect(!error.hint.isEmpty)
      }
    }
  }

  @Test func damagedCaptures() throws {
    let expected: [String: [CaptureNote]] = [
      "cut_mid_record.btsnoop": [CaptureNote(.truncatedTail, frame: 99, amount: 42)],
      "cut_in_record_header.btsnoop": [CaptureNote(.truncatedTail, frame: 1, amount: 10)],
      "drops57_rec101.btsnoop": [CaptureNote(.droppedPackets, frame: 101, amount: 57)],
      "garbage_tail.btsnoop": [CaptureNote(.badLength, frame: 317, amount: 0xDEAD_BEEF)],
      "huge_incl_len_rec101.btsnoop": [CaptureNote(.badLength, frame: 101, amount: 0x7FFF_FFFF)],
      "zero_timestamp_rec101.btsnoop": [
        CaptureNote(.impossibleYear, frame: 101, amount: -62_168_256_000_000_000)
      ],
      "acl_snaplen12.btsnoop": [CaptureNote(.clippedPackets, frame: 221, amount: 11)],
      "header_only.btsnoop": [],
    ]
    let refused = ["cut_file_header.btsnoop", "version2.btsnoop"]
    let paths = Folder.corpus.folder("damaged").paths()
    #expect(paths.count >= expected.count + refused.count)
    for path in paths {
      let name = String(path.split(separator: "/").last ?? "")
      do throws(CaptureError) {
        let walk = try Walk(captures(in: path)[0])
        if let notes = expected[name] { #expect(walk.notes == notes, "\(name)") }
        #expect(!refused.contains(name))
      } catch {
        #expect(refused.contains(name), "\(error.message)")
        #expect(error.kind == .refused)
      }
    }
  }
}
