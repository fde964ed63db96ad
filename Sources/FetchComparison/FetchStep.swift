public import LinkTrace

/// One step of a fetch that two fetches can part at, without its times, handles and octets.
public struct FetchStep: Sendable, Equatable {
  /// Index into the links of the side, and into the procedures of the link.
  public var link: Int
  public var procedure: Int?
  /// The frame it happened in; the last one where it took several.
  public var frame: UInt32
  public var content: Content

  /// What was done.
  public enum Content: Sendable, Equatable {
    case link
    case security(Protection)
    /// Roles whose notifications or indications were turned on, ascending; nil where the capture cannot tell.
    case subscriptions([UInt8]?)
    /// The octets of a request, and whether it went as a Write Command.
    case request([UInt8], isCommand: Bool)
    /// What came of it, and the numbers of the records it brought.
    case result(Result, SequenceSet)
    case end(Ending)
  }

  /// The link's encryption when records were asked for, or at its end where none were.
  public enum Protection: Sendable, Equatable { case encrypted, clear, failed, unknown }

  /// The class of an outcome.
  public enum Result: Sendable, Equatable {
    case outcome(String)
    case count(UInt32)
    /// The capture does not show it.
    case unknown
  }

  /// Who or what ended the link.
  public enum Ending: Sendable, Equatable { case collector, sensor, lost, other, unknown }

  /// True where the two steps are the same as far as both captures show.
  public func agrees(with other: FetchStep) -> Bool {
    switch (content, other.content) {
    case (.link, .link): true
    case (.security(let one), .security(let two)): one == two || one == .unknown || two == .unknown
    case (.subscriptions(let one), .subscriptions(let two)): one == two || one == nil || two == nil
    case (.request(let one, let isCommand), .request(let two, let isOther)): one == two && isCommand == isOther
    case (.result(let one, let numbers), .result(let two, let others)):
      one == .unknown || two == .unknown || (one == two && numbers == others)
    case (.end(let one), .end(let two)): one == two || one == .unknown || two == .unknown
    default: false
    }
  }
}
