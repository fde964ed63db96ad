/// The notes of one reader: the first of each kind in full, all of them counted.
struct NoteLog: Sendable {
  private static let keptOfAKind = 64

  private(set) var notes: [CaptureNote] = []
  private var totals: [CaptureNote.Kind: Int] = [:]

  mutating func add(_ kind: CaptureNote.Kind, frame: UInt32, amount: Int64) {
    let count = (totals[kind] ?? 0) + 1
    totals[kind] = count
    if count <= Self.keptOfAKind { notes.append(CaptureNote(kind, frame: frame, amount: amount)) }
  }

  func total(_ kind: CaptureNote.Kind) -> Int { totals[kind] ?? 0 }
}
