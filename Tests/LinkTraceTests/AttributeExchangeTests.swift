import BluetoothWire
import CaptureFiles
import LinkTrace
import Scenarios
import Testing

/// Requests and their answers on one link (Core Vol 3 Part F 3.3).
@Suite struct AttributeExchangeTests {
  private func link(_ write: (inout Script) -> Void) throws -> LinkHistory {
    var script = Script()
    script.connect()
    write(&script)
    return try #require(script.trace.links.first)
  }

  @Test func `a response carries the handle of its request`() throws {
    let link = try link {
      $0.sent([0x0A, 0x03, 0x00])
      $0.received([0x0B, 0x41, 0x42])
    }
    #expect(link.pdus[1].handle == 3)
    #expect(link.pdus[1].partner == 0)
    #expect(link.pdus[0].partner == 1)
    #expect(link.pdus[1].server == .remote)
  }

  /// Answers come in the order of the requests (Core Vol 3 Part F 3.3.2): one that is passed over is missing.
  @Test func `of two open requests the one that is answered second is taken for unanswered before`() throws {
    let link = try link {
      $0.sent([0x12, 0x0D, 0x00, 0x01, 0x01])
      $0.sent([0x0A, 0x03, 0x00])
      $0.received([0x0B, 0x41])
      $0.received([0x13])
    }
    let none = AttributePDU.none
    #expect(link.pdus.map(\.partner) == [none, 2, 1, none])
    #expect(link.counts.skippedAnswers == 1 && link.counts.orphanAnswers == 1)
  }

  @Test func `two open writes are answered in their order`() throws {
    let link = try link {
      $0.sent([0x12, 0x0D, 0x00, 0x01, 0x01])
      $0.sent([0x12, 0x0E, 0x00, 0x02, 0x00])
      $0.received([0x13])
      $0.received([0x13])
    }
    #expect(link.pdus.map(\.partner) == [2, 3, 0, 1])
  }

  @Test func `an error names its request by the handle`() throws {
    let link = try link {
      $0.sent([0x12, 0x0D, 0x00, 0x01, 0x01])
      $0.sent([0x12, 0x0E, 0x00, 0x02, 0x00])
      $0.received([0x01, 0x12, 0x0E, 0x00, 0x05])
      $0.received([0x13])
    }
    #expect(link.pdus.map(\.partner) == [3, 2, 1, 0])
  }

  /// One octet of each is left: which request was refused is cut, and none is missing.
  @Test func `an error that was cut behind its op code answers what is open`() throws {
    let link = try link {
      $0.cut(.aclSent, [0x10, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28], to: 1)
      $0.cut(.aclReceived, [0x01, 0x10, 0x01, 0x00, 0x0A], to: 1)
      $0.cut(.aclSent, [0x08, 0x01, 0x00, 0xFF, 0xFF, 0x03, 0x28], to: 1)
      $0.cut(.aclReceived, [0x01, 0x08, 0x01, 0x00, 0x0A], to: 1)
    }
    #expect(link.pdus.map(\.partner) == [1, 0, 3, 2])
    #expect(link.counts.orphanAnswers == 0 && link.counts.skippedAnswers == 0)
    #expect(VisibilityFacts(link).contains(.noLoss) && !VisibilityFacts(link).contains(.whole))
  }

  @Test func `a cut error is the late answer to a request that timed out, once`() throws {
    let link = try link {
      $0.sent([0x0A, 0x03, 0x00])
      $0.time += 31_000_000
      $0.sent([0x0A, 0x05, 0x00])
      $0.received([0x0B, 0x41])
      for _ in 0..<2 { $0.cut(.aclReceived, [0x01, 0x0A, 0x03, 0x00, 0x01], to: 1) }
    }
    #expect(link.counts.orphanAnswers == 1)
  }

  @Test func `a cut error to nothing is missing its question`() throws {
    let link = try link { $0.cut(.aclReceived, [0x01, 0x10, 0x01, 0x00, 0x0A], to: 1) }
    #expect(link.counts.orphanAnswers == 1)
  }

  @Test func `requests of both sides do not mix`() throws {
    let link = try link {
      $0.sent([0x0A, 0x03, 0x00])
      $0.received([0x0A, 0x05, 0x00])
      $0.sent([0x0B, 0x01])
      $0.received([0x0B, 0x02])
    }
    #expect(link.pdus.map(\.partner) == [3, 2, 1, 0])
    #expect(link.pdus.map(\.server) == [.remote, .local, .local, .remote])
  }

