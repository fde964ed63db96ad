import Scenarios

/// The arguments, read.
struct MakeScenarioOptions {
  enum Mode {
    case scenario
    case list
    case bench
    case single
  }

  var mode = Mode.scenario
  var positional: [String] = []
  var rendering = Rendering()
  var benchmark = BenchmarkCapture()

  init(_ arguments: [String]) throws(MakeScenario.Problem) {
    let wrong = MakeScenario.Problem(text: MakeScenario.usage)
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--list": mode = .list
      case "--bench": mode = .bench
      case "--single": mode = .single
      case "--without-discovery": rendering.withoutDiscovery = true
      case "--format":
        guard let format = rest.popFirst().flatMap(FormatName.init(rawValue:))?.format else { throw wrong }
        rendering.format = format
        benchmark.format = format
      case "--fragment":
        guard let size = rest.popFirst().flatMap({ Int($0) }), size > 0 else { throw wrong }
        rendering.fragmentSize = size
      case "--clip":
        guard let clip = rest.popFirst().flatMap(Clip.init(rawValue:)) else { throw wrong }
        rendering.clip = clip
      case "--side":
        guard let side = rest.popFirst().flatMap(Party.init(rawValue:)) else { throw wrong }
        rendering.side = side
      case "--times":
        guard let times = rest.popFirst().flatMap({ Int($0) }), times > 0 else { throw wrong }
        benchmark.times = times
      default:
        guard !argument.hasPrefix("--") else { throw wrong }
        positional.append(argument)
      }
    }
    if positional.isEmpty && mode != .list { throw wrong }
  }
}
