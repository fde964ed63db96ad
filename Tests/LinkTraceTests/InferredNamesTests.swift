import BluetoothWire
import CaptureFiles
import HealthProfiles
import LinkTrace
import ReferenceCaptures
import Scenarios
import Testing

/// Names found in the shape of the traffic alone, held against what discovery says.
@Suite struct InferredNamesTests {
  /// Scenes in which nothing on a handle tells what it is, and why.
  static let silent: [String: String] = [
    "idle": "no request and no record",
    "auth-ignored": "the only write was refused and no request followed",
    "read-racp": "two refused reads",
    "refuse-pairing": "the link ends before the first request",
    "user-channel": "an MTU exchange and nothing more",
  ]

  private static let captures = Folder.corpus.folder("captures").paths()
  /// The one public capture of a device with record access control points.
  private static let pump = "palmarci_OpenGuardian"

  /// False for what is refused by name.
  private static func isRead(_ path: String) -> Bool {
    do {
      _ = try CaptureReader.open(.path(path))
      return true
    } catch {
      return false
    }
  }

  /// The roles that must come out the same.
  private static func roles(_ link: LinkHistory) -> [String] {
    link.handles.filter { [.glucoseMeasurement, .glucoseContext, .recordAccess].contains($0.role) }
      .sorted { $0.handle < $1.handle }.map { "\($0.server) \(hexadecimal($0.handle)) \($0.role)" }
  }

  @Test(.enabled(if: Folder.laboratory.isThere, "\(Folder.laboratory.absence)"), arguments: LabFiles.captures)
  func `the lab's captures without their discovery give the same names`(_ path: String) throws {
    let whole = Trace(try frames(of: path))
    let bare = Trace(withoutDiscovery(try frames(of: path)))
    let expected = Set(whole.links.flatMap { Self.roles($0) })
    let found = Set(bare.links.flatMap { Self.roles($0) })
    let scene = String(name(path).split(separator: ".")[0])
    if let reason = Self.silent[scene] {
      print("\(name(path)): names cannot be told apart: \(reason)")
      #expect(found.isSubset(of: expected))
      return
    }
    #expect(found == expected)
    #expect(bare.links.flatMap(\.handles).allSatisfy { $0.provenance < .supplied })
  }

  @Test(
    .enabled(if: Folder.corpus.isThere, "\(Folder.corpus.absence)"),
    arguments: captures.filter { !name($0).hasPrefix(pump) && isRead($0) }
  )
  func `no handle of other devices gets a glucose or record access role`(_ path: String) throws {
    var reader = try CaptureReader.open(.path(path))
    var tracker = LinkTracker()
    var collected = Collected()
    tracker.read(&reader, into: &collected)
    tracker.finish(into: &collected)
    for link in collected.links {
      for traffic in link.handles {
        #expect(
          ![.glucoseMeasurement, .glucoseContext, .recordAccess, .insulinRecordAccess].contains(traffic.role),
          "\(hexadecimal(traffic.handle)) \(traffic.provenance)"
        )
      }
      #expect(link.procedures.isEmpty)
    }
  }

  @Test(.enabled(if: Folder.corpus.isThere, "\(Folder.corpus.absence)"))
  func `the pump's control points are found by their dialects`() throws {
    let path = try #require(Self.captures.first { name($0).hasPrefix(Self.pump) })
    let trace = try Trace(path: path)
    let handles = trace.links.flatMap(\.handles).filter { $0.server == .remote }
    let control = try #require(handles.first { $0.handle == 0x004A })
    #expect(control.role == .recordAccess)
    #expect(control.provenance == .inferredWeak)
    let insulin = try #require(handles.first { $0.handle == 0x002D })
    #expect(insulin.role == .insulinRecordAccess)
    #expect(insulin.provenance == .inferred)
    let history = try #require(handles.first { $0.handle == 0x0030 })
    #expect(history.role == .insulinHistory)
    let insulinProcedures = trace.procedures.filter { $0.procedure.dialect == .insulinDelivery }
    #expect(insulinProcedures.map { Int($0.procedure.records) } == [1, 1, 40, 40])
    #expect(trace.procedures.contains { $0.procedure.outcome == .noRecords })
  }
}
