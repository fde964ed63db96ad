import Glibc
public import LinkTrace
import ProtocolLint

/// Findings that a team has accepted for now: they are still reported, and do not count.
///
/// The file is JSON, schema `racpscope/baseline/1`; a finding is known by its fingerprint, which names the device.
public struct Baseline: Sendable {
  private let fingerprints: Set<String>
  /// One for each fingerprint, in its order.
  private let entries: [Entry]

  private struct Entry: Sendable {
    var fingerprint: String
    var rule: String
    var device: String
    var message: String
  }

  private static let schema = "racpscope/baseline/1"
  private static let hint = "write it anew with --write-baseline"

  /// What was found in the captures.
  init(_ captures: [LintCapture]) {
    var known: Set<String> = []
    var entries: [Entry] = []
    for capture in captures {
      for (device, _, finding) in capture.findings where known.insert(finding.fingerprint).inserted {
        entries.append(
          Entry(
            fingerprint: finding.fingerprint,
            rule: finding.rule.identifier.description,
            device: device.key,
            message: finding.finding.message
          )
        )
      }
    }
    fingerprints = known
    self.entries = entries.sorted { $0.fingerprint < $1.fingerprint }
  }

  /// Reads the octets of a baseline file; only the fingerprints matter.
  public init(_ octets: [UInt8]) throws(CacheFileError) {
    let root: JSONValue
    do {
      root = try JSONParser.parse(octets)
    } catch {
      throw CacheFileError(error.reason, at: error.position, hint: Self.hint)
    }
    guard let schema = root["schema"], case .string(let text) = schema.content, text == Self.schema else {
      throw CacheFileError("it is no baseline: its schema is not \(Self.schema).", hint: Self.hint)
    }
    guard let list = root["findings"], case .array(let findings) = list.content else {
      throw CacheFileError("it has no array \"findings\".", hint: Self.hint)
    }
    var known: Set<String> = []
    for finding in findings {
      guard let member = finding["fingerprint"], case .string(let fingerprint) = member.content else {
        let position = JSONParser.position(of: finding.offset, in: octets)
        throw CacheFileError("a finding has no \"fingerprint\".", at: position, hint: Self.hint)
      }
      known.insert(fingerprint)
    }
    fingerprints = known
    entries = []
  }

  /// Reads a baseline file.
  public init(path: String) throws(CacheFileError) { try self.init(try GattFile.octets(of: path)) }

  func contains(_ fingerprint: String) -> Bool { fingerprints.contains(fingerprint) }

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
