import Testing

@testable import CaptureFiles
@testable import RecordStore

/// The program says the same of a number of the system, whether a capture or a store is concerned.
@Suite struct SystemReasonTests {
  @Test func capturesAndStoresSayTheSame() {
    for number in Int32(0)...133 { #expect(SystemReason.text(number) == SystemFailure.reason(number)) }
    #expect(SystemReason.text(21) == "it is a folder")
    #expect(SystemReason.text(30) == "the file system is read-only")
    #expect(SystemReason.text(122) == "the disk is full")
  }
}
