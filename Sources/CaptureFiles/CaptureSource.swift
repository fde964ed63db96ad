/// One capture found in an input: the input itself, or a member of an archive.
public struct CaptureSource: Sendable {
  /// The capture as messages name it: `bugreport.zip: FS/data/misc/bluetooth/logs/btsnoop_hci.log`.
  public internal(set) var name: String
  /// The container its records are in.
  public internal(set) var format: CaptureFormat
  /// Members of the same archive that looked like captures and could not be read; on the first capture found.
  public internal(set) var passedOver: [CaptureError] = []

  /// Where the octets come from.
  let input: CaptureInput
  /// The ordinals of the archive members that lead to the capture, outermost first; empty for a plain file.
  let members: [Int]

  /// Archives of the input that are open already; shared by all its captures.
  let pool: ArchivePool

  init(name: String, format: CaptureFormat, input: CaptureInput, members: [Int], pool: ArchivePool) {
    self.name = name
    self.format = format
    self.input = input
    self.members = members
    self.pool = pool
  }

  /// How often archives of the input were opened from their beginning to read captures, all of them together.
  package var archiveOpenings: Int { pool.openingCount }
}

extension CaptureSource: Equatable {
  public static func == (left: CaptureSource, right: CaptureSource) -> Bool {
    left.name == right.name && left.format == right.format && left.passedOver == right.passedOver
      && left.input == right.input && left.members == right.members
  }
}
