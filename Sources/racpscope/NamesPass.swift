import BluetoothWire
import CaptureFiles
import LinkTrace
import Reporting

/// Reads captures once for what they teach, before anything is written: names and identities that come late.
struct NamesPass: Sendable {
  /// What each story told, and the time of its first frame; of a stream what the user supplied.
  private var known: [(start: Int64, memory: TraceMemory)] = []
  /// Stories by index: those that may tell of the same device stand in one group, in the order of the input.
  private(set) var groups: [[Int]] = []

  /// Takes the devices of the links; the rest is in the tracker's memory.
  private struct Devices: LinkConsumer {
    var addresses: Set<DeviceAddress> = []

    mutating func take(_ history: borrowing LinkHistory, from tracker: borrowing LinkTracker) {
      if let address = DeviceIdentity.address(of: history) { addresses.insert(address) }
    }
  }

  /// What one story teaches; nil addresses where its devices are not known before it is written.
  private struct Lesson: Sendable {
    var start = Int64.max
    var memory: TraceMemory
    var addresses: Set<DeviceAddress>?
  }

  /// Reads each story, one thread each.
  init(_ stories: [[CaptureSource]], _ supplied: TraceMemory) {
    var lessons: [Lesson] = []
    ParallelStories.each(stories) { sources in
      // An input that fails here fails again, and is complained of, when it is written.
      guard !sources.contains(where: { $0.format == .undetermined }),
        let run = try? CaptureRun(
          sources,
          memory: supplied,
          progress: .silent,
          allowsSecondPass: false,
          makeReport: { Devices() }
        )
      else { return Lesson(memory: supplied) }
      // An address that is resolved in the second pass is another device then.
      let addresses = run.memory.learnedNamesLate ? nil : run.report.addresses
      return Lesson(start: run.totals.firstTime ?? .max, memory: run.memory, addresses: addresses)
    } take: { lesson in
      lessons.append(lesson)
      return true
    }
    known = lessons.map { ($0.start, $0.memory) }
    groups = Self.groups(lessons.map(\.addresses))
  }

  /// What a story told, made ready for another pass over it.
  func memory(of story: Int) -> TraceMemory {
    var memory = known[story].memory
    memory.startSecondPass()
    return memory
  }

  /// What each story knows together with the others, for stories that are told as one.
  var sharedMemories: [TraceMemory] {
    let names = SharedNames(known)
    return known.indices.map { names.better(for: $0) ?? memory(of: $0) }
  }

  /// Puts stories together that share a device, over any number of steps.
  private static func groups(_ devices: [Set<DeviceAddress>?]) -> [[Int]] {
    var groups: [(stories: [Int], devices: Set<DeviceAddress>)] = []
    for (index, addresses) in devices.enumerated() {
      guard let addresses else { return [Array(devices.indices)] }
      var own = (stories: [index], devices: addresses)
      groups.removeAll { group in
        guard !group.devices.isDisjoint(with: addresses) else { return false }
        own.stories += group.stories
        own.devices.formUnion(group.devices)
        return true
      }
      own.stories.sort()
      groups.append(own)
    }
    return groups.map(\.stories).sorted { $0[0] < $1[0] }
  }
}
