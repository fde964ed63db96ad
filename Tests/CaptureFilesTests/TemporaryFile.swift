import Glibc

/// Runs `body` with a file of that name and content in a directory of its own, then removes both.
func withFile<Failure: Error>(
  _ name: String,
  _ octets: [UInt8],
  _ body: (String) throws(Failure) -> Void
) throws(Failure) {
  var template = Array((P_tmpdir + "/capturefiles." + String(repeating: "X", count: 6)).utf8CString)
  template.withUnsafeMutableBufferPointer { name in
    if let base = name.baseAddress { mkdtemp(base) }
  }
  let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  let path = directory + "/" + name
  let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
  var place = 0
  while place < octets.count {
    let count = octets.withUnsafeBytes { write(descriptor, $0.baseAddress?.advanced(by: place), octets.count - place) }
    if count <= 0 { break }
    place += count
  }
  close(descriptor)
  defer {
    unlink(path)
    rmdir(directory)
  }
  try body(path)
}
