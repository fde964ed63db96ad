import BluetoothWire
import LinkTrace
import ReferenceCaptures

/// One line of the lab's table of scenes: what was done, and the record access frames of the collector's capture.
struct Scene: Sendable {
  var name: String
  /// Records on the air, all links together.
  var records: Int
  /// `155:0401`, `158:ind-05001e00`, `148:0x81`.
  var frames: [String]

  /// The table; empty where the lab is absent.
  static var table: [Scene] {
    LabFiles.lines(Folder.laboratory.path("captures-collector/scenes.tsv")).dropFirst().compactMap { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard columns.count >= 8 else { return nil }
      return Scene(
        name: columns[0],
        records: Int(columns[4]) ?? -1,
        frames: columns[7].split(separator: " ").map(String.init)
      )
    }
  }
}

extension Trace {
  /// The record access frames in the words of the table.
  var sceneFrames: [String] {
    var found: [(frame: UInt32, text: String)] = []
    for history in links {
      for summary in LinkSummary(history).procedures {
        found.append((summary.requestFrame, hexadecimal(summary.requestOctets)))
        if case .refused(let error) = summary.procedure.outcome {
          found.append((summary.answerFrame, "0x" + String(error.rawValue, radix: 16)))
        }
        if let result = summary.procedure.result {
          found.append((summary.resultFrame, "ind-" + hexadecimal(history.value(history.pdus[Int(result)]).copied())))
        }
      }
    }
    return found.sorted { $0.frame < $1.frame }.map { "\($0.frame):\($0.text)" }
  }
}
