/// What the emulated meter wrote down of itself while a scene was captured.
struct MeterLog {
  var requests: [String] = []
  var results: [String] = []
  var reported: [Int] = []
  /// `2A18=0100`, in the order they were written and accepted.
  var subscriptions: [String] = []
  /// For each link: whether it was encrypted.
  var encryptions = 0
  var disconnections: [String] = []

  /// Reads a log up to the command that starts the next capture.
  init(path: String) {
    for line in LabFiles.lines(path) {
      let words = line.split(separator: " ").map(String.init)
      guard words.count >= 2 else { continue }
      if words.count > 2 && words[2].hasPrefix("command=snoop") { return }
      let fields = words.dropFirst(2).map { word in word.split(separator: "=").last.map(String.init) ?? "" }
      switch words[1] {
      case "RACP": requests.append(fields[0])
      case "INDICATE": results.append(fields[0])
      case "REPORTED": reported.append(Int(fields[0]) ?? -1)
      case "CCCD": subscriptions.append(fields[0] + "=" + fields[1])
      case "ENCRYPTED": encryptions += words[2] == "on=1" ? 1 : 0
      case "DISCONNECTED": disconnections.append(fields[0])
      default: continue
      }
    }
  }
}
