import Foundation
import Testing

/// The edges between modules that the architecture allows, checked against every `import` line under `Sources/`.
@Suite struct ImportTests {
  /// What each module may import besides the standard library; C modules and Glibc where its table row names them.
  static let allowed: [String: Set<String>] = [
    "BluetoothWire": [],
    "HealthProfiles": ["BluetoothWire"],
    "CaptureFiles": ["BluetoothWire", "CArchive", "CZlib", "Glibc"],
    "Scenarios": ["BluetoothWire", "HealthProfiles", "CaptureFiles"],
    "LinkTrace": ["BluetoothWire", "HealthProfiles", "CaptureFiles", "CCrypto"],
    "ProtocolLint": ["BluetoothWire", "HealthProfiles", "LinkTrace", "Scenarios", "CaptureFiles"],
    "FetchComparison": ["BluetoothWire", "HealthProfiles", "LinkTrace"],
    "RecordCollector": ["BluetoothWire", "HealthProfiles"],
    "RecordStore": ["BluetoothWire", "HealthProfiles", "RecordCollector", "CSQLite", "Glibc"],
    "LinuxBluetooth": ["BluetoothWire", "CaptureFiles", "RecordCollector", "CBluetooth", "Glibc"],
    "Reporting": [
      "BluetoothWire", "HealthProfiles", "CaptureFiles", "LinkTrace", "ProtocolLint", "Scenarios", "FetchComparison",
      "RecordCollector", "RecordStore", "Glibc", "Dispatch", "Synchronization",
    ],
    "CommandLineInterface": [],
    "make-scenario": ["BluetoothWire", "HealthProfiles", "CaptureFiles", "Scenarios", "Glibc"],
    "racpscope": [
      "BluetoothWire", "HealthProfiles", "CaptureFiles", "LinkTrace", "ProtocolLint", "FetchComparison",
      "RecordCollector", "RecordStore", "LinuxBluetooth", "Reporting", "CommandLineInterface", "Glibc", "Dispatch",
    ],
  ]

  private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")

  private static func swiftFiles(of module: String) -> [URL] {
    let folder = sources.appendingPathComponent(module)
    let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (all?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
  }

  private static func imports(of file: URL) throws -> [String] {
    let text = try String(contentsOf: file, encoding: .utf8)
    return text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard let place = words.firstIndex(of: "import"), place <= 1, place + 1 < words.count else { return nil }
      guard place == 0 || ["public", "internal", "package", "private", "@testable"].contains(words[0]) else {
        return nil
      }
      return String(words[place + 1])
    }
  }

  @Test func everyModuleHasARowHere() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
      .filter { !Self.swiftFiles(of: $0).isEmpty }
    #expect(Set(folders) == Set(Self.allowed.keys))
  }

  @Test(arguments: allowed.keys.sorted())
  func aModuleImportsOnlyWhatItsRowAllows(module: String) throws {
    let permitted = Self.allowed[module] ?? []
    for file in Self.swiftFiles(of: module) {
      for name in try Self.imports(of: file) {
        #expect(permitted.contains(name), "\(module)/\(file.lastPathComponent) imports \(name)")
      }
    }
  }

  @Test func nothingBelowTheProgramImportsFoundation() throws {
    for module in Self.allowed.keys {
      for file in Self.swiftFiles(of: module) {
        let names = try Self.imports(of: file)
        #expect(!names.contains { $0.hasPrefix("Foundation") }, "\(module)/\(file.lastPathComponent)")
      }
    }
  }
}
