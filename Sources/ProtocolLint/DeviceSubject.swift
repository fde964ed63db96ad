import BluetoothWire
import HealthProfiles
public import LinkTrace

/// What the rules over a device share, computed once.
public struct DeviceSubject: Sendable {
  /// What is known of each link, beside the link itself.
  let standings: [Standing]
  /// The links of each collector, in order; collectors in the order of their first links.
  let collectors: [[Int]]
  /// The requests of each collector to each of the sensor's stores.
  let series: [RequestSeries]
  /// True where all links are known to be those of one device.
  let isIdentified: Bool

  /// True where one of several collectors has no known address: its links may be those of another one.
  let hasUnknownCollectors: Bool

  /// True where a collector has bonded anew and goes on with what it had.
  var hasNewBond: Bool { standings.contains { $0.bond != $0.era } }

  /// How a link stands among those of its device.
  struct Standing: Sendable {
    /// Index of its collector.
    var collector = 0
    /// Counts the bonds of the collector with the device: what either side knew may be lost where a new one is made.
    var bond = 0
    /// Counts what may be tests of their own: a new bond in another file than the link before.
    var era = 0
    /// True where the pairing of that bond is in the capture.
    var isPaired = false
    /// True where another link of the same bond has the names of its handles for certain.
    var isNamedByBond = false
    /// The requests of its procedures.
    var requests: [RecordAccessRequest] = []
  }

  /// - Parameters:
  ///   - asOneCollector: true to take all collectors for one, as they may be where not all have an address.
  ///   - separatingBonds: true to take every new bond for a test of its own.
  public init(_ device: borrowing DeviceHistory, asOneCollector: Bool = false, separatingBonds: Bool = false) {
    var standings: [Standing] = []
    standings.reserveCapacity(device.links.count)
    var collectors: [[Int]] = []
    var addresses: [DeviceAddress?] = []
    for index in device.links.indices {
      var standing = Standing()
      standing.collector = asOneCollector ? 0 : Self.place(of: device.links[index], in: &addresses)
      if standing.collector == collectors.count { collectors.append([]) }
      if let before = collectors[standing.collector].last {
        standing.bond = standings[before].bond
        standing.era = standings[before].era
        standing.isPaired = standings[before].isPaired
      }
      if device.links[index].security.hasBonded {
        if let before = collectors[standing.collector].last {
          standing.bond += 1
          if separatingBonds || device.links[before].file != device.links[index].file { standing.era += 1 }
        }
        standing.isPaired = true
      }
      standing.requests = device.links[index].procedures.map {
        RecordAccessRequest(octets: $0.octets, dialect: $0.dialect)
      }
      collectors[standing.collector].append(index)
      standings.append(standing)
    }
    for links in collectors {
      var named: (controlPoint: UInt16, bond: Int)?
      for link in links {
        let shown = device.links[link]
        if shown.serviceChanged { named = nil }
        if let named, shown.security.usedStoredKey, named.bond == standings[link].bond,
          named.controlPoint == shown.controlPoint
        {
          standings[link].isNamedByBond = true
        }
        if shown.naming == .discovered && shown.controlPoint != 0 { named = (shown.controlPoint, standings[link].bond) }
      }
    }
    self.standings = standings
    self.collectors = collectors
    series = RequestSeries.all(collectors, device)
    hasUnknownCollectors =
      collectors.count > 1 && device.links.contains { $0.collector == nil && !$0.isCollectorLocal }
    isIdentified = device.key.isIdentity || device.key.isLocal || device.links.count == 1
  }

  /// True where records were asked for on links of several collectors, and one of them cannot be told from the others.
  func hasUntoldRequests(_ device: borrowing DeviceHistory) -> Bool {
    guard hasUnknownCollectors else { return false }
    var (asking, hasUnknown) = (0, false)
    for links in collectors {
      guard let first = links.first(where: { !device.links[$0].procedures.isEmpty }) else { continue }
      asking += 1
      if device.links[first].collector == nil { hasUnknown = true }
    }
    return asking > 1 && hasUnknown
  }

