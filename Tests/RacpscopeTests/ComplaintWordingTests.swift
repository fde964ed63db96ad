import CaptureFiles
import CommandLineInterface
import Foundation
import LinuxBluetooth
import RecordStore
import Reporting
import Testing

@testable import racpscope

/// One convention for what goes to stderr: lower case after the program's name, "is not a …", an upper-case hint.
@Suite struct ComplaintWordingTests {
  private static let sample = "samples/first-sync.btsnoop"

  /// Lines that end in a complaint; `FOLDER` is a folder of the test's own with an empty file, a text and a store.
  static let lines: [[String]] = [
    // What no command understands.
    ["nothing.btsnoop"], ["frob"], ["help", "show", "lint"], ["records", "--fromat", "csv", sample],
    ["show", "--utc=yes", sample], ["records", "--since"], ["records", "--device", "a", "--device", "b", sample],
    ["records", "--format", "xml", sample], ["completions", "fish"], ["adapters", "all"], ["packets"],
    ["compare", sample], ["compare", sample, sample, sample], ["explain", "RACP-999"], ["rules", "--wide"],
    ["packets", "--link", "one", sample], ["packets", "--frames", "b-a", sample],
    ["packets", "--frames", "9-1", sample],
    // What cannot be read.
    ["README.md"], ["show", "FOLDER"], ["show", "FOLDER/empty"], ["show", "FOLDER/none.btsnoop"],
    ["show", "--gatt", "README.md", sample], ["show", "--gatt", "FOLDER/none", sample],
    ["lint", "--baseline", "README.md", sample], ["lint", "--baseline", "FOLDER/none", sample],
    // What is not there.
    ["show", "--link", "99", sample], ["show", "--device", "nobody", sample],
    ["records", "--device", "nobody", sample],
    ["gatt", "--device", "nobody", sample], ["packets", "--link", "99", sample],
    ["packets", "--frames", "90000", sample],
    ["packets", "--link", "1", "--frames", "1", sample],
    // What is asked for in a way that cannot be.
    ["records", "--since", "noon", sample], ["records", "-o", "FOLDER/none/out", sample],
    ["records", "-o", sample, sample],
    ["extract", sample], ["extract", "-o", "-", sample], ["extract", "-o", "FOLDER/out", sample],
    ["extract", "--link", "x", "-o", "FOLDER/out", sample], ["extract", "--link", "99", "-o", "FOLDER/out", sample],
    ["extract", "--link", "1", "--device", "GM-1", "-o", "FOLDER/out", sample],
    ["extract", "--device", "nobody", "-o", "FOLDER/out", sample],
    ["extract", "--link", "1", "-o", sample, sample], ["extract", "--link", "1", "-o", "FOLDER/empty/out", sample],
    ["extract", "--link", "1", "-o", "FOLDER/none/out", sample],
    ["lint", "--level", "RACP-001", sample], ["lint", "--level", "RACP-001=loud", sample],
    ["lint", "--select", "RACP-99", sample], ["lint", "-o", "lint.sarif", sample], ["lint", "-o", "html=x", sample],
    ["lint", "-o", "json=FOLDER/a", "-o", "sarif=FOLDER/a", sample], ["lint", "-o", "json=" + sample, sample],
    ["compare", "-", "-"], ["compare", "store:GM-1", sample],
    ["compare", "--store", "FOLDER/store.db", "store:", sample],
    ["compare", ",", sample],
    ["compare", "--store", "FOLDER/store.db", "store:nobody", sample],
    ["compare", "--store", "FOLDER/none.db", "store:GM-1", sample],
    // Stores.
    ["store", "frob"], ["store", "list"], ["store", "list", "--store", "FOLDER/none.db"],
    ["store", "list", "--store", "FOLDER/empty"], ["store", "list", "--store", "FOLDER/text"],
    ["store", "list", "--store", "FOLDER"], ["store", "list", "--store", "FOLDER/none/store.db"],
    ["store", "list", "--store", "FOLDER/text/store.db"],
    ["store", "export", "--format", "table", "--store", "FOLDER/store.db"],
    ["store", "records", "--since", "noon", "--store", "FOLDER/store.db"],
    ["store", "records", "--device", "nobody", "--store", "FOLDER/store.db"],
    ["store", "forget", "--store", "FOLDER/store.db"],
    ["store", "forget", "--device", "nobody", "--store", "FOLDER/store.db"],
    // Live.
    ["sync", "meter", "--store", "FOLDER/new.db"], ["sync", "F0:0D:CA:FE:00:01"],
    ["sync", "F0:0D:CA:FE:00:01", "--store", "FOLDER/new.db", "--range", "70000-"],
    ["sync", "F0:0D:CA:FE:00:01", "--store", "FOLDER/new.db", "--all", "--range", "1-2"],
    ["sync", "F0:0D:CA:FE:00:01", "--store", "FOLDER/new.db", "--passkey", "12345678"],
    ["sync", "F0:0D:CA:FE:00:01", "--store", "FOLDER/new.db", "--passkey", "1", "--passkey-fd", "0"],
    ["sync", "F0:0D:CA:FE:00:01", "--store", "FOLDER/new.db", "--passkey-fd", "77"],
    ["sync", "F0:0D:CA:FE:00:01", "--store", "FOLDER/new.db", "--adapter", "hci4711"],
    ["sync", "F0:0D:CA:FE:00:01", "--store", "FOLDER/none/new.db"],
    ["scan", "--adapter", "hci4711"], ["capture", "--adapter", "usb", "-o", "FOLDER/trace"], ["capture", "-o", "-"],
    ["capture", "--quiet"],
  ]

