/// A JSON value with the place it stands at, so that a wrong one can be shown.
package struct JSONValue: Sendable {
  package var content: Content
  /// Octets before it.
  package var offset: Int

  package indirect enum Content: Sendable {
    case null
    case boolean(Bool)
    /// Whole numbers only: nothing that is read here has others.
    case integer(Int64)
    case otherNumber
    case string(String)
    case array([JSONValue])
    case object([(name: String, value: JSONValue)])
  }

  /// The member with this name; nil where there is none or the value is no object.
  package subscript(_ name: String) -> JSONValue? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.name == name }?.value
  }

  var isNull: Bool {
    if case .null = content { return true }
    return false
  }

  /// What kind of value it is, for messages.
  var kindName: String {
    switch content {
    case .null: "null"
    case .boolean: "a boolean"
    case .integer, .otherNumber: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
