import Testing

@testable import LinuxBluetooth

@Suite struct ControlChannelTests {
  @Test func theAnswerIsTakenAndEventsBeforeItAreKept() throws {
    let kernel = FakeKernel()
    var loop = EventLoop(catchesSignals: false)
    kernel.tell(0x0006, [1, 0, 0, 0])
    kernel.tell(0x0001, [0x05, 0, 0, 1, 0, 0, 0])
    let answer = try kernel.control.perform(.setPowered(true), adapter: 0, &loop)
    #expect(answer.status == .success)
    #expect(answer.parameters == [1, 0, 0, 0])
    #expect(kernel.heard().map(\.code) == [0x0005])
    #expect(kernel.control.hasWaitingEvent)
    #expect(try kernel.control.next()?.event == .newSettings(.powered))
    #expect(try kernel.control.next() == nil)
  }

  @Test func theAnswerToAnotherCommandIsNotTaken() throws {
    let kernel = FakeKernel()
    var loop = EventLoop(catchesSignals: false)
    kernel.tell(0x0002, [0x23, 0, 0x0A])
    kernel.tell(0x0002, [0x05, 0, 0x14])
    let answer = try kernel.control.perform(.setPowered(true), adapter: 0, &loop)
    #expect(answer.status == .permissionDenied)
  }
}
