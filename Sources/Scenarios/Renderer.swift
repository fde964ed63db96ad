import BluetoothWire
import CaptureFiles

/// Turns steps into the frames the local host sees.
struct Renderer: Sendable {
  let scenario: Scenario
  let rendering: Rendering
  var frames: [RenderedFrame] = []
  var time: Int64
  var drops: UInt32 = 0
  /// Microseconds before each PDU.
  var pace: Int64 = 15_000
  var meter: Meter
  var adapter: UInt16
  var handle: UInt16
  var collector: UInt8 = 0
  var links: [UInt32: LinkState] = [:]
  /// True while what is sent does not reach the peer.
  private var isUnheard = false

  /// What a link's later steps need of its earlier ones.
  struct LinkState: Sendable {
    var collectorRole: LinkRole = .central
    var mtu: UInt16 = 23
    /// The collector's last request: op code and handle, for the answer.
    var request: (opCode: UInt8, handle: UInt16) = (0, 0)
    /// The Time Offset sent last; nil after a request, so that the first record has it.
    var timeOffset: Int16?
    var bearers: [EnhancedBearer] = []
    var selectedBearer: Int?
    var signalIdentifier: UInt8 = 0
  }

  init(_ scenario: Scenario, _ rendering: Rendering) {
    self.scenario = scenario
    self.rendering = rendering
    time = scenario.start
    meter = scenario.meter
    adapter = rendering.adapter
    handle = rendering.handle
  }

  /// The link the steps are about.
  var link: LinkState {
    get { links[UInt32(adapter) << 16 | UInt32(handle)] ?? LinkState() }
    set { links[UInt32(adapter) << 16 | UInt32(handle)] = newValue }
  }

  /// The local host's role.
  var localRole: LinkRole { rendering.side == .collector ? link.collectorRole : link.collectorRole.other }

  /// Who is the central.
  var central: Party { link.collectorRole == .central ? .collector : .sensor }

  mutating func takeFrames() -> [RenderedFrame] {
    let taken = frames
    frames = []
    return taken
  }

  mutating func perform(_ steps: [Step]) {
    for step in steps { perform(step) }
  }

  mutating func perform(_ step: Step) {
    switch step {
    case .group(let steps): perform(steps)
    case .marked(let step): mark(step)
    case .crossing(let collectors, let sensors):
      perform(rendering.side == .collector ? [collectors, sensors] : [sensors, collectors])
    case .unheard(let party, let step):
      guard party == rendering.side else { return }
      // What the peer has not heard its controller has not acknowledged.
      isUnheard = true
      perform(step)
      isUnheard = false
    case .wait(let milliseconds): time &+= Int64(milliseconds) &* 1000
    case .pace(let microseconds): pace = Int64(microseconds)
    case .text(let text): emit(.text, Array(text.utf8) + [0], after: 0, adapter: 0xFFFF)
    case .lose(let count): drops &+= count
    case .adapterAppears: adapterAppears()
    case .selectLink(let adapterOffset, let handleOffset):
      adapter = rendering.adapter &+ adapterOffset
      handle = (rendering.handle &+ handleOffset) & 0x0FFF
    case .selectCollector(let selected): collector = selected
    case .selectMeter(let selected): meter = selected
    case .selectBearer(let index): link.selectedBearer = index
    case .advertise: advertise()
    case .connection(let parameters): connect(parameters)
    case .encryption(let encryption): encrypt(encryption)
    case .pairing(let pairing): pair(pairing)
    case .parameterUpdate(let interval, let latency, let timeout, let isAccepted):
      updateParameters(interval, latency, timeout, isAccepted)
    case .openBearers(let count): openBearers(count)
    case .disconnection(let party, let reason): disconnect(party, reason)
    case .linkLoss(let reason): end(reason)
    case .completedPackets(let count):
      emit(.event, HCIEncoding.completedPackets(handle: handle, count: count), after: 500)
    case .channel(let party, let channel, let octets): send(party, channel, octets)
    case .acl(let party, let octets): emit(party == rendering.side ? .aclSent : .aclReceived, octets, after: pace)
    case .command(let octets): emit(.command, octets, after: 1000)
    case .event(let octets): emit(.event, octets, after: 1000)
    default: performAttribute(step)
    }
  }

  /// A frame some microseconds after the one before.
  mutating func emit(_ kind: FrameKind, _ octets: [UInt8], after gap: Int64 = 1000, adapter other: UInt16? = nil) {
    time &+= gap
    // A collector's host hears nothing of other collectors.
    if rendering.side == .collector && collector != 0 { return }
    frames.append(
      RenderedFrame(
        kind: kind,
        adapter: other ?? adapter,
        time: time,
        octets: octets,
        originalLength: octets.count,
        drops: drops
      )
    )
  }

  /// An L2CAP PDU of a party as ACL packets, with the controller's report where the local host sent it.
  mutating func send(_ party: Party, _ channel: UInt16, _ payload: [UInt8]) {
    let isSent = party == rendering.side
    let octets = LogicalLinkEncoding.frame(channel: channel, payload)
    let size = max(1, min(rendering.fragmentSize ?? octets.count, 0xFFFF))
    var place = 0
    var count: UInt16 = 0
    repeat {
      let end = min(place + size, octets.count)
      let first: HCIEncoding.PacketBoundary = isSent ? .firstFromHost : .firstFromController
      let packet = HCIEncoding.acl(
        handle: handle,
        boundary: place == 0 ? first : .continuation,
        Array(octets[place..<end])
      )
      emit(isSent ? .aclSent : .aclReceived, packet, after: place == 0 ? pace : min(pace, 400))
      place = end
      count &+= 1
    } while place < octets.count
    if isSent && rendering.completesPackets && !isUnheard {
      emit(.event, HCIEncoding.completedPackets(handle: handle, count: count), after: min(pace, 2000))
    }
  }
}
