/// Every capture in `input`, in the order to read them: usually one; of an archive each member that is a capture.
///
/// A rotated log (`.last`) comes before the current file of the same name. What can be read only once (standard input,
/// a pipe) is not touched: it is listed as one capture whose format the reader tells once it is open.
public func captures(in input: CaptureInput) throws(CaptureError) -> [CaptureSource] {
  if input.isStream {
    return [CaptureSource(name: input.name, format: .undetermined, input: input, members: [], pool: ArchivePool())]
  }
  var listing = CaptureListing(input: input, breadth: .named)
  try listing.look(in: try input.open(), name: input.name, members: [], archives: 0, depth: 0)
  if listing.found.isEmpty, listing.hasText {
    listing = CaptureListing(input: input, breadth: .text)
    try listing.look(in: try input.open(), name: input.name, members: [], archives: 0, depth: 0)
  }
  if listing.found.isEmpty, listing.hasOthers {
    var wide = CaptureListing(input: input, breadth: .all)
    try wide.look(in: try input.open(), name: input.name, members: [], archives: 0, depth: 0)
    if !wide.found.isEmpty { return try wide.ordered() }
  }
  return try listing.ordered()
}

/// Every capture in the file at `path`; `-` is standard input.
public func captures(in path: String) throws(CaptureError) -> [CaptureSource] {
  try captures(in: path == "-" ? .standardInput : .path(path))
}

/// The time of the first frame that has one, microseconds since 1970; nil where there is none.
///
/// It reads the capture, so not for standard input or a pipe.
public func firstTime(of source: CaptureSource) throws(CaptureError) -> Int64? {
  var reader = try CaptureReader.open(source)
  while let frame = reader.next() {
    if frame.time >= CaptureClock.year2015, frame.time < CaptureClock.year2100 { return frame.time }
  }
  return nil
}

/// Looks through an input and the archives in it.
private struct CaptureListing {
  /// Which members of an archive are opened; the wider ones only where the narrower found nothing.
  enum Breadth {
    /// Those with a capture's name.
    case named
    /// Text as well, which is searched for a btsnooz section.
    case text
    /// Every one, for the octets that a capture begins with.
    case all
  }

  let input: CaptureInput
  let breadth: Breadth
  private(set) var found: [CaptureSource] = []
  /// Members that may hold a btsnooz section were passed over.
  private(set) var hasText = false
  /// Members with no name of a capture were passed over.
  private(set) var hasOthers = false
  private var refused: [CaptureError] = []
  private let pool = ArchivePool()

  init(input: CaptureInput, breadth: Breadth) {
    self.input = input
    self.breadth = breadth
  }

  mutating func look(
    in bytes: ByteSource,
    name: String,
    members: [Int],
    archives: Int,
    depth: Int
  ) throws(CaptureError) {
    var window = RecordWindow(bytes)
    switch Recognition(&window) {
    case .capture(let format):
      found.append(CaptureSource(name: name, format: format, input: input, members: members, pool: pool))
    case .text:
      let start = window.peek(FirstOctets.length)
      guard let section = BtsnoozSection(&window) else { throw FirstOctets.error(start, name) }
      found.append(
        CaptureSource(
          name: name,
          format: .btsnooz(version: section.version),
          input: input,
          members: members,
          pool: pool
        )
      )
    case .gzip:
      guard depth < OpenedCapture.depthBound else { throw Archive.tooDeep(name) }
      let unpacked = GzipSource(window.putBack())
      try look(in: unpacked, name: name, members: members, archives: archives, depth: depth + 1)
    case .container:
      guard depth < OpenedCapture.depthBound else { throw Archive.tooDeep(name) }
      let archive = try Archive(ZstdRepair.source(window, name: name), name: name)
      guard let first = archive.nextMember() else { throw archive.emptiness() }
      if archive.isPlainStream {
        try look(in: ArchiveMember(archive), name: name, members: members, archives: archives, depth: depth + 1)
      } else {
        guard archives < Self.archiveBound else { throw Archive.tooDeep(name) }
        try lookThrough(archive, from: first, name: name, members: members, archives: archives + 1, depth: depth + 1)
      }
    case .refused(let refusal): throw refusal.error(name)
    case .unknown: throw FirstOctets.error(window.peek(FirstOctets.length), name)
    case .empty: throw FirstOctets.emptiness(window.source, name)
    }
  }

  private mutating func lookThrough(
    _ archive: Archive,
    from first: Archive.Member,
    name: String,
    members: [Int],
    archives: Int,
    depth: Int
  ) throws(CaptureError) {
    let before = found.count
    var next: Archive.Member? = first
    while let member = next {
      if member.isFile, archives >= Self.archiveBound, Self.isArchive(member.path) {
        refused.append(Archive.tooDeep(name + ": " + Self.printable(member.path)))
      } else if member.isFile, isWorthOpening(member.path) {
        do throws(CaptureError) {
          try look(
            in: ArchiveMember(archive),
            name: name + ": " + Self.printable(member.path),
            members: members + [member.ordinal],
            archives: archives,
            depth: depth
          )
        } catch  where breadth == .all && error.kind == .notACapture {
          continue
        } catch {
          refused.append(error)
        }
      }
      next = archive.nextMember()
    }
    if found.count == before, refused.isEmpty, !hasText, !hasOthers { throw archive.emptiness() }
  }

  /// Which members may be captures; their content decides.
  private mutating func isWorthOpening(_ path: String) -> Bool {
    let base = Self.base(path)
    if base.contains("btsnoop") || base.contains("btsnooz") { return true }
    if [".cfa", ".pklg", ".snoop", ".pcap", ".pcapng"].contains(where: base.hasSuffix) { return true }
    if Self.isArchive(path) { return true }
    if base.hasSuffix(".txt"), base.hasPrefix("bugreport") || base.hasPrefix("dumpstate") {
      hasText = true
      return breadth == .text
    }
    hasOthers = true
    return breadth == .all
  }

  /// Archives in an archive, the outermost counted.
  private static let archiveBound = 2

  private static func isArchive(_ path: String) -> Bool {
    [".zip", ".tar", ".tgz"].contains(where: base(path).hasSuffix)
  }

  /// The name of a member in lower case, without its folder and its compression.
  private static func base(_ path: String) -> String {
    var base = (path.split(separator: "/").last ?? "").lowercased()
    for suffix in [".gz", ".zst", ".xz", ".bz2"] where base.hasSuffix(suffix) { base.removeLast(suffix.count) }
    return base
  }

  private static func printable(_ path: String) -> String {
    String(String.UnicodeScalarView(path.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "?" : $0 }))
  }

  /// What was found, `.last` before its current file; without anything the reason.
  consuming func ordered() throws(CaptureError) -> [CaptureSource] {
    guard !found.isEmpty else {
      if let only = refused.first { throw only }
      throw CaptureError(.notACapture, "\(input.name) is an archive without a Bluetooth capture in it.")
    }
    var ordered: [CaptureSource] = []
    for source in found {
      let isRotated = source.name.hasSuffix(".last")
      let current = isRotated ? ordered.firstIndex { $0.name + ".last" == source.name } : nil
      ordered.insert(source, at: current ?? ordered.count)
    }
    ordered[0].passedOver = refused
    return ordered
  }
}
