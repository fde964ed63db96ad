import Glibc

/// What environment variables ask of the long tests.
enum Thoroughness {
  /// True where every finding that a missing frame makes is to be printed, warnings too.
  static var printsHoles: Bool { getenv("RACPSCOPE_HOLES") != nil }

  /// True where every example is to be cut at every frame, and not at a part of them.
  static var cutsEverywhere: Bool { getenv("RACPSCOPE_EVERY_CUT") != nil }

  /// True where every single frame of every example is to be left out once, and not a part of them.
  static var triesEveryHole: Bool { getenv("RACPSCOPE_EVERY_HOLE") != nil }
}
