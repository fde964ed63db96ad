import CaptureFiles
import Glibc

/// Reads a capture and looks at every frame: what the file alone costs, without links, attributes or records.
@main
enum WalkCapture {
  static func main() {
    guard CommandLine.arguments.count == 2 else {
      print("usage: walk-capture FILE")
      exit(2)
    }
    do throws(CaptureError) {
      var frames = 0
      var octets = 0
      var reader = try CaptureReader.open(.path(CommandLine.arguments[1]))
      while let frame = reader.next() {
        frames += 1
        octets += reader.bytes(of: frame).byteCount
      }
      print("\(frames) frames, \(octets) octets")
    } catch {
      print(error.message)
      exit(1)
    }
  }
}
