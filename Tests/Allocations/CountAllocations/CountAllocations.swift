import AllocationCounter
import CaptureFiles
import Glibc
import Scenarios
import Stages

/// Prints how often each stage allocates over captures of two sizes: `stage/capture allocations`, one a line.
///
/// A stage that allocates for each frame shows tenfold on the larger capture; arrays that double show as a few more.
/// With numbers as arguments the captures are one link with that many records each, and the octets that a tenth as
/// many devices cost, each met once.
@main
enum CountAllocations {
  static func main() {
    let asked = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    let usual: [(name: String, shape: BenchmarkCapture)] = [
      ("one-link-20000", .singleLink(records: 20_000)), ("one-link-200000", .singleLink(records: 200_000)),
      ("40-links-20000", BenchmarkCapture(links: 40, recordsPerLink: 500, meters: 4)),
      ("400-links-200000", BenchmarkCapture(links: 400, recordsPerLink: 500, meters: 4)),
    ]
    let captures = asked.isEmpty ? usual : asked.map { ("one-link-\($0)", .singleLink(records: $0)) }
    do throws(CaptureError) {
      for (name, shape) in captures {
        let input = CaptureInput.memory(rendered(shape), name: name)
        for stage in Stage.allCases {
          // Once before: what the runtime sets up at first use is nobody's allocation.
          try stage.run(input)
          let before = allocation_count()
          try stage.run(input)
          print("\(stage.rawValue)/\(name) \(allocation_count() - before)")
        }
      }
      for devices in asked.map({ $0 / 10 }) {
        let shape = BenchmarkCapture(links: devices, recordsPerLink: 1, meters: devices)
        let input = CaptureInput.memory(rendered(shape), name: "devices")
        let before = allocation_octets()
        try Stage.track.run(input)
        print("octets/devices-\(devices) \(allocation_octets() - before)")
      }
    } catch {
      print(error.message)
      exit(1)
    }
  }

  private static func rendered(_ shape: BenchmarkCapture) -> [UInt8] {
    var octets: [UInt8] = []
    shape.generate { octets += $0 }
    return octets
  }
}
