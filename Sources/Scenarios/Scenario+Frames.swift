public import CaptureFiles

extension Scenario {
  /// The frames of the rendering, also those its format cannot carry.
  public func frames(_ rendering: Rendering = Rendering()) -> [RenderedFrame] {
    var renderer = Renderer(self, rendering)
    renderer.perform(steps)
    return rendering.cut(renderer.takeFrames())
  }

  /// The capture file of the rendering; a format without adapter indexes holds its first adapter only.
  public func capture(_ rendering: Rendering = Rendering()) -> [UInt8] { written(rendering).finish() }

  /// Writes the capture file of the rendering, replacing what is there.
  public func write(_ rendering: Rendering = Rendering(), to path: String) throws(CaptureError) {
    try written(rendering).finish(to: path)
  }

  private func written(_ rendering: Rendering) -> CaptureWriter {
    var writer = CaptureWriter(format: rendering.format)
    let hasAdapters = rendering.format.hasAdapters
    for frame in frames(rendering) where hasAdapters || frame.adapter == rendering.adapter || frame.kind == .text {
      writer.write(frame)
    }
    return writer
  }
}

extension WritableFormat {
  /// True where a record names its adapter; the other formats are the capture of one adapter, the rendering's.
  var hasAdapters: Bool {
    switch self {
    case .btsnoop(.monitor), .pcap(.monitor, _, _): true
    case .btsnoop, .pcap, .pcapng, .packetLogger: false
    }
  }
}

extension CaptureWriter {
  mutating func write(_ frame: RenderedFrame) {
    drops = frame.drops
    write(
      kind: frame.kind,
      adapter: frame.adapter,
      time: frame.time,
      octets: frame.octets,
      originalLength: frame.originalLength
    )
  }
}

extension Rendering {
  /// What the logger kept of the frames.
  func cut(_ frames: [RenderedFrame]) -> [RenderedFrame] {
    var kept: [RenderedFrame] = []
    var drops: UInt32 = 0
    for (index, frame) in frames.enumerated() {
      if lost.contains(index + 1) {
        drops &+= 1
        continue
      }
      guard index >= cutFirst else { continue }
      if let keepFirst, index >= cutFirst + keepFirst { break }
      var frame = frame
      frame.drops &+= drops
      shorten(&frame)
      kept.append(frame)
    }
    return kept
  }

  private func shorten(_ frame: inout RenderedFrame) {
    guard let clip, frame.kind == .aclSent || frame.kind == .aclReceived, frame.octets.count > clip.keptOctets else {
      return
    }
    let isContinuation = frame.octets[1] >> 4 & 3 == 1
    if isContinuation && !clip.cutsContinuations { return }
    frame.octets.removeSubrange(clip.keptOctets...)
  }
}
