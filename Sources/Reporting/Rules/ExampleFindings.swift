import CaptureFiles
import LinkTrace
import ProtocolLint

/// What all rules say of an example's links and of its device over them.
struct ExampleFindings: LinkConsumer {
  private(set) var findings: [Finding] = []
  private var devices: [DeviceHistory] = []

  init(_ octets: [UInt8], name: String) {
    guard let taught = read(octets, name, TraceMemory()), taught.learnedLate else { return }
    var known = taught
    known.startSecondPass(after: TraceMemory())
    (findings, devices) = ([], [])
    _ = read(octets, name, known)
  }

  /// Judges the example with what is known before; what its links taught.
  private mutating func read(_ octets: [UInt8], _ name: String, _ memory: TraceMemory) -> TraceMemory? {
    guard var reader = try? CaptureReader.open(.memory(octets, name: name)) else { return nil }
    var tracker = LinkTracker(memory: memory)
    tracker.read(&reader, into: &self)
    tracker.finish(into: &self)
    let capture = CaptureVerdicts(CaptureSubject(notes: reader.notes, frames: reader.frameCount))
    for device in devices {
      let own = findings.filter { device.link($0.link, file: 0) != nil }
      let others = findings.filter { device.link($0.link, file: 0) == nil }
      let verdicts = DeviceVerdicts(device, linkFindings: own)
      findings = others + verdicts.linkFindings.compactMap { $0 } + verdicts.findings
    }
    findings += capture.findings
    return tracker.memory
  }

  mutating func take(_ history: borrowing LinkHistory, from tracker: borrowing LinkTracker) {
    findings += LinkVerdicts(history).findings
    let key = DeviceHistory.Key(history)
    let place = devices.firstIndex { $0.key == key } ?? devices.count
    if place == devices.count { devices.append(DeviceHistory(key)) }
    devices[place].take(history)
  }
}
