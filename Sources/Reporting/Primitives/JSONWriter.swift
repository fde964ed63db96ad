import BluetoothWire

/// Writes JSON (RFC 8259) into an `OutputBuffer`, members in the order they are given.
///
/// Text that is no UTF-8 is repaired with U+FFFD. Depth is limited to 63; deeper nesting is a programming error.
public struct JSONWriter: Sendable {
  /// Where the text goes.
  public var output: OutputBuffer
  /// How the text is laid out.
  public let layout: Layout
  private var depth = 0
  /// Bit n: the container at depth n has a member.
  private var filled: UInt64 = 0
  private var followsKey = false

  /// One document a line, or indented by two.
  public enum Layout: Sendable { case oneLine, indented }

  public init(_ output: OutputBuffer, layout: Layout = .oneLine) {
    self.output = output
    self.layout = layout
  }

  public mutating func beginObject() { open(0x7B) }
  public mutating func endObject() { close(0x7D) }
  public mutating func beginArray() { open(0x5B) }
  public mutating func endArray() { close(0x5D) }

  /// Ends a document: a line feed.
  public mutating func endDocument() {
    output.newline()
    depth = 0
    filled = 0
  }

  /// The name of the member that follows; names are the program's own and need no repair.
  public mutating func key(_ name: String) {
    separate()
    output.append(octet: 0x22)
    output.append(name)
    output.append(layout == .oneLine ? "\":" : "\": ")
    followsKey = true
  }

  public mutating func value(_ text: String) {
    unsafe quote(text.utf8Span.span.bytes)
  }

  /// Octets of text.
  public mutating func value(utf8 octets: [UInt8]) { unsafe quote(octets.span.bytes) }

  public mutating func value(_ number: some BinaryInteger) {
    separate()
    output.append(decimal: number)
  }

  public mutating func value(_ flag: Bool) {
    separate()
    output.append(flag ? "true" : "false")
  }

  /// A number of `10^-places`.
  public mutating func value(fixed number: Int64, places: Int) {
    separate()
    output.append(fixed: number, places: places)
  }

  /// Text that is a JSON value already: digits of an exact decimal.
  public mutating func value(verbatim text: String) {
    separate()
    output.append(text)
  }

  /// Text of printable ASCII without quotes and backslashes, which is written in its place.
  mutating func value(_ write: (inout OutputBuffer) -> Void) {
    separate()
    output.append(octet: 0x22)
    write(&output)
    output.append(octet: 0x22)
  }

  /// Lower-case hexadecimal digits of octets, as text.
  public mutating func value(hexOctetsOf span: RawSpan) {
    separate()
    output.append(octet: 0x22)
    output.append(hexOctetsOf: span)
    output.append(octet: 0x22)
  }

  public mutating func null() {
    separate()
    output.append("null")
  }

  // MARK: Members

  public mutating func member(_ name: String, _ text: String) {
    key(name)
    value(text)
  }

  public mutating func member(_ name: String, _ number: some BinaryInteger) {
    key(name)
    value(number)
  }

  public mutating func member(_ name: String, _ flag: Bool) {
    key(name)
    value(flag)
  }

  public mutating func member(_ name: String, utf8 octets: [UInt8]) {
    key(name)
    value(utf8: octets)
  }

  /// A value, or null.
  public mutating func member(_ name: String, _ text: String?) {
    key(name)
    if let text { value(text) } else { null() }
  }

  /// A value, or null.
  public mutating func member(_ name: String, _ number: (some BinaryInteger)?) {
    key(name)
    if let number { value(number) } else { null() }
  }

  // MARK: Layout

  private mutating func open(_ bracket: UInt8) {
    separate()
    output.append(octet: bracket)
    depth += 1
    precondition(depth < 64, "JSON nested too deeply")
    filled &= ~(1 << UInt64(depth))
  }

  private mutating func close(_ bracket: UInt8) {
    let wasFilled = filled >> UInt64(depth) & 1 == 1
    depth -= 1
    if wasFilled && layout == .indented { indent() }
    output.append(octet: bracket)
  }

  private mutating func separate() {
    if followsKey {
      followsKey = false
      return
    }
    guard depth > 0 else { return }
    if filled >> UInt64(depth) & 1 == 1 { output.append(octet: 0x2C) }
    filled |= 1 << UInt64(depth)
    if layout == .indented { indent() }
  }

  private mutating func indent() {
    output.newline()
    output.append(repeating: 0x20, count: 2 * depth)
  }

  /// Printable ASCII that stands for itself.
  @inline(__always) private static func isPlain(_ octet: UInt8) -> Bool {
    octet >= 0x20 && octet < 0x7F && octet != 0x22 && octet != 0x5C
  }

  private mutating func quote(_ octets: RawSpan) {
    separate()
    output.append(octet: 0x22)
    var place = 0
    while place < octets.byteCount {
      let start = place
      while place < octets.byteCount, Self.isPlain(octets.u8(at: place)) { place += 1 }
      if place > start {
        output.append(octetsOf: octets.extracting(start..<place))
        continue
      }
      guard let scalar = ScalarReader.next(octets, &place) else {
        output.append("\u{FFFD}")
        continue
      }
      switch scalar.value {
      case 0x22: output.append("\\\"")
      case 0x5C: output.append("\\\\")
      case 0x0A: output.append("\\n")
      case 0x0D: output.append("\\r")
      case 0x09: output.append("\\t")
      // DEL, C1 controls and the line separators are escaped as well: a report is read in terminals and in scripts.
      case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069:
        output.append("\\u")
        output.append(hexDigits: UInt64(scalar.value), width: 4)
      default: output.append(octetsOf: octets.extracting(start..<place))
      }
    }
    output.append(octet: 0x22)
  }
}
