import BluetoothWire
import CaptureFiles
import LinkTrace
import ProtocolLint
import Testing

/// A capture that ends early says less than the whole one, and nothing else.
@Suite struct SampleCutTests {
  @Test(arguments: SampleFiles.names)
  func cutAtEveryFrameInventsNoResult(name: String) throws {
    let whole = try SampleVerdicts(SampleFiles.octets(name))
    let frames = try Self.frames(SampleFiles.octets(name))
    for count in 0...frames.count {
      var writer = CaptureWriter(format: .btsnoop(.monitor))
      for frame in frames.prefix(count) {
        writer.write(
          kind: frame.kind,
          adapter: frame.adapter,
          time: frame.time,
          octets: frame.octets,
          originalLength: frame.originalLength
        )
      }
      guard count == 0 || writer.droppedCount == 0 else { continue }
      let cut = try SampleVerdicts(writer.finish())
      for (request, seen) in cut.outcomes where seen.isFinished {
        let known = whole.outcomes[request]
        #expect(known?.outcome == seen.outcome, "\(name) cut after \(count), request \(request)")
        #expect(seen.result <= UInt32(count))
      }
    }
  }

  @Test(arguments: SampleFiles.names)
  func cutAtAnyOctetReadsWhatIsThere(name: String) throws {
    let octets = try SampleFiles.octets(name)
    let whole = try SampleVerdicts(octets)
    var random = SystemIndependentRandom(seed: 0x5EED)
    let places =
      Array(stride(from: 0, to: octets.count, by: 61))
      + (0..<100).map { _ in Int(random.next() % UInt64(octets.count)) }
    var read = 0
    for place in places {
      guard let cut = try? SampleVerdicts(Array(octets[0..<place])) else { continue }
      read += 1
      for (request, seen) in cut.outcomes where seen.isFinished {
        #expect(whole.outcomes[request]?.outcome == seen.outcome, "\(name) cut at octet \(place)")
      }
    }
    #expect(read > 50)
  }

  @Test(arguments: SampleFiles.names)
  func changedOctetsNeverStopTheProgram(name: String) throws {
    let octets = try SampleFiles.octets(name)
    var random = SystemIndependentRandom(seed: UInt64(octets.count))
    var runs = 0
    for _ in 0..<150 {
      var changed = octets
      for _ in 0..<(1 + Int(random.next() % 8)) {
        changed[Int(random.next() % UInt64(changed.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      _ = try? SampleVerdicts(changed)
      runs += 1
    }
    #expect(runs == 150)
  }

  private struct Frame {
    var kind: FrameKind
    var adapter: UInt16
    var time: Int64
    var octets: [UInt8]
    var originalLength: Int
  }

  /// Directions the file does not give are taken from the packet-boundary flag; continuations follow their start.
  private static func frames(_ octets: [UInt8]) throws -> [Frame] {
    var reader = try CaptureReader.open(.memory(octets, name: "sample"))
    var frames: [Frame] = []
    var lastData = FrameKind.aclReceived
    while let frame = reader.next() {
      var kind = frame.kind
      if kind == .aclUndirected { kind = lastData }
      if kind == .aclReceived || kind == .aclSent { lastData = kind }
      frames.append(
        Frame(
          kind: kind,
          adapter: frame.adapter,
          time: frame.time,
          octets: reader.bytes(of: frame).copied(),
          originalLength: frame.originalLength
        )
      )
    }
    return frames
  }
}

/// A generator whose numbers are the same on every machine (SplitMix64).
struct SystemIndependentRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
