/// The words of the command line.
struct Arguments {
  private let words: [String]

  init(_ words: [String]) { self.words = words }

  func word(_ place: Int) -> String { words.indices.contains(place) ? words[place] : "" }

  func number(_ place: Int) -> Int { Int(word(place)) ?? 0 }
}
