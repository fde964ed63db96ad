import CPcap
import CaptureFiles
import ReferenceCaptures
import Testing

/// libpcap reads the same files: same packets, times and lengths.
@Suite struct PcapOracleTests {
  private struct Packet: Equatable {
    var time: Int64
    var captured: Int
    var original: Int
  }

  /// Nil where libpcap does not open the file.
  private func libpcap(_ path: String) -> [Packet]? {
    var message = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
    guard let handle = pcap_open_offline(path, &message) else { return nil }
    defer { pcap_close(handle) }
    var packets: [Packet] = []
    var header: UnsafeMutablePointer<pcap_pkthdr>?
    var data: UnsafePointer<UInt8>?
    while pcap_next_ex(handle, &header, &data) == 1, let found = header?.pointee {
      packets.append(
        Packet(
          time: Int64(found.ts.tv_sec) * 1_000_000 + Int64(found.ts.tv_usec),
          captured: Int(found.caplen),
          original: Int(found.len)
        )
      )
    }
    return packets
  }

  private func ours(_ path: String, header: Int) throws -> [Packet] {
    try Walk(captures(in: path)[0]).frames.map {
      Packet(time: $0.time, captured: $0.octets.count + header, original: $0.originalLength + header)
    }
  }

  /// Octets before each packet; nil for what libpcap does not read.
  private static func header(of format: WritableFormat) -> Int? {
    switch format {
    case .pcap(.uart, _, _): 1
    case .pcap(.uartWithDirection, _, _), .pcapng: 5
    case .pcap(.monitor, _, _): 4
    case .btsnoop, .packetLogger: nil
    }
  }

  @Test(arguments: writableFormats.filter { header(of: $0) != nil })
  func writtenFiles(_ format: WritableFormat) throws {
    let header = try #require(Self.header(of: format))
    try withFile("oracle.pcap", written(format)) { path in
      let expected = try #require(libpcap(path))
      #expect(expected.count == packets.count)
      #expect(try ours(path, header: header) == expected)
    }
  }

  @Test(.enabled(if: Folder.corpus.isThere, "\(Folder.corpus.absence)"))
  func corpusFiles() throws {
    var compared = 0
    for path in Folder.corpus.folder("captures").paths(ending: ".pcapng") {
      guard let expected = libpcap(path), let found = try? ours(path, header: 5) else { continue }
      #expect(found == expected, "\(path)")
      compared += 1
    }
    #expect(compared > 0)
  }
}
