import BluetoothWire
import LinkTrace
import ProtocolLint

/// One sensor and what the capture shows of it over all its links.
struct StoryDevice: Sendable {
  var information = DeviceInformation()
  var advertisedName: [UInt8]?
  var linkCount = 0
  var encryptedLinks = 0
  var procedureCount = 0
  var outcomes: [String: Int] = [:]
  var records: UInt64 = 0
  var contexts: UInt64 = 0
  var opaqueRecords: UInt64 = 0
  var strayRecords: UInt64 = 0
  /// Why records that are not seen may have come over all the same: the first such reason of its links.
  var hidden: HiddenTraffic?
  /// True where one of its links may have requests that cannot be told to be some.
  var hidesRequests = false
  var progress = FetchProgress()
  var numbers = DeliveredNumbers()
  var firstTime: Int64 = .max
  var lastTime: Int64 = .min
  /// Earliest and latest base time of its measurements, packed so that they compare; 0 for none.
  var earliest: UInt64 = .max
  var latest: UInt64 = 0
  /// Links told in full: the first ones, the odd ones, the last ones.
  var first: [StoryLink] = []
  var odd: [StoryLink] = []
  var last: [StoryLink] = []
  var oddCount = 0
  var findingCounts: [Int] = [0, 0, 0]
  /// Of the links that were asked for: findings by level, and the worst of them.
  var toldCounts: [Int] = [0, 0, 0]
  var worstFindings: [Finding] = []
  /// What its links show together.
  var history: DeviceHistory

  init(_ key: DeviceHistory.Key) { history = DeviceHistory(key) }

  /// What makes two links those of this sensor.
  var key: DeviceHistory.Key { history.key }

  /// Numbers that a request left out, of which some have not come: a sensor may send what was not asked for.
  var skipped: ClosedRange<UInt32>? { progress.skipped.flatMap { numbers.hasCome($0) ? nil : $0 } }

  /// True where what the sensor has did not come to its end, as far as the capture shows.
  var isOpen: Bool { progress.isUnfinished || skipped != nil || progress.deleted != nil }

  static let keptFirst = 2
  static let keptOdd = 6
  static let keptLast = 3

  mutating func keep(_ link: StoryLink, all: Bool) {
    let isOdd = link.summary.isOdd || link.verdicts.findings.contains { $0.level > .note }
    if isOdd { oddCount += 1 }
    if all || first.count < Self.keptFirst {
      first.append(link)
      return
    }
    if isOdd && odd.count < Self.keptOdd {
      odd.append(link)
      return
    }
    last.append(link)
    // Up to a dozen links all are kept; beyond, the early plain ones make room.
    if linkCount > StoryCrowd.fullLinks {
      while last.count > Self.keptLast { last.removeFirst() }
    }
  }

  mutating func keep(_ findings: [Finding]) {
    guard !findings.isEmpty else { return }
    for finding in findings { toldCounts[Int(finding.level.rawValue)] += 1 }
    worstFindings = Self.worst(worstFindings + findings)
  }

  /// The three that weigh most, of equal ones the first.
  static func worst(_ findings: [Finding]) -> [Finding] {
    let ranked = findings.enumerated().sorted { left, right in
      left.element.level == right.element.level
        ? left.offset < right.offset : left.element.level > right.element.level
    }
    return ranked.prefix(3).map(\.element)
  }

  /// The links that were kept, in order.
  var told: [StoryLink] { (first + odd + last).sorted { $0.ordinal < $1.ordinal } }
}
