/// One column of a report on a store, which is a field of its CSV and a member of its JSON.
struct StoreColumn<Row>: Sendable {
  let name: String
  /// The value of a row; the clock writes times.
  let cell: @Sendable (Row, inout TimeText) -> Cell

  init(_ name: String, _ cell: @escaping @Sendable (Row, inout TimeText) -> Cell) {
    self.name = name
    self.cell = cell
  }

  /// A column of which no cell is a time.
  init(_ name: String, _ cell: @escaping @Sendable (Row) -> Cell) {
    self.name = name
    self.cell = { row, _ in cell(row) }
  }

  /// What stands in one row; nil is an empty field or null.
  enum Cell: Sendable {
    case text(String?)
    case integer(Int64?)
    case flag(Bool)
    /// Digits of a decimal number.
    case digits(String)

    static func number(_ number: (some BinaryInteger)?) -> Cell { .integer(number.map { Int64(clamping: $0) }) }
  }
}

extension [String] {
  /// The names of columns as the first line of CSV.
  var csvHeader: String { joined(separator: ",") + "\n" }
}

extension CSVRow {
  mutating func cells<Row>(_ row: Row, _ columns: [StoreColumn<Row>], _ clock: inout TimeText) {
    for column in columns {
      switch column.cell(row, &clock) {
      case .text(let text): self.text(text)
      case .integer(let number): self.number(number)
      case .flag(let flag): self.flag(flag)
      case .digits(let digits): verbatim(digits)
      }
    }
  }
}

extension JSONWriter {
  mutating func members<Row>(_ row: Row, _ columns: [StoreColumn<Row>], _ clock: inout TimeText) {
    for column in columns {
      switch column.cell(row, &clock) {
      case .text(let text): member(column.name, text)
      case .integer(let number): member(column.name, number)
      case .flag(let flag): member(column.name, flag)
      case .digits(let digits):
        key(column.name)
        value(verbatim: digits)
      }
    }
  }
}
