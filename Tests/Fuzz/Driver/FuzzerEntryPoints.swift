import FuzzEntries
import Glibc

/// The entry that FUZZ_TARGET names.
private let chosen: FuzzEntry? = {
  guard let name = environment("FUZZ_TARGET") else { return nil }
  return FuzzEntry.all.first { $0.name == name }
}()

private func environment(_ name: String) -> String? {
  guard let value = unsafe getenv(name) else { return nil }
  return unsafe String(cString: value)
}

/// Called once: lists the entries, writes seeds, or lets the fuzzer go on with the entry that was chosen.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>>>
) -> CInt {
  guard let chosen else {
    for entry in FuzzEntry.all { print(entry.name) }
    exit(0)
  }
  if let folder = environment("FUZZ_SEEDS") {
    for seed in chosen.seeds() {
      guard let file = unsafe fopen("\(folder)/\(seed.name)", "w") else { exit(1) }
      _ = unsafe seed.octets.withUnsafeBytes { unsafe fwrite($0.baseAddress, 1, $0.count, file) }
      unsafe fclose(file)
    }
    exit(0)
  }
  return 0
}

/// Called for every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let octets = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  _ = chosen?.run(octets)
  return 0
}
