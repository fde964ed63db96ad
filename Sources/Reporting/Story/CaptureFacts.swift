public import CaptureFiles

/// What a run knows of the capture itself: the head of every report.
public struct CaptureFacts: Sendable {
  /// The file or files as the user named them.
  public var name: String
  /// The format in words.
  public var format: String
  public var frames: UInt32
  public var drops: UInt64
  /// The notes of the reader, at most 64 of a kind.
  public var notes: [CaptureNote]
  /// Members of an archive that were refused, in words.
  public var passedOver: [String]
  /// The captures that were joined, in their order, each with the number of its first frame; empty for a single one.
  public var parts: [Part] = []

  /// One of several joined captures.
  public struct Part: Sendable {
    /// As the user named it.
    public var name: String
    /// The number its first frame has in the run.
    public var firstFrame: UInt32

    public init(name: String, firstFrame: UInt32) {
      self.name = name
      self.firstFrame = firstFrame
    }
  }

  /// `1 frame`, `2 frames`.
  var frameText: String { countText(frames, "frame") }

  public init(_ reader: borrowing CaptureReader, name: String, format: String) {
    self.name = name
    self.format = format
    frames = reader.frameCount
    drops = reader.drops
    notes = reader.notes
    passedOver = reader.source.passedOver.map(\.message)
  }

  /// True where the records of the capture are known to be shorter than their packets were.
  var tellsOfClipping: Bool { notes.contains { $0.kind == .clippedPackets } }

  /// What is missing from the capture, one phrase each; empty where nothing is.
  public var gaps: [String] {
    var phrases: [String] = []
    if drops > 0 {
      let losses = notes.filter { $0.kind == .droppedPackets }
      let first = losses.first { $0.frame > 0 }.map { ", first before frame \($0.frame)" } ?? ""
      phrases.append("\(countText(drops, "packet")) lost by the logger\(first)")
    }
    for note in notes {
      switch note.kind {
      case .truncatedTail: phrases.append("cut off in record \(note.frame)")
      case .badLength: phrases.append("unreadable from record \(note.frame) on (impossible length \(note.amount))")
      case .clippedPackets: phrases.append("packets clipped by the logger, first in frame \(note.frame)")
      case .damagedArchive: phrases.append("the compressed data is damaged after \(note.amount) octets")
      case .impossibleYear:
        phrases.append((note.amount == 0 ? "no" : "impossible") + " time stamp in frame \(note.frame)")
      case .clockLeaps:
        phrases.append("clock set forward by \(TimeText.duration(note.amount)) in frame \(note.frame)")
      case .emptyRecords: phrases.append("only empty records from record \(note.frame) on, which were not read")
      case .repeatedFrames:
        let repeated = countText(note.amount, "frame")
        phrases.append("\(repeated) from frame \(note.frame) on repeat a joined capture, read once")
      case .otherFraming: phrases.append(Self.framing(note))
      case .droppedPackets, .clockStepsBack, .unknownRecord, .skippedPart: continue
      }
    }
    if let phrase = clockSteps { phrases.append(phrase) }
    let unknown = notes.filter { $0.kind == .unknownRecord }.count
    if unknown > 0 { phrases.append("\(countText(unknown, "record")) of unknown kind") }
    let skipped = notes.filter { $0.kind == .skippedPart }
    // Parts of an archive are named by their errors, and those of a pcapng file by what they captured.
    let types = Set(skipped.map(\.amount)).subtracting([0]).sorted().map(String.init)
    let named = types.isEmpty ? "" : " (link type\(types.count == 1 ? "" : "s") \(types.joined(separator: ", ")))"
    if skipped.count == 1 { phrases.append("a part that holds no HCI traffic was passed over" + named) }
    if skipped.count > 1 { phrases.append("\(skipped.count) parts that hold no HCI traffic were passed over" + named) }
    if frames == 0 { phrases.append("there is no record in it") }
    return phrases
  }

  private static func framing(_ note: CaptureNote) -> String {
    let fitting = BtsnoopDatalink(rawValue: UInt32(clamping: note.amount))
    return "the packets do not fit the file's datalink, first in frame \(note.frame); they fit datalink "
      + "\(note.amount)" + (fitting.map { ", " + $0.title } ?? "")
  }

  /// Loggers that write from several sources step back by a little all the time; only what a user did is worth a word.
  private var clockSteps: String? {
    let steps = notes.filter { $0.kind == .clockStepsBack && $0.amount > 1_000_000 }
    guard let first = steps.first, let most = steps.map(\.amount).max() else { return nil }
    let times = steps.count == 1 ? "once" : "\(steps.count) times"
    return "clock set back \(times), by up to \(TimeText.duration(most)), first in frame \(first.frame)"
  }
}
