import CaptureFiles
import LinuxBluetooth
import Reporting

/// Writes recorded traffic to a file, and tells it where somebody wants to hear.
final class SyncTraffic: MonitorConsumer {
  private var file: LiveCaptureFile?
  private var story: LiveStory?
  private var last: CapturedFrame?
  private var count: UInt32 = 0

  init(file: LiveCaptureFile?, story: LiveStory? = nil) {
    self.file = file
    self.story = story
  }

  func take(_ frame: CapturedFrame, _ octets: [UInt8]) {
    var frame = frame
    if file != nil {
      guard file?.write(frame, octets) == true else { return }
    }
    // The numbers in the story are those of the file.
    count += 1
    frame.number = count
    last = frame
    story?.take(frame, octets)
  }

  func flush(lost: UInt32) {
    file?.flush(lost: lost)
    if let last { story?.note(lost: lost, before: last) }
  }

  /// Why the file cannot be written; nil while all is well.
  var failure: String? { file?.failure }

  /// False once the file cannot be written, or nobody reads the story.
  var isWanted: Bool { failure == nil && (story?.isOpen ?? true) }

  func look() { story?.look() }

  func finish(name: String) -> OutputBuffer? {
    file?.close()
    return story?.finish(file: name)
  }
}
