/// `1 record`, `2 records`: for nouns whose plural ends in an s.
public func countText(_ count: some BinaryInteger, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}
