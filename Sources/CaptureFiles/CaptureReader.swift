/// Walks the records of one capture in file order.
///
/// `next()` gives frames without allocating; the octets of a frame lie in the reader's buffer until the next call.
/// What the file got wrong never stops the program: it ends the walk where it must and is kept in `notes`.
public struct CaptureReader: ~Copyable {
  /// The capture being read; of joined captures the current one.
  public private(set) var source: CaptureSource
  /// How many records were counted so far: the number of the last frame.
  public internal(set) var frameCount: UInt32 = 0
  /// How many packets the logger says it lost.
  public internal(set) var drops: UInt64 = 0

  var window: RecordWindow
  var log = NoteLog()
  var ended = false
  private var layout: RecordLayout

  var lastTime = CaptureClock.year2015
  private var yearNoted = false
  private var clipNoted = false
  var empties = EmptyRecords()
  var btsnoop = BtsnoopState()
  var pcap = PcapState()
  var pcapng = PcapngState()
  var btsnooz = BtsnoozState()

  /// Opens one capture of those `captures(in:)` listed.
  public static func open(_ source: CaptureSource) throws(CaptureError) -> CaptureReader {
    var reader = CaptureReader(try OpenedCapture(source))
    try reader.start()
    return reader
  }

  private init(_ opened: consuming OpenedCapture) {
    let notes = opened.notes
    source = opened.source
    layout = RecordLayout(opened.source.format)
    window = opened.takeWindow()
    for note in notes { log.add(note.kind, frame: 0, amount: note.amount) }
  }

  /// Opens the first capture in `input`.
  public static func open(_ input: CaptureInput) throws(CaptureError) -> CaptureReader {
    guard let first = try captures(in: input).first else {
      throw CaptureError(.notACapture, "\(input.name) holds no Bluetooth capture.")
    }
    return try open(first)
  }

  /// Goes on with another capture as if its records followed: frame numbers count on, notes and drops add up.
  ///
  /// The caller decides the order, by `firstTime(of:)`. On an error the reader stays at its end.
  public mutating func `continue`(with next: CaptureSource) throws(CaptureError) {
    let opened = try OpenedCapture(next)
    source = opened.source
    layout = RecordLayout(opened.source.format)
    let notes = opened.notes
    window = opened.takeWindow()
    for note in notes { log.add(note.kind, frame: frameCount, amount: note.amount) }
    ended = false
    lastTime = CaptureClock.year2015
    yearNoted = false
    clipNoted = false
    empties = EmptyRecords()
    btsnoop = BtsnoopState()
    pcap = PcapState()
    pcapng = PcapngState()
    btsnooz = BtsnoozState()
    try start()
  }

  /// The latest believable time stamp of the capture being read; nil where none was met.
  public var latestTime: Int64? { lastTime == CaptureClock.year2015 ? nil : lastTime }

  /// Passes over frames that a capture read before holds as well, and notes it.
  public mutating func passOver(repeated count: Int) {
    guard count > 0 else { return }
    log.add(.repeatedFrames, frame: frameCount &+ 1, amount: Int64(count))
    for _ in 0..<count where next() == nil { return }
  }

  /// The next frame, or nil at the end of what can be read.
  public mutating func next() -> CapturedFrame? {
    var frame = CapturedFrame.none
    return next(into: &frame) ? frame : nil
  }

  /// Puts the next frame where the one before was, which costs less over millions of them; false at the end of what can
  /// be read.
  public mutating func next(into frame: inout CapturedFrame) -> Bool {
    if ended { return false }
    let found: CapturedFrame?
    switch layout {
    case .btsnoopUnencapsulated: return nextBtsnoop(.unencapsulated, into: &frame)
    case .btsnoopUART: return nextBtsnoop(.uart, into: &frame)
    case .btsnoopMonitor: return nextBtsnoop(.monitor, into: &frame)
    case .pcap: found = nextPcap()
    case .pcapng: found = nextPcapng()
    case .packetLoggerBig: found = nextPacketLogger(bigEndian: true)
    case .packetLoggerLittle: found = nextPacketLogger(bigEndian: false)
    case .btsnooz: found = nextBtsnooz()
    }
    guard let found else { return false }
    frame = found
    return true
  }

