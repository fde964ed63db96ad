import BluetoothWire
import CaptureFiles
import HealthProfiles
import LinkTrace
import Scenarios
import Testing

/// What Android's loggers cut: the results stay counted and are never read into.
@Suite struct ClippedTests {
  static let clips: [Clip] = [.headers, .channels, .ring]

  @Test(arguments: Scenario.names, clips)
  func `a cut result is no result that was read`(_ name: String, _ clip: Clip) throws {
    let scenario = try #require(Scenario.named(name))
    let whole = Dictionary(
      Trace(scenario.frames()).procedures.map { ($0.requestFrame, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    let clipped = Trace(scenario.frames(Rendering(clip: clip)))
    for link in clipped.links {
      for summary in LinkSummary(link).procedures {
        guard let result = summary.procedure.result else { continue }
        let pdu = link.pdus[Int(result)]
        if pdu.isClipped && pdu.valueCount < 4 {
          #expect([.resultClipped, .aborted].contains(summary.procedure.outcome))
        } else {
          #expect(summary.procedure.outcome == whole[summary.requestFrame]?.procedure.outcome)
        }
      }
    }
  }

  @Test(arguments: Scenario.names, clips)
  func `records stay counted where their op code is left`(_ name: String, _ clip: Clip) throws {
    let scenario = try #require(Scenario.named(name))
    let whole = Trace(scenario.frames())
    let clipped = Trace(scenario.frames(Rendering(clip: clip)))
    #expect(clipped.links.count == whole.links.count)
    for (one, other) in zip(whole.inOrder, clipped.inOrder) {
      // Which channels are enhanced bearers is lost with the octets of the signalling.
      if one.counts.enhancedBearers == 0 {
        #expect(one.counts.sentPDUs == other.counts.sentPDUs)
        #expect(one.counts.receivedPDUs == other.counts.receivedPDUs)
      }
      for traffic in one.handles where traffic.role == .glucoseMeasurement || traffic.role == .glucoseContext {
        guard let same = other.handles.first(where: { $0.handle == traffic.handle && $0.server == traffic.server })
        else { continue }
        #expect(same.notifications == traffic.notifications)
      }
    }
  }
}
