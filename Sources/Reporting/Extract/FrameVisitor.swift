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
    do throws(CaptureError) {
      try JoinedCaptures.read(
        sources,
        piece: { reader in
          while let frame = reader.next() { visit(frame, reader.bytes(of: frame), drops: reader.drops) }
          return true
        }
      )
    } catch {
      throw ExtractError(error)
    }
  }
}
