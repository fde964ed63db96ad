/// Continuation fragments of a file without directions that fit the open PDUs of both sides of a link.
///
/// They are held until their lengths tell whose they are: a PDU is over when all its octets are there, and before its
/// side begins another one (Core Vol 3 Part A 7.2.1). Where two ways of sharing them out do, none is taken.
public struct UndecidedFragments: Sendable {
  /// Octets that each fragment has as its header says.
  public private(set) var lengths: [Int] = []

  /// More than the PDUs of a meter have. All ways to share them out are tried.
  private static let limit = 12

  public init() {}

  public var isEmpty: Bool { lengths.isEmpty }

  /// Takes one more.
  ///
  /// - Returns: false where there are too many to be told apart.
  public mutating func append(_ length: Int) -> Bool {
    guard lengths.count < Self.limit else { return false }
    lengths.append(length)
    return true
  }

  public mutating func removeAll() { lengths.removeAll(keepingCapacity: true) }

  /// What the fragments have in all.
  public var total: Int { lengths.reduce(0, +) }

  /// The ways to share the fragments out, as the side of each: of several the first two.
  ///
  /// - Parameters:
  ///   - sent: octets that the PDU of the local side lacks; likewise `received` that of the peer.
  ///   - complete: the side whose PDU is over; nil where both are.
  public func ways(sent: Int, received: Int, complete: Side?) -> [[Side]] {
    var found: [[Side]] = []
    for choice in 0..<(1 << lengths.count) {
      var octets = 0
      for (index, length) in lengths.enumerated() where choice >> index & 1 == 1 { octets += length }
      let rest = total - octets
      guard complete == .remote ? octets <= sent : octets == sent else { continue }
      guard complete == .local ? rest <= received : rest == received else { continue }
      found.append(lengths.indices.map { choice >> $0 & 1 == 1 ? Side.local : .remote })
      if found.count == 2 { break }
    }
    return found
  }

  /// The only side that a fragment fits of two whose PDUs are open; nil where it fits both, or neither.
  public static func side(of length: Int, sent: Int, received: Int) -> Side? {
    (length > sent) == (length > received) ? nil : length > sent ? .remote : .local
  }
}
