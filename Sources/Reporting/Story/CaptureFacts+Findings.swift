import ProtocolLint

extension CaptureFacts {
  /// What the rules say of the capture itself: its container and its clock.
  var findings: [Finding] { CaptureVerdicts(CaptureSubject(notes: notes, frames: frames)).findings }
}
