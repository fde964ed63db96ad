public import CaptureFiles

/// The part of a capture that shows some of its links and nothing else, as a btsnoop file.
public struct CaptureExtract: Sendable {
  /// The numbers of the links in the source, ascending; in the extract they count from 1.
  public private(set) var links: [UInt32]
  /// Frames in the extract, and in the source.
  public var frameCount: Int { writer.recordCount }
  public private(set) var sourceFrameCount: Int
  /// Minutes every time was moved by; nil where nothing was redacted.
  public private(set) var shiftedMinutes: Int64?
  /// Datalink 2001 where the source tells controllers apart, else 1002.
  public var format: WritableFormat { writer.format }

  private let writer: CaptureWriter

  /// Reads the captures twice (they follow one another) and keeps the extract in memory.
  ///
  /// Standard input and pipes can be read only once and are refused by the second pass.
  ///
  /// - Parameter key: redacts with it: other addresses, names, serial numbers, dates and values, no keys, no text.
  public init(
    _ sources: [CaptureSource],
    _ selection: ExtractSelection,
    redactingWith key: RedactionKey? = nil
  ) throws(ExtractError) {
    if sources.contains(where: { $0.format == .undetermined }) {
      throw ExtractError(
        "an extract reads its input twice, and a stream can be read only once",
        hint: "save the stream to a file first"
      )
    }
    let survey = try CaptureSurvey.of(sources)
    let selected = try survey.links(selection)
    var copier = FrameCopier(selected, survey, keepsText: key == nil)
    try copier.walk(sources)
    var frames = copier.frames
    // What has not shown whose it is belongs to a PDU that is lost either way.
    frames.records.removeAll { $0.kind == .aclUndirected }
    if let key {
      let shift = DateShift(
        key,
        recordDays: selected.reduce(into: []) { $0.formUnion($1.recordDays) },
        captureDays: survey.days
      )
      var redactor = Redactor(key, selected, shift)
      redactor.redact(&frames)
      shiftedMinutes = shift.minutes
    }
    var writer = CaptureWriter(format: .btsnoop(survey.needsMonitorFormat ? .monitor : .uart))
    for record in frames.records {
      writer.drops = record.drops
      writer.write(
        kind: record.kind,
        adapter: record.adapter,
        time: record.time,
        octets: Array(frames.octets[record.range]),
        originalLength: record.originalLength
      )
    }
    self.writer = writer
    links = selected.map { $0.number }
    sourceFrameCount = Int(survey.frameCount)
  }

  /// The file.
  public var octets: [UInt8] { writer.finish() }

  /// Writes the file, which only its owner may read.
  public func write(to path: String) throws(CaptureError) { try writer.finish(to: path) }
}
