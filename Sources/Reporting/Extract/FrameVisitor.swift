import BluetoothWire
import CaptureFiles

/// Takes every frame of a capture in file order.
protocol FrameVisitor {
  /// `drops` is how many packets the logger had lost when it wrote the frame.
  mutating func visit(_ frame: CapturedFrame, _ bytes: RawSpan, drops: UInt64)
}

extension FrameVisitor {
  /// Walks captures one after the other, frame numbers counting on.
  mutating func walk(_ sources: [CaptureSource]) throws(ExtractError) {
    guard let first = sources.first else { throw ExtractError("There is no capture to extract from.") }
    do throws(CaptureError) {
      var reader = try CaptureReader.open(first)
      visitAll(&reader)
      for source in sources.dropFirst() {
        try reader.continue(with: source)
        visitAll(&reader)
      }
    } catch {
      throw ExtractError(error)
    }
  }

  private mutating func visitAll(_ reader: inout CaptureReader) {
    while let frame = reader.next() { visit(frame, reader.bytes(of: frame), drops: reader.drops) }
  }
}
