import Glibc
import LinuxBluetooth

/// The terminal of the process, for questions.
enum SyncTerminal {
  /// Nobody where stdin or stderr is no terminal: a script must not be asked.
  static var source: Prompt.Source {
    guard isatty(0) == 1, isatty(2) == 1 else { return .nobody }
    let descriptor = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    return descriptor >= 0 ? .terminal(descriptor) : .nobody
  }

  /// Asks and waits for a line; nil where nobody answers or the user stops.
  static func ask(_ question: String, _ loop: inout EventLoop) -> String? {
    var prompt = Prompt(source)
    var reply = prompt.ask(question)
    while reply == .pending {
      let isReady = loop.wait([EventLoop.Interest(prompt.descriptor)], until: nil)[0]
      if loop.isStopped { return nil }
      if isReady { reply = prompt.read() }
    }
    if case .line(let text) = reply { return text }
    return nil
  }
}