  /// A host without a known address is the one of the links before; a peer without one is a collector of its own.
  private static func place(of link: DeviceLink, in addresses: inout [DeviceAddress?]) -> Int {
    if let address = link.collector {
      if let known = addresses.firstIndex(of: address) { return known }
      if link.isCollectorLocal, let unnamed = addresses.firstIndex(of: nil) {
        addresses[unnamed] = address
        return unnamed
      }
    } else if link.isCollectorLocal && !addresses.isEmpty {
      return addresses.count - 1
    }
    addresses.append(link.collector)
    return addresses.count - 1
  }

  /// The most a finding about a link may weigh.
  func levelCap(_ place: Int, _ device: borrowing DeviceHistory) -> FindingLevel {
    let link = device.links[place]
    // Files given separately do not share their names, but a bond holds the device to its table.
    if standings[place].isNamedByBond { return .error }
    let isCarriedOver =
      link.naming == .remembered && !link.security.usedStoredKey && !link.isHeldToTable
    // Nor is anything named where no link shows the device to be a health device.
    let cap = LinkSubject.cap(link.naming)
    return isCarriedOver || !link.isHealthLink ? min(.warning, cap) : cap
  }
}

/// A procedure of a device: its link and its place on it.
struct DeviceStep {
  var link: Int
  var place: Int
}

extension DeviceSubject {
  func request(_ step: DeviceStep) -> RecordAccessRequest { standings[step.link].requests[step.place] }

  /// A procedure's request as messages quote it.
  func quoted(_ step: DeviceStep) -> String { request(step).quoted }

  /// The number a report begins at; nil for requests that do not begin at a number.
  func start(_ step: DeviceStep) -> UInt32? {
    switch request(step).selection {
    case .all: 0
    case .atLeast(let minimum): minimum
    case .within(let minimum, _): minimum
    default: nil
    }
  }
}

extension DeviceLink {
  /// True where a pairing or an encryption was begun and the capture does not show how it came out.
  var hasOpenSecurity: Bool {
    guard endCause != .disconnected else { return false }
    if security.pairingFrame != 0 { return !security.hasPaired }
    return security.storedKeyFrame != 0 && security.refusalFrame == 0 && !security.wasEncrypted
  }
}

extension DeviceHistory {
  func procedure(_ step: DeviceStep) -> DeviceProcedure { links[step.link].procedures[step.place] }

  func reference(_ link: Int) -> LinkReference { LinkReference(file: links[link].file, link: links[link].number) }

  /// A frame as evidence names it, seen from a finding about another link.
  func frameText(_ frame: UInt32, of link: Int, from other: Int) -> String {
    let file = Int(links[link].file)
    if file == Int(links[other].file) { return "frame \(frame)" }
    return "frame \(frame) of " + (file < fileNames.count ? fileNames[file] : "file \(file + 1)")
  }

  /// A finding about one of the links; further links and their frames are named where they stand in the same file.
  ///
  /// - Parameters:
  ///   - step: the procedure it is anchored to; nil for a finding about the link.
  ///   - others: frames on other links of the device that it rests on.
  ///   - further: frames on any link that show the same once more; it stands without them.
  ///   - omitted: how many more there are.
  func finding(
    _ rule: RuleIdentifier,
    _ level: FindingLevel,
    _ fault: Fault,
    _ confidence: Confidence,
    link: Int,
    step: DeviceStep? = nil,
    frames: [UInt32],
    others: [(link: Int, frame: UInt32)] = [],
    further: [(link: Int, frame: UInt32)] = [],
    omitted: Int = 0,
    time: Int64? = nil,
    key: String,
    message: String,
    evidence: [String]
  ) -> Finding {
    let near = (others + further).filter { links[$0.link].file == links[link].file }.map(\.frame)
    let all = (frames + near).filter { $0 > 0 }
    var finding = Finding(
      rule,
      level,
      fault,
      confidence,
      link: links[link].number,
      procedure: step.map { procedure($0).index },
      frames: all,
      omitted: omitted,
      time: time ?? step.map { procedure($0).startTime } ?? links[link].firstTime,
      key: key,
      message: message,
      evidence: evidence
    )
    finding.file = links[link].file
    var otherLinks: [LinkReference] = []
    var met: Set<Int> = [link]
    for other in others where met.insert(other.link).inserted { otherLinks.append(reference(other.link)) }
    finding.otherLinks = otherLinks
    return finding
  }
}
