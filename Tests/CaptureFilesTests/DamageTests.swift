import CaptureFiles
import Testing

@Suite(.timeLimit(.minutes(2))) struct DamageTests {
  @Test(arguments: writableFormats)
  func cutAtEveryOctet(_ format: WritableFormat) {
    let whole = written(format)
    for length in 0..<whole.count {
      guard let walk = try? Walk(Array(whole[..<length])) else { continue }
      #expect(walk.frames.count < packets.count)
      #expect(walk.frames.map(\.octets).elementsEqual(packets.prefix(walk.frames.count).map(\.1)))
    }
  }

  @Test func aCutRecordIsNoted() throws {
    let whole = written(.btsnoop(.uart))
    let walk = try Walk(Array(whole.dropLast(3)))
    #expect(walk.frames.count == 3)
    #expect(walk.notes == [CaptureNote(.truncatedTail, frame: 4, amount: Int64(24 + 12 - 3))])
  }

  @Test(arguments: writableFormats)
  func changedOctetsNeverTrap(_ format: WritableFormat) {
    let whole = written(format)
    var random = SplitMix(state: 0x5EED)
    var read = 0
    for _ in 0..<500 {
      var changed = whole
      for _ in 0...random.below(4) { changed[random.below(changed.count)] = UInt8(random.below(256)) }
      if let walk = try? Walk(changed) { read += walk.frames.count }
    }
    #expect(read > 0)
  }
}

/// Deterministic octets.
struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
