import Foundation
import Testing

/// `--join` makes one capture of several files.
@Suite struct JoinedFilesTests {
  private static let files = ["samples/bonded-reconnect.btsnoop", "samples/first-sync.btsnoop"]

  private func frames(_ output: String) -> [Int] {
    output.split(separator: "\n").compactMap { Int($0.prefix(7).trimmingCharacters(in: .whitespaces)) }
  }

  @Test func frameNumbersCountOn() throws {
    let joined = try CommandRun(["packets", "--utc", "--join"] + Self.files)
    let apart = try CommandRun(["packets", "--utc"] + Self.files)
    #expect(joined.status == 0 && apart.status == 0)
    let numbers = frames(joined.output)
    #expect(numbers == Array(1...numbers.count))
    #expect(numbers.count == frames(apart.output).count)
    #expect(frames(apart.output).filter { $0 == 1 }.count == 2)
  }

  @Test func framesAreChosenThroughTheFiles() throws {
    let all = frames(try CommandRun(["packets", "--join"] + Self.files).output).count
    let run = try CommandRun(["packets", "--join", "--frames", "\(all - 2)-"] + Self.files)
    #expect(frames(run.output) == [all - 2, all - 1, all])
  }

  @Test func recordsAreThoseOfTheFiles() throws {
    let joined = try CommandRun(["records", "--utc", "--format", "csv", "--join"] + Self.files)
    #expect(joined.status == 0)
    let rows = joined.output.split(separator: "\r\n").count + joined.output.split(separator: "\n").count
    let apart = try CommandRun(["records", "--utc", "--format", "csv"] + Self.files)
    #expect(apart.output.split(separator: "\r\n").count + apart.output.split(separator: "\n").count == rows)
  }

  @Test func aRecordIsOfTheFileThatHoldsItsFrame() throws {
    let joined = try CommandRun(["records", "--utc", "--format", "csv", "--join"] + Self.files.reversed())
    let apart = try CommandRun(["records", "--utc", "--format", "csv"] + Self.files)
    func files(_ output: String) -> [String: Int] {
      let rows = output.split(whereSeparator: \.isNewline).dropFirst()
      let names = rows.map { String($0.split(separator: ",", omittingEmptySubsequences: false)[3]) }
      return Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    }
    #expect(files(joined.output) == files(apart.output))
    #expect(files(joined.output).count == 2)
  }

  @Test func theHelpSaysSo() throws {
    for command in ["show", "records", "packets", "gatt"] {
      let help = try CommandRun([command, "--help"]).output
      #expect(help.contains("--join"))
      #expect(help.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains("frame numbers count on"))
    }
  }
}
