import CaptureFiles
import LinkTrace
import Reporting

/// Hands each link to every report and writes them all into memory at the end.
struct EveryReport: LinkConsumer {
  private var story: StoryReport
  private var records: [RecordsReport]
  private var tables = GattTables()

  init() {
    var options = StoryOptions()
    options.all = true
    options.zone = .utc
    story = StoryReport(options)
    records = RecordsOptions.Format.allCases.map { format in
      var options = RecordsOptions()
      options.format = format
      options.zone = .utc
      return RecordsReport(options, output: OutputBuffer())
    }
  }

  mutating func take(_ history: borrowing LinkHistory, from tracker: borrowing LinkTracker) {
    story.take(history, from: tracker)
    for index in records.indices { records[index].take(history, from: tracker) }
    tables.take(history, from: tracker)
  }

  /// How many octets the reports have.
  mutating func conclude(_ facts: CaptureFacts?, _ totals: CaptureTotals) -> Int {
    var count = 0
    if let facts {
      var output = OutputBuffer()
      var writer = StoryWriter(Terminal(), .utc)
      writer.write(story, facts, totals, to: &output)
      count += output.octets.count
    }
    for index in records.indices {
      records[index].finish()
      count += records[index].output.octets.count
    }
    return count + GattJSON(OutputBuffer()).write(tables.tables).octets.count
  }
}
