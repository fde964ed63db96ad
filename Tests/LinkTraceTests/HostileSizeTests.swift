import BluetoothWire
import CaptureFiles
import HealthProfiles
import Scenarios
import Testing

@testable import LinkTrace

/// What large and hostile input costs against plain input of the same size.
@Suite(.serialized) struct HostileSizeTests {
  @Test func `a union of scattered numbers costs no more than to gather them`() {
    let numbers = (0..<20_000 as Range<UInt32>)
    var sets = (SequenceSet(), SequenceSet())
    let factor = effort {
      var union = sets.0
      union.formUnion(sets.1)
      #expect(union.count == 40_000)
    } against: {
      sets = (SequenceSet(), SequenceSet())
      for number in numbers {
        sets.0.insert(4 * number)
        sets.1.insert(4 * number + 2)
      }
    }
    #expect(factor < 20)
  }

  @Test func `ranges that are added one by one do not move the others`() {
    let numbers = (0..<20_000 as Range<UInt32>)
    let factor = effort {
      var set = SequenceSet()
      for number in numbers { set.insert((4 * number)...(4 * number + 1)) }
      #expect(set.ranges.count == 20_000)
    } against: {
      var set = SequenceSet()
      for number in numbers {
        set.insert(4 * number)
        set.insert(4 * number + 1)
      }
    }
    #expect(factor < 20)
  }

  /// A link with a discovered control point at 0x000D, and so many reports that end with success.
  private func reports(_ count: Int, aborting: Bool) -> Script {
    var script = Script()
    script.connect()
    script.sent([0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28])
    script.received([0x09, 7, 0x0C, 0, 0x28, 0x0D, 0, 0x52, 0x2A])
    for _ in 0..<count {
      script.sent([0x12, 0x0D, 0x00, 0x01, 0x01])
      script.received([0x13])
      script.sent([0x12, 0x0D, 0x00, aborting ? 0x03 : 0x04, aborting ? 0x00 : 0x01])
      script.received([0x13])
      script.received([0x1D, 0x0D, 0x00, 0x06, 0x00, 0x01, 0x01])
    }
    return script
  }

  @Test func `an abort without a result of its own is settled without a look at the rest of the link`() throws {
    let (aborts, counts) = (reports(4000, aborting: true), reports(4000, aborting: false))
    var link: LinkHistory?
    let factor = effort {
      link = aborts.trace.links.first
    } against: {
      _ = counts.trace
    }
    #expect(factor < 10)
    let procedures = try #require(link).procedures
    #expect(procedures.count == 8000)
    #expect(procedures.filter { $0.outcome == .aborted }.count == 3999)
  }

  @Test func `many unnamed handles are looked at once each`() throws {
    let handles = 8000
    var scripts = (many: Script(), few: Script())
    scripts.many.connect()
    scripts.few.connect()
    for handle in 1...handles {
      for isMany in [true, false] {
        let octets = handleOctets(UInt16(isMany ? handle : 1 + handle % 4))
        let request: [UInt8] = [0x12] + octets + [0x01, 0x01]
        if isMany {
          scripts.many.sent(request)
          scripts.many.received([0x13])
        } else {
          scripts.few.sent(request)
          scripts.few.received([0x13])
        }
      }
    }
    let factor = effort {
      #expect(scripts.many.trace.links.first?.handles.count == handles)
    } against: {
      _ = scripts.few.trace
    }
    #expect(factor < 10)
  }

  @Test func `a link takes over a large table without a look at each of its attributes`() throws {
    // The table of the first link, and many links after it on which only an unnamed handle speaks.
    func script(attributes: Int) -> Script {
      var script = Script()
      script.connect()
      for handle in 1...UInt16(attributes) {
        script.sent([0x04] + handleOctets(handle) + handleOctets(handle))
        script.received([0x05, 0x01] + handleOctets(handle) + [0x02, 0x29])
      }
      script.disconnect()
      for _ in 0..<2000 {
        script.connect()
        script.received([0x1B, 0x00, 0xF0, 0x00])
        script.disconnect()
      }
      return script
    }
    let scripts = (large: script(attributes: 4000), small: script(attributes: 4))
    let factor = effort {
      let links = scripts.large.trace.links
      #expect(links.count == 2001 && links[2000].remote.attributes.count == 4000)
    } against: {
      _ = scripts.small.trace
    }
    #expect(factor < 20)
  }

  @Test func `the first value of a type is found as if the table were looked through`() {
    var random = RandomNumbers(seed: 7)
    let kinds: [Attribute.Kind] = [.value, .value, .descriptor, .characteristic]
    var database = AttributeDatabase()
    for round in 0..<2000 {
      let attribute = Attribute(
        handle: UInt16(random.next() % 200),
        kind: kinds[Int(random.next() % 4)],
        type: BluetoothUUID(UInt16(0x2A00 + random.next() % 12)),
        provenance: [.inferred, .remembered, .discovered][Int(random.next() % 3)]
      )
      database.insert(attribute)
      if round % 200 == 199 { database.forget(50...90) }
      if round % 300 == 299 { database.replaceHash(UInt128(random.next())) }
      for type in 0x2A00...0x2A0B as ClosedRange<UInt16> {
        let wanted = database.attributes.first { $0.kind == .value && $0.type == BluetoothUUID(type) }
        #expect(database.value(type) == wanted)
      }
    }
  }
}
