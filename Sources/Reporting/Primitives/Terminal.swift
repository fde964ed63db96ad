import Glibc

/// Where text is shown: how wide it is and whether colour is welcome.
public struct Terminal: Hashable, Sendable {
  /// Columns.
  public var width: Int
  public var hasColour: Bool
  /// True where somebody sits before it.
  public var isTerminal = false

  /// Plain text, 100 columns.
  public init(width: Int = 100, hasColour: Bool = false) {
    self.width = width
    self.hasColour = hasColour
  }

  /// What stands behind a descriptor: its width where it is a terminal, colour unless NO_COLOR or TERM=dumb says not.
  public static func behind(descriptor: Int32) -> Terminal {
    guard isatty(descriptor) == 1 else { return Terminal() }
    var size = winsize()
    let isKnown = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col >= 40
    let refusesColour = environment("NO_COLOR").map { !$0.isEmpty } ?? false
    let kind = environment("TERM") ?? "dumb"
    var terminal = Terminal(
      width: isKnown ? Int(size.ws_col) : 100,
      hasColour: !refusesColour && kind != "dumb" && !kind.isEmpty
    )
    terminal.isTerminal = true
    return terminal
  }

  private static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}
