import CaptureFiles
import Scenarios
import Testing

@Suite struct RoundTripTests {
  @Test(arguments: Scenario.catalogue.map(\.name)) func everyFormatGivesTheFramesBack(name: String) throws {
    let scenario = try #require(Scenario.named(name))
    #expect(scenario.name == name)
    for side in Party.allCases {
      let frames = scenario.frames(Rendering(side: side))
      for format in formats {
        let read = try readBack(scenario.capture(Rendering(format: format, side: side)))
        #expect(read == frames.compactMap(format.carried), "\(name) \(format) \(side)")
      }
    }
  }

  @Test(arguments: [1, 20, 27]) func fragmentsSurviveEveryFormat(size: Int) throws {
    for format in formats {
      let rendering = Rendering(format: format, fragmentSize: size)
      let scenario = Scenario.incrementalSync()
      let read = try readBack(scenario.capture(rendering))
      #expect(read == scenario.frames(rendering).compactMap(format.carried))
    }
  }

  @Test(arguments: Clip.allCases) func clippedFramesKeepTheirLength(clip: Clip) throws {
    let rendering = Rendering(format: .btsnoop(.uart), clip: clip)
    let scenario = Scenario.firstSync()
    let read = try readBack(scenario.capture(rendering))
    let whole = scenario.frames().compactMap(rendering.format.carried)
    #expect(read.count == whole.count)
    for (short, long) in zip(read, whole) {
      #expect(short.originalLength == long.octets.count)
      let isData = short.kind == .aclSent || short.kind == .aclReceived
      #expect(short.octets == (isData ? Array(long.octets.prefix(clip.keptOctets)) : long.octets))
    }
  }

  @Test func lostFramesAreCounted() throws {
    var rendering = Rendering()
    rendering.lost = [10, 11, 20]
    let scenario = Scenario.firstSync()
    var reader = try CaptureReader.open(.memory(scenario.capture(rendering), name: "lost"))
    var count = 0
    while reader.next() != nil { count += 1 }
    #expect(count == scenario.frames().count - 3)
    #expect(reader.drops == 3)
  }

  @Test func capturesAreCutAtBothEnds() {
    var rendering = Rendering()
    rendering.cutFirst = 7
    rendering.keepFirst = 12
    let scenario = Scenario.firstSync()
    #expect(scenario.frames(rendering) == Array(scenario.frames()[7..<19]))
  }

  @Test func renderingIsDeterministic() {
    for entry in Scenario.catalogue { #expect(entry.make().frames() == entry.make().frames()) }
  }
}
