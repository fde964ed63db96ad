/// One decoder as a fuzzer and the replay tests call it: any octets in, no trap.
public struct FuzzEntry: Sendable {
  /// The name of its folders of seeds and crashes.
  public let name: String
  /// Takes the octets; returns how much came of them, the same for the same octets.
  public let run: @Sendable (_ octets: [UInt8]) -> Int
  /// Valid input that mutation starts from, each with a file name.
  public let seeds: @Sendable () -> [(name: String, octets: [UInt8])]

  /// Every entry, in the order they are run.
  public static let all = [captures, attributes, fragments, characteristics, story, cacheFiles]
}
