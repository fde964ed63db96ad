public import CaptureFiles
import HealthProfiles

/// A capture of millions of frames, made link by link and never held whole.
///
/// Every link fetches all records of its meter again. The first link of a meter has pairing, discovery and subscriptions,
/// the later ones are bonded.
public struct BenchmarkCapture: Sendable {
  /// How many links there are.
  public var links: Int
  /// Records in each link, numbered from 1; a single link runs through 0...65535 again and again.
  public var recordsPerLink: Int
  /// How many meters take turns.
  public var meters: Int
  /// How often the whole is repeated, later each time.
  public var times: Int
  /// What is written.
  public var format: WritableFormat

  /// 4,000 links of 500 records: about 2.5 million frames.
  public init(
    links: Int = 4000,
    recordsPerLink: Int = 500,
    meters: Int = 40,
    times: Int = 1,
    format: WritableFormat = .btsnoop(.monitor)
  ) {
    self.links = links
    self.recordsPerLink = recordsPerLink
    self.meters = meters
    self.times = times
    self.format = format
  }

  /// One link with one Report of so many records.
  public static func singleLink(
    records: Int,
    times: Int = 1,
    format: WritableFormat = .btsnoop(.monitor)
  ) -> BenchmarkCapture {
    BenchmarkCapture(links: 1, recordsPerLink: records, meters: 1, times: times, format: format)
  }

  /// Gives the file piece by piece, in order; the number of its frames is returned.
  @discardableResult
  public func generate<Failure: Error>(_ take: ([UInt8]) throws(Failure) -> Void) throws(Failure) -> Int {
    let header = CaptureWriter(format: format).finish()
    try take(header)
    var renderer = Renderer(Scenario("benchmark", []), Rendering(format: format))
    renderer.pace = 7500
    renderer.perform(.adapterAppears)
    var frames = 0
    for turn in 0..<max(0, times) {
      for index in 0..<max(0, links) {
        renderer.perform(.selectMeter(meter(index % max(1, meters))))
        let isFirst = turn == 0 && index < meters
        renderer.perform([isFirst ? .firstArrival : .bondedArrival, .report(.all), .accept])
        for start in stride(from: 0, to: recordsPerLink, by: Self.batch) {
          for place in start..<min(start + Self.batch, recordsPerLink) {
            renderer.perform(.record(number(place)))
            // A phone's controller also reports other links' packets: a frame to read over.
            if place % 8 == 7 { renderer.perform(.completedPackets(0)) }
          }
          frames += try flush(&renderer, header.count, take)
        }
        renderer.perform([.result(.report, .success), .confirm, .farewell, .later(minutes: 10)])
        frames += try flush(&renderer, header.count, take)
      }
    }
    return frames
  }

  /// Records between two pieces of the file.
  private static let batch = 4096

  private func number(_ place: Int) -> UInt16 {
    links == 1 ? UInt16(truncatingIfNeeded: place) : UInt16(truncatingIfNeeded: place + 1)
  }

  /// Every tenth record has a context; the last records are as old as the capture.
  private func meter(_ index: Int) -> Meter {
    var meter = Meter(number: UInt16(truncatingIfNeeded: index + 1))
    meter.contextEvery = 10
    meter.minutesApart = 20
    if links == 1 {
      meter.firstSequenceNumber = 0
      meter.minutesApart = 5
      meter.firstBaseTime -= 20_000_000
    }
    return meter
  }

  private func flush<Failure: Error>(
    _ renderer: inout Renderer,
    _ headerLength: Int,
    _ take: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) -> Int {
    var writer = CaptureWriter(format: format)
    for frame in renderer.takeFrames() { writer.write(frame) }
    try take(Array(writer.finish().dropFirst(headerLength)))
    return writer.recordCount
  }
}
