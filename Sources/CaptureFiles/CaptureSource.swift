/// One capture found in an input: the input itself, or a member of an archive.
public struct CaptureSource: Sendable, Equatable {
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

  init(name: String, format: CaptureFormat, input: CaptureInput, members: [Int]) {
    self.name = name
    self.format = format
    self.input = input
    self.members = members
  }
}
