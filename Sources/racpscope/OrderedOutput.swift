import Reporting

/// Lets stories be written side by side while what they write stays in the order of the input.
///
/// The first story writes straight to the destination, each other one into an unnamed file that is appended in its
/// turn; where no file can be made, memory takes its place.
enum OrderedOutput {
  /// What the work on one story leaves.
  struct Written<Result: Sendable>: Sendable {
    var output: OutputBuffer
    var result: Result
  }

  /// Runs `work` for each story and gives the results in order, together with the output after the last.
  ///
  /// - Parameters:
  ///   - groups: the stories by index; those of one group follow each other and share their state.
  ///   - areParted: puts an empty line before what was kept aside where something stands before it.
  static func write<State: Sendable, Result: Sendable>(
    _ groups: [[Int]],
    to output: OutputBuffer,
    areParted: Bool = false,
    state: @escaping @Sendable (_ group: Int) -> State,
    work: @escaping @Sendable (inout State, _ index: Int, OutputBuffer) -> Written<Result>,
    take: (_ index: Int, Result) -> Void
  ) -> OutputBuffer {
    var output = output
    guard groups.count > 1 else {
      var own = state(0)
      for index in groups.first ?? [] where output.isOpen {
        let written = work(&own, index, output)
        output = written.output
        take(index, written.result)
      }
      return output
    }
    let straight = output
    ParallelStories.each(groups) { group in
      state(group)
    } work: { own, index in
      // The first is in nobody's way.
      if index == 0 { return (written: work(&own, 0, straight), aside: UnnamedFile?.none) }
      let aside = UnnamedFile.open()
      var written = work(&own, index, aside.map { OutputBuffer(descriptor: $0.descriptor) } ?? OutputBuffer())
      written.output.flush()
      return (written, aside)
    } take: { index, turn in
      if index == 0 {
        output = turn.written.output
      } else if let reason = turn.written.output.failure {
        output.abandon(reason)
      } else if turn.written.output.count > 0 {
        if areParted && output.count > 0 { output.newline() }
        if let aside = turn.aside { aside.append(to: &output) } else { output.append(turn.written.output.octets) }
      }
      take(index, turn.written.result)
      return output.isOpen
    }
    return output
  }
}
