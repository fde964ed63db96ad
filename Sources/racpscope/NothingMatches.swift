import Reporting

/// Says on stderr that what was asked for is not there, and what is.
enum NothingMatches {
  static func complain(frames: ClosedRange<UInt32>, in name: String, count: UInt32) {
    let hint =
      count == 0 ? "it holds no frame" : count == 1 ? "it holds one frame" : "its frames are 1 to \(count)"
    Complaint.write("\(name) has no frame \(frames.lowerBound)", hint: hint)
  }

  static func complain(link: UInt32, in name: String, among numbers: [UInt32]) {
    Complaint.write("\(name) has no link \(link)", hint: listing(numbers))
  }

  static func complain(link: UInt32, in name: String, frames: ClosedRange<UInt32>) {
    Complaint.write(
      "\(name) has none of the frames asked for on link \(link)",
      hint: "the link is in frames \(frames.lowerBound) to \(frames.upperBound)"
    )
  }

  static func complain(device: String, among titles: [String]) {
    var devices: [String] = []
    for title in titles where !devices.contains(title) { devices.append(title) }
    let rest = devices.count > shownDevices ? " and \(devices.count - shownDevices) more" : ""
    let list = devices.prefix(shownDevices).joined(separator: ", ") + rest
    Complaint.write(
      "no device matches \"\(device)\"",
      hint: devices.count == 1 ? "there is \(list)" : "there are \(list)"
    )
  }

  private static let shownDevices = 12

  private static func listing(_ numbers: [UInt32]) -> String {
    guard let first = numbers.first, let last = numbers.last else { return "it holds no Low Energy link" }
    return first == last ? "its only link is \(first)" : "its links are \(first) to \(last)"
  }
}