  /// The octets of `frame`, the last one `next()` gave; empty for octets that are gone.
  @_lifetime(borrow self)
  public func bytes(of frame: CapturedFrame) -> RawSpan {
    window.bytes(at: frame.offset, count: frame.length)
  }

  /// Facts about the capture so far, in the order they were met; of each kind at most 64 are kept.
  public var notes: [CaptureNote] { log.notes }

  /// How many facts of a kind were met, kept or not.
  public func total(of kind: CaptureNote.Kind) -> Int { log.total(kind) }

  /// Takes the file header, where the format has one.
  private mutating func start() throws(CaptureError) {
    switch source.format {
    case .btsnoop: window.take(BtsnoopFormat.headerLength)
    case .pcap(let type, let nanoseconds, let bigEndian):
      pcap = PcapState(linkType: type, nanoseconds: nanoseconds, bigEndian: bigEndian)
      window.take(PcapFormat.headerLength)
    case .pcapng: try startPcapng()
    case .packetLogger: break
    case .btsnooz: startBtsnooz()
    case .undetermined: ended = true
    }
  }
}

extension CaptureReader {
  /// Ends the walk at a record that is not all there; nothing is noted where the input ends between records.
  @inline(never) mutating func endAtTail() {
    ended = true
    let record = frameCount &+ 1
    if window.source.failure != nil, window.source.isUnpacked {
      log.add(.damagedArchive, frame: record, amount: window.taken + Int64(window.available))
    } else if window.available > 0 || window.source.failure != nil {
      log.add(.truncatedTail, frame: record, amount: Int64(window.available))
    }
  }

  /// Ends the walk at a record with an impossible length.
  @inline(never) mutating func endAtBadLength(_ length: Int64) {
    ended = true
    log.add(.badLength, frame: frameCount &+ 1, amount: length)
  }

  /// Notes a fact at the frame counted last.
  @inline(never) mutating func note(_ kind: CaptureNote.Kind, amount: Int64) {
    log.add(kind, frame: frameCount, amount: amount)
  }

  /// Compares a record's time with the one before it.
  @inline(__always) mutating func observe(time: Int64) {
    if UInt64(bitPattern: time &- lastTime) < UInt64(CaptureClock.leap) {
      lastTime = time
    } else {
      observeOdd(time: time)
    }
  }

  @inline(never) private mutating func observeOdd(time: Int64) {
    guard time >= CaptureClock.year2015, time < CaptureClock.year2100 else {
      if !yearNoted { note(.impossibleYear, amount: time) }
      yearNoted = true
      return
    }
    defer { lastTime = time }
    // The first time stamp of a file follows no other one.
    if lastTime == CaptureClock.year2015 { return }
    if time < lastTime {
      note(.clockStepsBack, amount: lastTime - time)
    } else {
      note(.clockLeaps, amount: time - lastTime)
    }
  }

  /// Notes the first frame whose octets were cut.
  @inline(__always) mutating func observeClip(kept: Int, of original: Int) {
    if kept < original, !clipNoted { observeFirstClip(kept) }
  }

  @inline(never) private mutating func observeFirstClip(_ kept: Int) {
    clipNoted = true
    note(.clippedPackets, amount: Int64(kept))
  }
}

/// How the records of a capture are laid out: the format reduced to what the walk switches on.
enum RecordLayout: Sendable {
  case btsnoopUnencapsulated
  case btsnoopUART
  case btsnoopMonitor
  case pcap
  case pcapng
  case packetLoggerBig
  case packetLoggerLittle
  case btsnooz

  init(_ format: CaptureFormat) {
    self =
      switch format {
      case .btsnoop(.unencapsulated): .btsnoopUnencapsulated
      case .btsnoop(.uart): .btsnoopUART
      case .btsnoop(.monitor): .btsnoopMonitor
      case .pcap: .pcap
      case .pcapng, .undetermined: .pcapng
      case .packetLogger(bigEndian: true): .packetLoggerBig
      case .packetLogger(bigEndian: false): .packetLoggerLittle
      case .btsnooz: .btsnooz
      }
  }
}
