import Reporting

/// Says on stderr that what was asked for is not there, and what is.
///
/// A command of which nothing could be shown for that reason ends with `ExitStatus.usage`.
enum NothingMatches {
  static func complain(frames: ClosedRange<UInt32>, in name: String, count: UInt32) {
    let hint =
      count == 0 ? "it holds no frame" : count == 1 ? "it holds one frame" : "its frames are 1 to \(count)"
    Complaint.write("\(name) has no frame \(frames.lowerBound)", hint: hint)
  }

  static func complain(link: UInt32, in name: String, among numbers: [UInt32]) {
    Complaint.write("\(name) has no link \(link)", hint: Listing.links(numbers))
  }

  /// Of a stream that is over.
  static func complain(link: UInt32, in name: String) {
    Complaint.write("\(name) has no frame of link \(link) among those asked for", hint: "")
  }

  static func complain(link: UInt32, in name: String, frames: ClosedRange<UInt32>) {
    Complaint.write(
      "\(name) has none of the frames asked for on link \(link)",
      hint: "the link is in frames \(frames.lowerBound) to \(frames.upperBound)"
    )
  }

  static func complain(device: String, among titles: [String]) {
    Complaint.write("no device matches \"\(device)\"", hint: Listing.there(titles))
  }

  /// Of stories of which none had what was asked for.
  static func complain(_ stories: [(name: String, what: StoryReport.Lacking)]) {
    var wanted: String?
    var titles: [String] = []
    for (name, what) in stories {
      switch what {
      case .device(let device, let among):
        wanted = device
        titles += among
      case .link(let link):
        Complaint.write(
          "link \(link) of \(name) is not a link to a health device that was asked for",
          hint: "without --link and --device every one is told"
        )
      }
    }
    if let wanted { complain(device: wanted, among: titles) }
  }
}
