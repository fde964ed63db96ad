/// Why a file of GATT attributes could not be read: where, what is wrong, and what to do instead.
public struct CacheFileError: Error, Sendable, Equatable {
  /// The place in the text, from 1; nil where the whole file is meant.
  public var position: Position?
  /// One sentence without the file's name and the place.
  public var reason: String
  /// What to do instead.
  public var hint: String

  /// A line and a column, both from 1; columns count octets.
  public struct Position: Sendable, Equatable {
    public var line: Int
    public var column: Int

    public init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  public init(_ reason: String, at position: Position? = nil, hint: String) {
    self.reason = reason
    self.position = position
    self.hint = hint
  }

  /// One sentence that begins with the file: `meter.json, line 3, column 7: expected a comma.`
  public func message(file: String) -> String {
    guard let position else { return file + ": " + reason }
    return file + ", line \(position.line), column \(position.column): " + reason
  }
}
