/// A capture found at its place, with its octets ready to be walked.
struct OpenedCapture: ~Copyable {
  /// Compressed streams and archives around a capture: `.zip` in a `.zip`, each perhaps of a `.gz`.
  static let depthBound = 5

  /// The capture, its format as it was recognised now.
  var source: CaptureSource
  /// Facts met on the way to it.
  var notes: [CaptureNote]
  private var window: RecordWindow

  /// Opens the input again and follows the members that lead to the capture.
  init(_ source: CaptureSource) throws(CaptureError) {
    if let resumed = try Self.resume(source) {
      self = resumed
    } else {
      self = try Self.find(in: try source.input.open(), source, members: source.members[...], depth: 0)
    }
    for _ in source.passedOver { notes.append(CaptureNote(.skippedPart, frame: 0)) }
  }

  private init(source: CaptureSource, format: CaptureFormat, notes: [CaptureNote], window: consuming RecordWindow) {
    self.source = source
    self.source.format = format
    self.notes = notes
    self.window = window
  }

  /// Goes on in an archive of the input that is open already, the innermost there is; nil where there is none.
  private static func resume(_ source: CaptureSource) throws(CaptureError) -> OpenedCapture? {
    for depth in source.members.indices.reversed() {
      let path = source.members[..<depth]
      guard let place = source.pool.take(before: source.members[depth], in: path) else { continue }
      guard let member = place.archive.member(at: source.members[depth]), member.ordinal == source.members[depth]
      else { throw place.archive.emptiness() }
      return try find(
        in: ArchiveMember(place.archive, pool: source.pool, path: place.path),
        source,
        members: source.members[(depth + 1)...],
        depth: depth + 1
      )
    }
    return nil
  }

  consuming func takeWindow() -> RecordWindow { window }

  private static func find(
    in bytes: ByteSource,
    _ source: CaptureSource,
    members: ArraySlice<Int>,
    depth: Int
  ) throws(CaptureError) -> OpenedCapture {
    var window = RecordWindow(bytes)
    switch Recognition(&window) {
    case .capture(let format):
      return OpenedCapture(source: source, format: format, notes: [], window: window)
    case .text:
      let start = window.peek(FirstOctets.length)
      guard var section = BtsnoozSection(&window) else { throw FirstOctets.error(start, source.name) }
      let ring = try section.records(source.name)
      return OpenedCapture(
        source: source,
        format: .btsnooz(version: section.version),
        notes: section.notes,
        window: RecordWindow(MemorySource(ring))
      )
    case .gzip:
      guard depth < depthBound else { throw Archive.tooDeep(source.name) }
      return try find(in: GzipSource(window.putBack()), source, members: members, depth: depth + 1)
    case .container:
      guard depth < depthBound else { throw Archive.tooDeep(source.name) }
      let archive = try Archive(ZstdRepair.source(window, name: source.name), name: source.name)
      guard let first = archive.nextMember() else { throw archive.emptiness() }
      if archive.isPlainStream {
        return try find(in: ArchiveMember(archive), source, members: members, depth: depth + 1)
      }
      guard let ordinal = members.first else {
        throw CaptureError(
          .refused,
          "\(source.name) is an archive, which a stream cannot be: it is read more than once.",
          hint: "Save it to a file and name that file instead of '-'."
        )
      }
      source.pool.countOpening()
      guard first.ordinal == ordinal || archive.member(at: ordinal) != nil else { throw archive.emptiness() }
      let path = Array(source.members[..<members.startIndex])
      return try find(
        in: ArchiveMember(archive, pool: source.pool, path: path),
        source,
        members: members.dropFirst(),
        depth: depth + 1
      )
    case .refused(let refusal): throw refusal.error(source.name)
    case .unknown: throw FirstOctets.error(window.peek(FirstOctets.length), source.name)
    case .empty: throw FirstOctets.emptiness(window.source, source.name)
    }
  }
}
