import ReferenceCaptures

/// The scenes of the emulated meter; empty where the laboratory's folder is not there.
enum LabFiles {
  /// Every scene of both folders: the path of the collector's capture without its ending.
  static var scenes: [String] {
    ["captures-collector", "captures"].flatMap { Folder.laboratory.folder($0).paths(ending: ".meter.btsnoop") }
      .map { String($0.dropLast(".meter.btsnoop".count)) }
  }

  /// The captures of scenes, of both sides.
  static var captures: [String] { scenes.flatMap { [$0 + ".btsnoop", $0 + ".meter.btsnoop"] } }

  /// The lines of a text file.
  static func lines(_ path: String) -> [String] {
    FileContent(path)?.text.split(separator: "\n").map(String.init) ?? []
  }
}

/// The last part of a path.
func name(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }
