import CaptureFiles
import Testing

/// An archive with very many logs is walked through a few times, not once for each log.
@Suite(.timeLimit(.minutes(2))) struct ManyMembersTests {
  private static let count = 2_000

  private func archive(_ form: PackedFixture.Form, _ names: [String]) -> [UInt8] {
    PackedFixture.pack(
      form,
      names.enumerated().map { index, name in
        var writer = CaptureWriter(format: .btsnoop(.uart))
        writer.write(kind: .command, time: midnight + Int64(index), octets: [0x03, 0x0C, 0x00])
        return (name, writer.finish())
      }
    )
  }

  /// The time of the one frame tells the members apart.
  private func number(_ source: CaptureSource) throws -> Int {
    var reader = try CaptureReader.open(source)
    let first = reader.next()
    let isOnly = reader.next() == nil
    #expect(isOnly)
    return Int(try #require(first).time - midnight)
  }

  @Test(arguments: [PackedFixture.Form.zip, .tarGzip])
  func inTheirOrder(_ form: PackedFixture.Form) throws {
    let names = (0..<Self.count).map { "logs/\($0)/btsnoop_hci.log" }
    let sources = try captures(in: .memory(archive(form, names), name: "many"))
    #expect(sources.map { String($0.name.dropFirst("many: ".count)) } == names)
    for (index, source) in sources.enumerated() { #expect(try number(source) == index) }
    #expect(sources[0].archiveOpenings == 1)
  }

  /// The log before a rotation stands behind the current one and is read first.
  @Test func rotatedPairs() throws {
    let names = (0..<(Self.count / 2)).flatMap { ["logs/\($0)/btsnoop_hci.log", "logs/\($0)/btsnoop_hci.log.last"] }
    let sources = try captures(in: .memory(archive(.zip, names), name: "many"))
    var numbers: [Int] = []
    for source in sources { numbers.append(try number(source)) }
    #expect(numbers == (0..<Self.count).map { $0 ^ 1 })
    #expect(sources[0].archiveOpenings == 2)
  }

  /// Several readers at once and a second pass over everything.
  @Test func severalReaders() async throws {
    let names = (0..<Self.count).map { "logs/\($0)/btsnoop_hci.log" }
    let sources = try captures(in: .memory(archive(.zip, names), name: "many"))
    for _ in 0..<2 {
      let right = try await withThrowingTaskGroup(of: Int.self) { group in
        for start in 0..<4 {
          group.addTask {
            var right = 0
            for index in stride(from: start, to: sources.count, by: 4) {
              let found = try number(sources[index])
              if found == index { right += 1 }
            }
            return right
          }
        }
        return try await group.reduce(0, +)
      }
      #expect(right == Self.count)
    }
    #expect(sources[0].archiveOpenings < 100)
  }

  @Test func archivesInAnArchive() throws {
    let inner = archive(.zip, (0..<50).map { "\($0)/btsnoop_hci.log" })
    let outer = PackedFixture.pack(.zip, [("a.zip", inner), ("b.txt", [0x41]), ("c.zip", inner)])
    let sources = try captures(in: .memory(outer, name: "outer.zip"))
    #expect(sources.count == 100)
    for (index, source) in sources.enumerated() { #expect(try number(source) == index % 50) }
    #expect(sources[0].archiveOpenings <= 4)
    for (index, source) in sources.enumerated().reversed() { #expect(try number(source) == index % 50) }
  }

  @Test func oneCaptureIsReadAgain() throws {
    let sources = try captures(in: .memory(archive(.zip, ["1.pcap", "btsnoop_hci.log", "btsnoop_2.log"]), name: "z"))
    #expect(sources.count == 3)
    for index in [2, 1, 1, 0, 2, 2] { #expect(try number(sources[index]) == index) }
  }
}
