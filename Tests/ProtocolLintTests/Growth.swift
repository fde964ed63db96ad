/// How long something takes for `large` against `small`: the square of their ratio tells a cost that grows with the square
/// of its input from a linear one by far more than a busy machine makes up for.
func growth(from small: () throws -> Void, to large: () throws -> Void) rethrows -> Double {
  let clock = ContinuousClock()
  // The shortest of several: what else the machine does only adds.
  var base = try clock.measure(small)
  for _ in 0..<3 { base = min(base, try clock.measure(small)) }
  let cost = min(try clock.measure(large), try clock.measure(large))
  return cost / max(base, .microseconds(1))
}
