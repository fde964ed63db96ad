import CaptureFiles
import LinkTrace
import ProtocolLint
import ReferenceCaptures
import Scenarios
import Testing

/// A capture in which rules fire, as frames that can be cut, dropped and shortened.
struct FaultyCapture: CustomTestStringConvertible, Sendable {
  var name: String
  var frames: [RenderedFrame]
  var testDescription: String { name }

  /// The failing examples from both ends, and the recordings of the laboratory with a finding.
  static let all: [FaultyCapture] = {
    var captures: [FaultyCapture] = []
    for item in ExampleCase.failing {
      for side in item.example.ends {
        captures.append(
          FaultyCapture(
            name: "\(item.identifier) \(item.example.scenario.name) \(side)",
            frames: item.example.scenario.frames(Rendering(side: side))
          )
        )
      }
    }
    for recording in Laboratory.expected.keys.sorted() {
      guard let frames = try? recorded(Folder.laboratory.path(recording)) else { continue }
      captures.append(FaultyCapture(name: recording, frames: frames))
    }
    return captures
  }()

  private static func recorded(_ path: String) throws -> [RenderedFrame] {
    var reader = try CaptureReader.open(.path(path))
    var frames: [RenderedFrame] = []
    while let frame = reader.next() {
      let octets = reader.bytes(of: frame).withUnsafeBytes { Array($0) }
      frames.append(
        RenderedFrame(
          kind: frame.kind,
          adapter: frame.adapter,
          time: frame.time,
          octets: octets,
          originalLength: frame.originalLength
        )
      )
    }
    return frames
  }

  func judge(
    _ kept: [RenderedFrame],
    _ format: WritableFormat = .btsnoop(.monitor),
    lookingEvery stride: Int? = nil
  ) throws -> Judgement {
    var writer = CaptureWriter(format: format)
    for frame in kept {
      writer.drops = frame.drops
      writer.write(
        kind: frame.kind,
        adapter: frame.adapter,
        time: frame.time,
        octets: frame.octets,
        originalLength: frame.originalLength
      )
    }
    return try Judgement(.memory(writer.finish(), name: name), lookingEvery: stride)
  }

  func judge() throws -> Judgement { try judge(frames) }

  /// True for examples of what a link without a sign of a health device shows, known by a later link; and where the
  /// sensor's host is the central, as most phones are, and the table alone tells.
  var restsOnFirstLink: Bool { ["first-link", "since-pairing", "sensor-refuses"].contains { name.contains($0) } }

  /// Where it is cut: at some 30 places, others for each capture, as cutting every one at each frame takes many minutes.
  /// `RACPSCOPE_EVERY_CUT=1` cuts everywhere, a long one at 400 places.
  var stride: Int { max(1, frames.count / (Thoroughness.cutsEverywhere ? 400 : 30)) }
  var cuts: StrideThrough<Int> {
    let first = name.utf8.reduce(0) { $0 + Int($1) } % stride
    return Swift.stride(from: first, through: frames.count, by: stride)
  }
}

/// What a judgement of less must not say, given that of the whole: nil where it says nothing of the kind.
///
/// What is said of the capture itself may of course be new: less is a worse capture. And where a finding over several
/// links cannot be made any more, what it explained is still true of its own link.
private func overreach(_ less: Judgement, _ whole: Judgement, comparing: Bool = true) -> String? {
  for finding in less.findings where finding.rule.area != "CAP" {
    let known = whole.findings(of: finding.rule)
    if known.isEmpty && whole.explainedByDevices.contains(finding.rule) { continue }
    guard let most = known.map(\.level).max() else { return "\(finding.rule) appears: \(finding.message)" }
    if finding.level > most { return "\(finding.rule) rises to \(finding.level)" }
    if comparing && !known.contains(where: { $0.fingerprint == finding.fingerprint }) {
      return "another finding: \(finding.fingerprint)"
    }
  }
  for verdict in less.inconclusive where verdict.reason.isEmpty { return "\(verdict.rule) gives no reason" }
  return nil
}

/// True where a rule that fires in the whole is acquitted in less, although every packet it named is still there.
private func acquits(_ less: Judgement, _ whole: Judgement, keeping kept: Range<Int>) -> Bool {
  whole.findings.contains { finding in
    finding.rule.area != "CAP" && finding.frames.allSatisfy { kept.contains(Int($0) - 1) }
      && !less.findings.contains { $0.rule == finding.rule }
      && less.passed.count { $0 == finding.rule } > whole.passed.count { $0 == finding.rule }
  }
}

/// Rules that fire in the whole and neither fire nor say why not where octets of its packets are gone: all of them are
/// still there, and nothing is acquitted of what cannot be read. A link that shows no health device any more is not
/// judged at all: neither is what rests on a first link on which the two only paired.
private func forgotten(_ less: Judgement, _ whole: Judgement) -> [RuleIdentifier] {
  if less.inconclusive.isEmpty && less.findings.allSatisfy({ $0.rule.area == "CAP" }) { return [] }
  let fired = Set(whole.findings.map(\.rule)).filter { $0.area != "CAP" }
  let said = Set(less.findings.map(\.rule)).union(less.findings.flatMap { $0.consequences.map(\.rule) })
    .union(less.inconclusive.map(\.rule)).union(less.explainedByDevices)
  return fired.subtracting(said).sorted { $0.description < $1.description }
}

