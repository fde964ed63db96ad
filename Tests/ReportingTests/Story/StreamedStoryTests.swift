import CaptureFiles
import Glibc
import LinkTrace
import Scenarios
import Testing

@testable import Reporting

/// A story that is told while its capture still comes in.
@Suite struct StreamedStoryTests {
  /// Nobody reads on: what is left of the capture is not read either, though it may take another hour to come.
  @Test func readingEndsWithTheReader() throws {
    let capture = BenchmarkCapture(links: 20, recordsPerLink: 50, meters: 1)
    var octets: [UInt8] = []
    let total = capture.generate { octets += $0 }
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    close(ends[0])
    defer { close(ends[1]) }
    signal(SIGPIPE, SIG_IGN)
    var reader = try CaptureReader.open(captures(in: .memory(octets, name: "stream"))[0])
    var report = StoryReport(StoryOptions(), streamingTo: OutputBuffer(descriptor: ends[1]), on: Terminal())
    var tracker = LinkTracker(memory: TraceMemory())
    tracker.read(&reader, into: &report)
    #expect(report.hasEnough)
    #expect(reader.frameCount < UInt32(total / 10))
  }
}
