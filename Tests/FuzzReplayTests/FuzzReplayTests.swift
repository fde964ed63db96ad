import FuzzEntries
import Glibc
import ReferenceCaptures
import Testing

/// Runs every entry over its seeds, over damaged seeds and over the inputs that once made it crash.
struct FuzzReplayTests {
  @Test(arguments: FuzzEntry.all)
  func `Seeds give something, and the same twice`(_ entry: FuzzEntry) {
    let seeds = entry.seeds()
    #expect(!seeds.isEmpty)
    for seed in seeds {
      let seen = entry.run(seed.octets)
      #expect(seen > 0, "\(seed.name)")
      #expect(entry.run(seed.octets) == seen, "\(seed.name)")
    }
  }

  @Test(arguments: FuzzEntry.all)
  func `A cut seed is read as far as it goes`(_ entry: FuzzEntry) {
    for seed in entry.seeds().prefix(6) {
      for count in stride(from: 0, through: seed.octets.count, by: max(1, seed.octets.count / 40)) {
        #expect(entry.run(Array(seed.octets.prefix(count))) >= 0)
      }
    }
  }

  @Test(arguments: FuzzEntry.all)
  func `A changed octet does no harm`(_ entry: FuzzEntry) {
    for seed in entry.seeds().prefix(6) {
      for place in stride(from: 0, to: seed.octets.count, by: max(1, seed.octets.count / 40)) {
        var octets = seed.octets
        octets[place] = ~octets[place]
        #expect(entry.run(octets) >= 0)
      }
    }
  }

  @Test(arguments: FuzzEntry.all)
  func `What once crashed does not`(_ entry: FuzzEntry) throws {
    for path in try StoredInputs.paths(of: entry) {
      let octets = try #require(FileContent(path)?.octets)
      #expect(entry.run(octets) >= 0, "\(path)")
    }
  }
}
