/// The number of insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
///
/// Optimal string alignment: the Damerau-Levenshtein distance in which no part is edited twice.
func editDistance(_ left: String, _ right: String) -> Int {
  let left = Array(left.utf8)
  let right = Array(right.utf8)
  var beforeLast = [Int](repeating: 0, count: right.count + 1)
  var last = Array(0...right.count)
  for row in 0..<left.count {
    var current = [row + 1]
    current.reserveCapacity(right.count + 1)
    for column in 0..<right.count {
      let same = left[row] == right[column]
      var best = min(last[column + 1] + 1, current[column] + 1, last[column] + (same ? 0 : 1))
      if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
        best = min(best, beforeLast[column - 1] + 1)
      }
      current.append(best)
    }
    beforeLast = last
    last = current
  }
  return last[right.count]
}

/// The candidate nearest to a mistyped word; nil when none is within two edits.
///
/// A word of which half would have to be edited is no near miss: `xy` does not suggest `db`, nor `fish` `bash`.
public func nearMiss(of word: String, in candidates: [String]) -> String? {
  // A long argument is no typing mistake, and the distance costs the product of the lengths.
  guard word.utf8.count <= 64 else { return nil }
  var best: (candidate: String, distance: Int)?
  for candidate in candidates {
    let distance = editDistance(word, candidate)
    let letters = min(candidate.utf8.count { $0 != UInt8(ascii: "-") }, word.utf8.count)
    guard distance <= 2, distance * 2 < letters else { continue }
    if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
  }
  return best?.candidate
}
