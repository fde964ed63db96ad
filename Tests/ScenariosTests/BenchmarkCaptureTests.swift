import CaptureFiles
import Scenarios
import Testing

@Suite struct BenchmarkCaptureTests {
  private func made(_ benchmark: BenchmarkCapture) throws -> (frames: Int, read: [RenderedFrame]) {
    var file: [UInt8] = []
    let frames = benchmark.generate { file += $0 }
    return (frames, try readBack(file))
  }

  @Test(arguments: formats) func theReaderFindsEveryFrame(format: WritableFormat) throws {
    let (frames, read) = try made(BenchmarkCapture(links: 5, recordsPerLink: 40, meters: 2, times: 2, format: format))
    #expect(read.count == frames)
    let records = units(read).count { $0.payload.starts(with: [0x1B, 0x1B, 0x00]) }
    let contexts = units(read).count { $0.payload.starts(with: [0x1B, 0x1E, 0x00]) }
    #expect(records == 5 * 40 * 2)
    #expect(contexts == 5 * 4 * 2)
    #expect(zip(read, read.dropFirst()).allSatisfy { $0.time <= $1.time })
  }

  @Test func aLinkHasTheFramesOfTheLargeCapture() throws {
    let one = try made(BenchmarkCapture(links: 41, recordsPerLink: 500, meters: 40)).frames
    let forty = try made(BenchmarkCapture(links: 40, recordsPerLink: 500, meters: 40)).frames
    // 4,000 links of this length, most of them bonded, are 2.5 million frames.
    #expect((600...660).contains(one - forty))
  }

  @Test func aSingleLinkRunsThroughAllNumbers() throws {
    let (frames, read) = try made(.singleLink(records: 70_000))
    #expect(read.count == frames)
    let numbers = units(read).map(\.payload).filter { $0.starts(with: [0x1B, 0x1B, 0x00]) }
      .map { UInt16($0[4]) | UInt16($0[5]) << 8 }
    #expect(numbers.count == 70_000)
    #expect(numbers[65_535] == 65_535)
    #expect(numbers[65_536] == 0)
    #expect(read.count { $0.kind == .event && $0.octets[0] == 0x05 } == 1)
  }
}
