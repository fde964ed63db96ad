/// When a capture holds too many links to tell each: one screen comes first, `--all` has the rest.
enum StoryCrowd {
  /// Links told in full before the story is summed up.
  static let fullLinks = 12
  /// Devices told by themselves when it is; of the others the totals.
  static let devices = 6
  /// Odd and last links named of each device.
  static let oddLinks = 4
  static let lastLinks = 2
  /// Procedures and findings of a link told in full before they are summed up.
  static let fullProcedures = 20
  static let fullFindings = 12
  /// Odd and last procedures told when they are.
  static let oddProcedures = 6
  static let lastProcedures = 3

  static func isOne(_ devices: [StoryDevice]) -> Bool {
    devices.reduce(0) { $0 + $1.linkCount } > fullLinks
  }
}