  @Test func `a request that timed out takes no later answer`() throws {
    let link = try link {
      $0.sent([0x12, 0x0D, 0x00, 0x01, 0x01])
      $0.time += 31_000_000
      $0.sent([0x12, 0x0D, 0x00, 0x03, 0x00])
      $0.received([0x13])
    }
    #expect(link.pdus[2].partner == 1)
    #expect(link.pdus[0].partner == AttributePDU.none)
  }

  @Test func `an answer that may be lost with its packets is not taken from the next request`() throws {
    var script = Script()
    script.connect()
    script.sent([0x12, 0x0D, 0x00, 0x01, 0x01])
    script.sent([0x12, 0x0D, 0x00, 0x04, 0x01])
    script.received([0x13])
    var tracker = LinkTracker()
    for (index, frame) in script.frames.enumerated() {
      if index == 2 {
        tracker.lost(
          1,
          at: CapturedFrame(number: 3, kind: .text, adapter: 0, time: 0, offset: 0, length: 0, originalLength: 0)
        )
      }
      tracker.follow(frame, number: index + 1)
    }
    let link = try #require(tracker.openLinks().first)
    #expect(link.pdus.map(\.partner) == [AttributePDU.none, 2, 1])
  }

  @Test func `a response without a request is kept`() throws {
    let link = try link { $0.received([0x0B, 0x41]) }
    #expect(link.pdus[0].partner == AttributePDU.none)
    #expect(link.value(link.pdus[0]).copied() == [0x41])
  }

  @Test func `long reads and prepared writes belong to their handle`() throws {
    let link = try link {
      $0.sent([0x0C, 0x05, 0x00, 0x16, 0x00])
      $0.received([0x0D, 0x58, 0x59])
      $0.sent([0x16, 0x06, 0x00, 0x00, 0x00, 0x01])
      $0.received([0x17, 0x06, 0x00, 0x00, 0x00, 0x01])
      $0.sent([0x18, 0x01])
      $0.received([0x19])
    }
    // The execution names the handle that it writes, and holds what it writes.
    #expect(link.pdus.map(\.handle) == [5, 5, 6, 6, 6, 6])
    #expect(link.value(link.pdus[4]).copied() == [0x01])
    #expect(link.pdus.map(\.partner) == [1, 0, 3, 2, 5, 4])
    #expect(link.value(link.pdus[0]).copied() == [0x16, 0x00])
    #expect(link.handles.map(\.reads) == [1, 0])
    #expect(link.handles.map(\.writes) == [0, 1])
  }

  @Test func `a confirmation answers the indication of the other side`() throws {
    let link = try link {
      $0.received([0x1D, 0x0D, 0x00, 6, 0, 1, 1])
      $0.sent([0x1D, 0x04, 0x00, 1, 0, 0xFF, 0xFF])
      $0.received([0x1E])
      $0.sent([0x1E])
      $0.sent([0x1E])
    }
    #expect(link.pdus.map(\.partner) == [3, 2, 1, 0, AttributePDU.none])
    #expect(link.pdus[3].handle == 13)
  }

  @Test func `a multiple notification gives one PDU for each value`() throws {
    let first = measurement(1)
    let second = measurement(2)
    let link = try link {
      $0.received([0x23, 0x0B, 0x00, 10, 0] + first + [0x0B, 0x00, 10, 0] + second)
      $0.received([0x23, 0x0B, 0x00, 10, 0, 0x00])
    }
    #expect(link.pdus.map(\.handle) == [11, 11, 11])
    #expect(link.value(link.pdus[1]).copied() == second)
    #expect(link.pdus.map(\.isClipped) == [false, false, true])
    #expect(link.handles[0].notifications == 3)
  }

  @Test func `PDUs without a handle are kept and name none`() throws {
    let link = try link {
      $0.received([0x1B])
      $0.received([0x1D, 0x0D])
      $0.sent([0x12])
      $0.received([0x13])
      $0.received([0x77, 1, 2])
      $0.received([])
    }
    #expect(link.pdus.map(\.opcodeValue) == [0x1B, 0x1D, 0x12, 0x13, 0x77])
    #expect(link.handles.isEmpty)
    #expect(link.counts.emptiedPDUs == 1)
  }
}
