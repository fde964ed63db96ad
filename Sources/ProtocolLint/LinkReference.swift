/// A link of a run over several files.
public struct LinkReference: Hashable, Sendable {
  /// The ordinal of the file among those of the run.
  public var file: UInt16
  /// The link's number in the run over that file.
  public var link: UInt32

  public init(file: UInt16, link: UInt32) {
    self.file = file
    self.link = link
  }
}
