/// How long something takes against something else of the same size: a cost that grows with the square of its input is
/// told from a linear one by a factor of a hundred, which no busy machine makes up for.
func effort(of work: () -> Void, against measure: () -> Void) -> Double {
  let clock = ContinuousClock()
  // The shorter of two: what else the machine does only adds.
  let base = min(clock.measure(measure), clock.measure(measure))
  let cost = min(clock.measure(work), clock.measure(work))
  return cost / max(base, .microseconds(1))
}
