import Glibc
import LinuxBluetooth
import Testing

@Suite struct PromptTests {
  private func pipe(_ text: String, closes: Bool) -> Int32 {
    var ends: [Int32] = [0, 0]
    _ = Glibc.pipe(&ends)
    _ = text.withCString { write(ends[1], $0, strlen($0)) }
    if closes { close(ends[1]) }
    return ends[0]
  }

  @Test func whatIsKnownIsTheReply() {
    var prompt = Prompt(.given("123456"))
    #expect(prompt.ask("?") == .line("123456"))
    #expect(prompt.descriptor == -1)
  }

  @Test func nobodyGivesNoReply() {
    var prompt = Prompt(.nobody)
    #expect(prompt.ask("?") == .none)
  }

  @Test func aLineOfADescriptorIsKeptForTheNextLink() {
    let descriptor = pipe("000042\n", closes: true)
    defer { close(descriptor) }
    var prompt = Prompt(.descriptor(descriptor))
    #expect(prompt.ask("?") == .pending)
    #expect(prompt.descriptor == descriptor)
    #expect(prompt.read() == .line("000042"))
    #expect(prompt.ask("?") == .line("000042"))
  }

  @Test func aLastLineNeedsNoLineFeed() {
    let descriptor = pipe("42", closes: true)
    defer { close(descriptor) }
    var prompt = Prompt(.descriptor(descriptor))
    _ = prompt.ask("?")
    #expect(prompt.read() == .pending)
    #expect(prompt.read() == .line("42"))
  }

  @Test func aClosedDescriptorIsNobody() {
    let descriptor = pipe("", closes: true)
    defer { close(descriptor) }
    var prompt = Prompt(.descriptor(descriptor))
    _ = prompt.ask("?")
    #expect(prompt.read() == .none)
    #expect(!prompt.canAnswer)
  }

  @Test func anEndlessLineIsNoReply() {
    let descriptor = pipe(String(repeating: "1", count: 2000), closes: true)
    defer { close(descriptor) }
    var prompt = Prompt(.descriptor(descriptor))
    _ = prompt.ask("?")
    #expect(prompt.read() == .pending)
    #expect(prompt.read() == .none)
  }
}
