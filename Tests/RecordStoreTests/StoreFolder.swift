import BluetoothWire
import Foundation
import RecordCollector
import RecordStore

/// A folder of its own for the stores of one test, gone with the value.
final class StoreFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("store-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String = "meters.db") -> String { url.appendingPathComponent(name).path }

  func octets(_ name: String = "meters.db") throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  func write(_ octets: [UInt8], as name: String) throws { try Data(octets).write(to: URL(fileURLWithPath: path(name))) }

  /// Every name in it, in order.
  var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() } }

  func permissions(_ name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path(name))
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
  }

  func set(permissions: Int, of name: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path(name))
  }

  func open(_ name: String = "meters.db") throws(StoreError) -> RecordStore { try RecordStore(path: path(name)) }
}
