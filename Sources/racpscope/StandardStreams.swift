import Glibc

/// Keeps the numbers of the standard streams taken.
enum StandardStreams {
  /// A stream that was closed before the start is opened on nothing, so that no file of the program takes its number
  /// and gets what is meant for the stream; writing to it still fails.
  static func hold() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      _ = unsafe open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }
}
