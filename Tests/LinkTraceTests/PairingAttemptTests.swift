import BluetoothWire
import CaptureFiles
import HealthProfiles
import Scenarios
import Testing

@testable import LinkTrace

/// What came of a pairing, and whether it left a bond (Core Vol 3 Part H 2.4, 3.4, 3.6.1).
@Suite struct PairingAttemptTests {
  private static let handle = handleOctets(0x0040)
  /// Keyboard and display, bonding, Secure Connections, and what each side hands over.
  private static func features(
    _ code: UInt8,
    secure: Bool = true,
    bonding: Bool = true,
    keys: [UInt8] = [0, 0]
  ) -> [UInt8] { [code, 0x03, 0x00, (bonding ? 0x01 : 0) | (secure ? 0x08 : 0), 0x10] + keys }

  /// A link that this host began, with what comes after its beginning.
  private static func timeline(startSeen: Bool = true, _ body: (inout Script) -> Void) throws -> SecurityTimeline {
    SecurityTimeline(try #require(trace(startSeen: startSeen, body).inOrder.first))
  }

  private static func trace(startSeen: Bool = true, _ body: (inout Script) -> Void) -> Trace {
    var script = Script()
    if startSeen { script.connect() }
    body(&script)
    return script.trace
  }

  private static func agree(
    _ script: inout Script,
    secure: Bool = true,
    bonding: Bool = true,
    keys: [UInt8] = [0, 0]
  ) {
    script.channel(.aclSent, 6, features(0x01, secure: secure, bonding: bonding, keys: keys))
    script.channel(.aclReceived, 6, features(0x02, secure: secure, bonding: bonding, keys: keys))
  }

  private static func exchange(_ script: inout Script, _ codes: [UInt8]) {
    for code in codes {
      let count = code == 0x0C ? 64 : 16
      script.channel(.aclSent, 6, [code] + [UInt8](repeating: 7, count: count))
      script.channel(.aclReceived, 6, [code] + [UInt8](repeating: 9, count: count))
    }
  }

  private static func encrypt(_ script: inout Script, status: UInt8 = 0) {
    script.add(.command, HCIEncoding.command(0x2019, handle + [UInt8](repeating: 0, count: 26)))
    script.add(.event, HCIEncoding.event(0x08, [status] + handle + [status == 0 ? 1 : 0]))
  }

  @Test func `the link that ends in the middle leaves no bond`() throws {
    let security = try Self.timeline { script in
      Self.agree(&script)
      Self.exchange(&script, [0x0C, 0x04])
      script.disconnect(reason: 0x16)
    }
    #expect(security.completed == nil)
    #expect(security.brokenOff?.end == .linkEnded)
    #expect(security.brokenOff?.bond == .unknown)
    #expect(security.brokenOff?.hasMadeKey == false)
    #expect(security.brokenOff?.endFrame == 8)
    #expect(!security.usedStoredKey)
  }

  @Test func `a pairing that came through without encryption is none`() throws {
    let security = try Self.timeline { script in
      Self.agree(&script)
      Self.exchange(&script, [0x0C, 0x04, 0x0D])
      script.time += 31_000_000
      script.sent([0x0A, 0x03, 0x00])
      script.disconnect()
    }
    #expect(security.completed == nil)
    #expect(security.brokenOff?.end == .timedOut)
    #expect(security.brokenOff?.hasMadeKey == true)
  }

  @Test(arguments: [0x04, 0x05, 0x0B] as [UInt8])
  func `Pairing Failed ends it`(_ reason: UInt8) throws {
    let security = try Self.timeline { script in
      Self.agree(&script)
      Self.exchange(&script, [0x0C])
      script.channel(.aclReceived, 6, [0x05, reason])
      // What had been sent before it arrived begins nothing.
      script.channel(.aclSent, 6, [0x04] + [UInt8](repeating: 7, count: 16))
      script.disconnect()
    }
    #expect(security.brokenOff?.end == .failed(PairingFailure(rawValue: reason), by: .remote))
    #expect(security.completed == nil)
  }

  @Test func `encryption that fails with the new key refuses no stored key`() throws {
    let security = try Self.timeline { script in
      Self.agree(&script)
      Self.exchange(&script, [0x0C, 0x04, 0x0D])
      Self.encrypt(&script, status: 0x06)
      script.disconnect()
    }
    #expect(security.brokenOff?.end == .notEncrypted(.keyMissing))
    #expect(security.refusedKey == nil)
    #expect(!security.usedStoredKey)
  }

  @Test func `it is open when the capture ends`() throws {
    let security = try Self.timeline { Self.agree(&$0) }
    #expect(security.brokenOff?.end == .open)
  }

  @Test func `a stored key that is used after a failed pairing is one`() throws {
    let security = try Self.timeline { script in
      Self.agree(&script)
      script.channel(.aclReceived, 6, [0x05, 0x08])
      Self.encrypt(&script)
    }
    #expect(security.usedStoredKey)
    #expect(security.completed == nil)
    #expect(security.brokenOff != nil)
  }

  @Test func `a pairing that the capture meets in its middle is no stored key`() throws {
    let trace = Self.trace(startSeen: false) { script in
      Self.exchange(&script, [0x04, 0x0D])
      Self.encrypt(&script)
      script.disconnect()
    }
    let link = try #require(trace.inOrder.first)
    let security = SecurityTimeline(link)
    #expect(!security.usedStoredKey)
    #expect(security.completed?.request == nil)
    #expect(security.completed?.bond == .unknown)
  }

  @Test func `a second pairing refreshes the key, and one that fails changes nothing`() throws {
    let paired = try Self.timeline { script in
      Self.encrypt(&script)
      Self.agree(&script)
      Self.exchange(&script, [0x0C, 0x04, 0x0D])
      script.add(.command, HCIEncoding.command(0x2019, Self.handle + [UInt8](repeating: 0, count: 26)))
      script.add(.event, HCIEncoding.event(0x30, [0] + Self.handle))
    }
    #expect(paired.usedStoredKey)
    #expect(paired.completed?.bond == .made)
    #expect(paired.brokenOff == nil)
    let failed = try Self.timeline { script in
      Self.agree(&script)
      Self.exchange(&script, [0x0C, 0x04, 0x0D])
      Self.encrypt(&script)
      Self.agree(&script)
      script.channel(.aclReceived, 6, [0x05, 0x08])
    }
    #expect(failed.completed?.bond == .made)
    #expect(failed.brokenOff?.end == .failed(PairingFailure(rawValue: 8), by: .remote))
    #expect(failed.state(at: 100) == .encrypted)
  }

  @Test func `the key of a legacy bond has to be handed over`() throws {
    let pair: (inout Script) -> Void = { script in
      Self.agree(&script, secure: false, keys: [0, 1])
      Self.exchange(&script, [0x03, 0x04])
      Self.encrypt(&script)
    }
    let handOver: (inout Script) -> Void = { script in
      script.channel(.aclReceived, 6, [0x06] + [UInt8](repeating: 9, count: 16))
      script.channel(.aclReceived, 6, [0x07] + [UInt8](repeating: 9, count: 10))
    }
    let lacking = Self.trace { script in
      pair(&script)
      script.disconnect()
    }
    let whole = Self.trace { script in
      pair(&script)
      handOver(&script)
      script.disconnect()
    }
    let lost = try #require(lacking.inOrder.first)
    #expect(SecurityTimeline(lost).completed?.bond == .lacksKey)
    let kept = try #require(whole.inOrder.first)
    #expect(SecurityTimeline(kept).completed?.bond == .made)
    let revoked = try Self.timeline { script in
      pair(&script)
      script.channel(.aclSent, 6, [0x05, 0x08])
      script.disconnect()
    }
    #expect(revoked.completed?.bond == .failed)
  }

  @Test func `keys that lack beside that of Secure Connections are told apart`() throws {
    let security = try Self.timeline { script in
      Self.agree(&script, keys: [2, 2])
      Self.exchange(&script, [0x0C, 0x04, 0x0D])
      Self.encrypt(&script)
      script.channel(.aclReceived, 6, [0x08] + [UInt8](repeating: 9, count: 16))
      script.disconnect()
    }
    #expect(security.completed?.bond == .lacksRest)
    let plain = try Self.timeline { script in
      Self.agree(&script, bonding: false)
      Self.exchange(&script, [0x0C, 0x04, 0x0D])
      Self.encrypt(&script)
    }
    #expect(plain.completed?.bond == .notAskedFor)
  }

  /// A bond that was never made is not missed on the next link.
  @Test func `a device is bonded only where it has the key`() throws {
    let rounds: [Step] = [
      .arrival, .security(from: .collector, [0x01, 4, 0, 1, 16, 0, 1]),
      .security(from: .sensor, [0x02, 3, 0, 1, 16, 0, 1]), .encrypt(), .subscribe(), .fetch(.all, 1...3), .linkLoss,
    ]
    let handOver: [Step] = [
      .security(from: .sensor, [0x06] + [UInt8](repeating: 9, count: 16)),
      .security(from: .sensor, [0x07] + [UInt8](repeating: 9, count: 10)),
    ]
    for (extra, isBonded) in [([], false), (handOver, true)] as [([Step], Bool)] {
      var steps = rounds
      steps.insert(contentsOf: extra, at: 4)
      let link = try #require(Trace(Scenario("legacy", steps).frames()).inOrder.first)
      var device = DeviceHistory(DeviceHistory.Key(link))
      device.take(link)
      #expect(device.links.map(\.security.hasPaired) == [true])
      #expect(device.links.map(\.security.hasBonded) == [isBonded])
    }
  }
}