  @Test(arguments: lines)
  func everyComplaintIsWordedTheSameWay(_ arguments: [String]) throws {
    let folder = try ScratchFolder()
    try Data().write(to: folder.url.appendingPathComponent("empty"))
    try Data("no capture\n".utf8).write(to: folder.url.appendingPathComponent("text"))
    _ = try RecordStore(path: folder.path("store.db"))
    let given = arguments.map { $0.replacing("FOLDER", with: folder.url.path) }
    let run = try CommandRun(given)
    #expect(run.status != 0)
    let lines = run.complaint.split(separator: "\n")
    #expect(!lines.isEmpty)
    for line in lines { check(String(line), given) }
  }

  /// What is said of adapters and meters stands alone elsewhere, and begins in upper case there.
  @Test(arguments: [
    BluetoothError.missingPermission("scan"), .adapterGone, .noAdapter, .channel(.noSupport, purpose: "scan"),
    .channel(.noAnswer, purpose: "scan"), .channel(.stopped, purpose: "scan"),
  ])
  func anErrorOfTheAdapterBeginsInLowerCase(_ error: BluetoothError) {
    #expect(error.opening.first?.isLowercase == true)
    #expect(error.opening.dropFirst() == error.message.dropFirst())
  }

  @Test func aSentenceBeginsInLowerCaseAndANameAsItIs() {
    #expect(Complaint.opening("The meter is busy.") == "the meter is busy.")
    #expect(Complaint.opening("A meter is busy.") == "a meter is busy.")
    #expect(Complaint.opening("Bluetooth cannot be used.") == "Bluetooth cannot be used.")
    #expect(Complaint.opening("F0:0D:CA:FE:00:01 is busy.") == "F0:0D:CA:FE:00:01 is busy.")
    #expect(Complaint.opening("SMP is over.") == "SMP is over.")
    #expect(Complaint.opening("/nope.db is missing.") == "/nope.db is missing.")
    #expect(Complaint.opening("") == "")
  }

  private func check(_ line: String, _ arguments: [String]) {
    #expect(line.hasPrefix("racpscope: "), "\(line)")
    let message = line.dropFirst("racpscope: ".count)
    // A file keeps its name; what else is given is quoted or follows a word.
    let beginsWithFile = arguments.contains { !$0.isEmpty && message.hasPrefix($0) }
    let beginning = message.first ?? " "
    #expect(beginsWithFile || beginning.isLowercase || "'\"-".contains(beginning), "\(line)")
    // "there is no …" is one thing, "… is no …" another.
    #expect(!line.replacing("there is no ", with: "").contains(" is no ") && !line.contains("There is no"), "\(line)")
    #expect(!line.replacing("...", with: "").contains(".."), "\(line)")
    #expect(line.hasSuffix(".") || line.hasSuffix("?"), "\(line)")
  }
}
