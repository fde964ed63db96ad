/// A procedure of a side: its link among those of the side, and its index on that link.
public struct ProcedureReference: Sendable, Hashable, Comparable {
  public var link: Int
  public var procedure: Int

  public init(link: Int, procedure: Int) {
    self.link = link
    self.procedure = procedure
  }

  public static func < (left: ProcedureReference, right: ProcedureReference) -> Bool {
    left.link == right.link ? left.procedure < right.procedure : left.link < right.link
  }
}
