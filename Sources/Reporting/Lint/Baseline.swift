import Glibc
public import LinkTrace
import ProtocolLint

/// Findings that a team has accepted for now: they are still reported, and do not count.
///
/// The file is JSON, schema `racpscope/baseline/1`; a finding is known by its fingerprint and its device. A capture that
/// starts late may not show the device's address: then the fingerprint alone decides.
public struct Baseline: Sendable {
  /// The devices of each fingerprint; nil stands for one without a lasting address.
  private let devices: [String: Set<String?>]
  /// One for each fingerprint and device, in their order.
  private let entries: [Entry]

  private struct Entry: Sendable {
    var fingerprint: String
    var rule: String
    var device: String
    var message: String
  }

  /// A device without a lasting address, as the file has it.
  private static let unknown = "unknown device"
  private static let schema = "racpscope/baseline/1"
  private static let hint = "write it anew with --write-baseline"

  /// What was found in the captures.
  init(_ captures: [LintCapture]) {
    var known: [String: Set<String?>] = [:]
    var entries: [Entry] = []
    for capture in captures {
      for (device, _, finding) in capture.findings
      where known[finding.fingerprint, default: []].insert(device.lasting).inserted {
        entries.append(
          Entry(
            fingerprint: finding.fingerprint,
            rule: finding.rule.identifier.description,
            device: device.lasting ?? Self.unknown,
            message: finding.finding.message
          )
        )
      }
    }
    devices = known
    self.entries = entries.sorted { ($0.fingerprint, $0.device) < ($1.fingerprint, $1.device) }
  }

  /// Reads the octets of a baseline file; the fingerprints and their devices matter.
  public init(_ octets: [UInt8]) throws(CacheFileError) {
    let root: JSONValue
    do {
      root = try JSONParser.parse(octets)
    } catch {
      throw CacheFileError(error.reason, at: error.position, hint: Self.hint)
    }
    guard let schema = root["schema"], case .string(let text) = schema.content, text == Self.schema else {
      throw CacheFileError("it is not a baseline: its schema is not \(Self.schema).", hint: Self.hint)
    }
    guard let list = root["findings"], case .array(let findings) = list.content else {
      throw CacheFileError("it has no array \"findings\".", hint: Self.hint)
    }
    var known: [String: Set<String?>] = [:]
    for finding in findings {
      guard let member = finding["fingerprint"], case .string(let fingerprint) = member.content else {
        let position = JSONParser.position(of: finding.offset, in: octets)
        throw CacheFileError("a finding has no \"fingerprint\".", at: position, hint: Self.hint)
      }
      var device: String?
      if let member = finding["device"], case .string(let name) = member.content, name != Self.unknown { device = name }
      known[fingerprint, default: []].insert(device)
    }
    devices = known
    entries = []
  }

  /// Reads a baseline file.
  public init(path: String) throws(CacheFileError) { try self.init(try GattFile.octets(of: path)) }

  /// - Parameter device: what it is known by; nil where the capture does not show it.
  func contains(_ fingerprint: String, device: String?) -> Bool {
    guard let known = devices[fingerprint] else { return false }
    return device == nil || known.contains(device) || known.contains(nil)
  }

  /// The file's text; sorted, so that it changes only where the findings do.
  public func write(to output: inout OutputBuffer) {
    var json = JSONWriter(output, layout: .indented)
    json.beginObject()
    json.member("schema", Self.schema)
    json.key("findings")
    json.beginArray()
    for entry in entries {
      json.beginObject()
      json.member("fingerprint", entry.fingerprint)
      json.member("rule", entry.rule)
      json.member("device", entry.device)
      json.member("message", entry.message)
      json.endObject()
    }
    json.endArray()
    json.endObject()
    json.endDocument()
    output = json.output
  }
}
