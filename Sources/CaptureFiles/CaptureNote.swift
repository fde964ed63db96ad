/// A fact about the capture itself that limits what can be said: kept beside the frames, never an error.
public struct CaptureNote: Sendable, Equatable {
  /// What was seen.
  public var kind: Kind
  /// The frame it was seen at; 0 before the first.
  public var frame: UInt32
  /// A number that goes with it: octets, packets or microseconds, as the kind says.
  public var amount: Int64

  public init(_ kind: Kind, frame: UInt32, amount: Int64 = 0) {
    self.kind = kind
    self.frame = frame
    self.amount = amount
  }

  /// The facts a reader can note.
  public enum Kind: String, Sendable, CaseIterable {
    /// The last record is incomplete; `amount` = octets that were there.
    case truncatedTail = "truncated-tail"
    /// A record claims an impossible length, reading stopped there; `amount` = the claimed length.
    case badLength = "bad-length"
    /// The logger's drop counter rose; `amount` = packets lost since the frame before.
    case droppedPackets = "dropped-packets"
    /// The time stamp is earlier than the one before; `amount` = microseconds stepped back.
    case clockStepsBack = "clock-steps-back"
    /// The time stamp is most of a year or more behind the one before; `amount` = microseconds leapt.
    case clockLeaps = "clock-leaps"
    /// The year is before 2015 or after 2099; `amount` = the time stamp. Noted once a file.
    case impossibleYear = "impossible-year"
    /// A record of a kind the format does not define was passed over; `amount` = its code.
    case unknownRecord = "unknown-record"
    /// A part of a container (an interface, an archive member) was passed over; `amount` = its code.
    case skippedPart = "skipped-part"
    /// Frames whose octets were cut by the logger; noted once a file at the first, `amount` = octets kept of it.
    case clippedPackets = "clipped-packets"
    /// A compressed or archived member ended early or is damaged; `amount` = octets delivered.
    case damagedArchive = "damaged-archive"
    /// The first packets are laid out as another datalink has them; `amount` = that datalink's number.
    case otherFraming = "other-framing"
    /// Only records without octets follow, and they are not read; `amount` = octets of the capture before them.
    case emptyRecords = "empty-records"
    /// The first frames of a joined capture stand in one before it as well, and were passed over; `amount` = how many.
    case repeatedFrames = "repeated-frames"
  }
}