@Test(.enabled(if: Folder.laboratory.isThere, "\(Folder.laboratory.absence)"))
func `the laboratory's recordings are cut as the examples are`() {
  let names = Set(FaultyCapture.all.map(\.name))
  #expect(Laboratory.expected.keys.allSatisfy { names.contains($0) })
}

@Test(arguments: FaultyCapture.all)
func `cut at the start nothing new is accused`(capture: FaultyCapture) throws {
  let whole = try capture.judge()
  #expect(!whole.findings.isEmpty)
  for first in capture.cuts {
    let less = try capture.judge(Array(capture.frames[first...]))
    #expect(overreach(less, whole) == nil, "without the first \(first)")
    #expect(!acquits(less, whole, keeping: first..<capture.frames.count), "without the first \(first)")
  }
}

@Test(arguments: FaultyCapture.all)
func `cut at the end nothing new is accused`(capture: FaultyCapture) throws {
  let whole = try capture.judge()
  for end in capture.cuts {
    let less = try capture.judge(Array(capture.frames[..<end]))
    #expect(overreach(less, whole) == nil, "the first \(end)")
    #expect(!acquits(less, whole, keeping: 0..<end), "the first \(end)")
  }
}

@Test(arguments: FaultyCapture.all)
func `with dropped packets nothing new is accused`(capture: FaultyCapture) throws {
  let whole = try capture.judge()
  for lost in capture.cuts where lost < capture.frames.count {
    for count in [1, 5] {
      var kept = Array(capture.frames[..<lost])
      for frame in capture.frames[lost...].dropFirst(count) {
        var frame = frame
        frame.drops += UInt32(count)
        kept.append(frame)
      }
      let less = try capture.judge(kept)
      #expect(overreach(less, whole) == nil, "without \(count) from \(lost + 1)")
    }
  }
}

@Test(arguments: FaultyCapture.all, Clip.allCases)
func `clipped nothing new is accused`(capture: FaultyCapture, clip: Clip) throws {
  let whole = try capture.judge()
  let shortened = capture.frames.map { frame in
    var frame = frame
    if frame.kind == .aclSent || frame.kind == .aclReceived {
      frame.octets = Array(frame.octets.prefix(clip.keptOctets))
    }
    return frame
  }
  for cut in [0, 20, 100] {
    let less = try capture.judge(Array(shortened.dropFirst(cut)))
    #expect(overreach(less, whole, comparing: false) == nil, "\(clip), without the first \(cut)")
    if cut == 0 && !capture.restsOnFirstLink { #expect(forgotten(less, whole).isEmpty, "\(clip)") }
  }
}

@Test(arguments: FaultyCapture.all.filter { $0.frames.count < 400 })
func `cut to any length nothing new is accused`(capture: FaultyCapture) throws {
  let whole = try capture.judge()
  for limit in 8...35 {
    let shortened = capture.frames.map { frame in
      var frame = frame
      if frame.kind == .aclSent || frame.kind == .aclReceived { frame.octets = Array(frame.octets.prefix(limit)) }
      return frame
    }
    let less = try capture.judge(shortened)
    #expect(overreach(less, whole, comparing: false) == nil, "\(limit) octets")
    if !capture.restsOnFirstLink { #expect(forgotten(less, whole).isEmpty, "\(limit) octets") }
  }
}

@Test(arguments: FaultyCapture.all)
func `every format tells the same`(capture: FaultyCapture) throws {
  // What a monitor writes besides packets shows how long it ran; other formats cannot hold it.
  let kinds: Set<FrameKind> = [.command, .event, .aclSent, .aclReceived]
  let packets = capture.frames.filter { kinds.contains($0.kind) }
  let whole = try capture.judge(packets)
  let formats: [WritableFormat] = [
    .btsnoop(.unencapsulated), .btsnoop(.uart), .pcap(.uart), .pcap(.uartWithDirection), .pcap(.monitor), .pcapng,
    .packetLogger(bigEndian: true), .packetLogger(bigEndian: false),
  ]
  for format in formats {
    let other = try capture.judge(packets, format)
    #expect(other.findings.map(\.fingerprint) == whole.findings.map(\.fingerprint), "\(format)")
    #expect(other.findings.map(\.level) == whole.findings.map(\.level), "\(format)")
  }
}

@Test(arguments: FaultyCapture.all)
func `looked at after every frame nothing is accused too early`(capture: FaultyCapture) throws {
  for cut in [0, 60, 110] {
    let kept = Array(capture.frames.dropFirst(cut))
    let hasty = try capture.judge(kept, lookingEvery: capture.stride).hasty
    #expect(hasty == nil, "without the first \(cut)")
  }
}
