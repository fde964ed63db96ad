/// A few decoded packets around what a finding is about.
struct LintExcerpt: Sendable {
  var lines: [Line] = []

  struct Line: Sendable {
    var frame: UInt32
    /// Microseconds since 1970 UTC; nil where it is not kept after the end of the packet's link.
    var time: Int64?
    /// `collector`, `sensor`, `link`; `sent` or `received` where the sides are not known.
    var who: String
    /// Safe for a terminal, at most `widest` columns.
    var text: String
    /// True for the packets of the anchor frame.
    var isMarked: Bool
    /// True where packets between this line and the one before are left out.
    var followsGap: Bool
  }

  static let widest = 110
}
