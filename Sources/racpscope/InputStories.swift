import CaptureFiles
import CommandLineInterface

/// Groups the inputs a user named into stories: each capture its own, or all of them one with `--join`.
struct InputStories {
  /// Each story's captures in the order they are read.
  var stories: [[CaptureSource]] = []
  /// Inputs that cannot be read at all.
  var errors: [CaptureError] = []

  init(_ paths: [String], join: Bool) {
    var all: [CaptureSource] = []
    for path in paths {
      do {
        let found = try captures(in: path)
        all += found
        if !join { stories += found.map { [$0] } }
      } catch {
        errors.append(error)
      }
    }
    guard join else { return }
    let ordered = Self.ordered(all, &errors)
    if !ordered.isEmpty { stories = [ordered] }
  }

  /// Rotated logs are named in any order; their first time stamps tell. What can be read only once keeps its place:
  /// before the others where it is named first, else behind them.
  private static func ordered(_ sources: [CaptureSource], _ errors: inout [CaptureError]) -> [CaptureSource] {
    var timed: [(time: Int64, source: CaptureSource)] = []
    for (place, source) in sources.enumerated() {
      if source.format == .undetermined {
        timed.append((place == 0 ? .min : .max, source))
        continue
      }
      do {
        timed.append((try firstTime(of: source) ?? .min, source))
      } catch {
        errors.append(error)
      }
    }
    return timed.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element.source)
  }
}
