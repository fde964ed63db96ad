import Testing

@testable import LinkTrace

/// The compact containers against plain ones.
@Suite struct CollectionTests {
  @Test(arguments: 0..<8)
  func `a sequence set holds what a set holds`(_ seed: UInt64) {
    var random = RandomNumbers(seed: seed)
    var set = SequenceSet()
    var model: Set<UInt32> = []
    let span: UInt32 = seed % 2 == 0 ? 200 : 5000
    for _ in 0..<1500 {
      let number = UInt32.random(in: 0..<span, using: &random)
      if random.next() % 10 == 0 {
        let range = number...(number + UInt32(random.next() % 8))
        set.insert(range)
        model.formUnion(range)
      } else {
        #expect(set.insert(number) == model.insert(number).inserted)
      }
    }
    #expect(set.count == UInt64(model.count))
    #expect(set.ranges.flatMap(Array.init) == model.sorted())
    #expect(set.minimum == model.min())
    #expect(set.maximum == model.max())
    for number in 0..<span { #expect(set.contains(number) == model.contains(number)) }
    let missing = Set(set.gaps.flatMap(Array.init))
    #expect(missing == Set(model.min()!...model.max()!).subtracting(model))
    for (one, next) in zip(set.ranges, set.ranges.dropFirst()) { #expect(one.upperBound + 1 < next.lowerBound) }
  }

  @Test(arguments: 0..<8)
  func `a union holds both sets`(_ seed: UInt64) {
    var random = RandomNumbers(seed: seed)
    var sets = (SequenceSet(), SequenceSet())
    var model: Set<UInt32> = []
    for _ in 0..<400 {
      let number = UInt32.random(in: 0..<1000, using: &random)
      model.insert(number)
      if random.next() % 2 == 0 { sets.0.insert(number) } else { sets.1.insert(number) }
    }
    sets.0.formUnion(sets.1)
    #expect(sets.0.ranges.flatMap(Array.init) == model.sorted())
    #expect(sets.0.count == UInt64(model.count))
  }

  @Test(arguments: 0..<24)
  func `unions and ranges of every shape hold what a set holds`(_ seed: UInt64) {
    var random = RandomNumbers(seed: seed)
    let span: UInt32 = [60, 600, 6000][Int(seed % 3)]
    var set = SequenceSet()
    var model: Set<UInt32> = []
    for _ in 0..<60 {
      var other = SequenceSet()
      let first = UInt32.random(in: 0..<span, using: &random)
      let width = UInt32.random(in: 1...(span / 4), using: &random)
      for _ in 0..<(random.next() % 40) {
        let number = first + UInt32.random(in: 0..<width, using: &random)
        let range = number...(number + UInt32(random.next() % 4))
        other.insert(range)
        model.formUnion(range)
      }
      set.formUnion(other)
      #expect(set.count == UInt64(model.count))
      #expect(set.ranges.flatMap(Array.init) == model.sorted())
      for (one, next) in zip(set.ranges, set.ranges.dropFirst()) { #expect(one.upperBound + 1 < next.lowerBound) }
      let asked = first...(first + width)
      #expect(set.ranges(overlapping: asked) == set.ranges.filter { $0.overlaps(asked) })
    }
  }

  @Test func `the ends of the number range are numbers like others`() {
    var set = SequenceSet()
    set.insert(.max)
    set.insert(0)
    set.insert(.max - 1)
    #expect(set.ranges == [0...0, (.max - 1)...(.max)])
    set.insert(0...(.max))
    #expect(set.ranges == [0...(.max)])
    var other = SequenceSet()
    other.insert(.max)
    other.formUnion(set)
    #expect(other.ranges == [0...(.max)])
    #expect(other.contains(7))
  }

  @Test(arguments: 0..<6)
  func `the median pause is right to three per cent`(_ seed: UInt64) {
    var random = RandomNumbers(seed: seed)
    var histogram = GapHistogram()
    for count in [1, 2, 51, 2000] {
      var gaps: [Int64] = []
      for _ in 0..<count {
        let gap = Int64.random(in: 0...(Int64(1) << Int64(4 + random.next() % 28)), using: &random)
        gaps.append(gap)
        histogram.add(gap)
      }
      let exact = Double(gaps.sorted()[count / 2])
      #expect(abs(Double(histogram.median) - exact) <= max(1, exact * 0.03))
      histogram.reset()
      #expect(histogram.median == 0)
    }
  }

  @Test func `pauses out of range are counted and do not trap`() {
    var histogram = GapHistogram()
    histogram.add(.min)
    #expect(histogram.median == 0)
    histogram.reset()
    histogram.add(.max)
    #expect(histogram.median > 1 << 42)
  }

  @Test func `a handle index finds what a dictionary finds`() {
    var random = RandomNumbers(seed: 7)
    var index = HandleIndex()
    for round in 0..<3 {
      var model: [UInt32: Int] = [:]
      for _ in 0..<4000 {
        let handle = UInt16(truncatingIfNeeded: round == 0 ? UInt64(model.count) : random.next())
        let key = HandleIndex.key(handle, random.next() % 2 == 0 ? .local : .remote)
        #expect(index.slot(key) == model[key])
        if model[key] == nil {
          index.insert(key, slot: model.count)
          model[key] = model.count
        }
      }
      for (key, slot) in model { #expect(index.slot(key) == slot) }
      index.removeAll()
      #expect(model.keys.allSatisfy { index.slot($0) == nil })
    }
    #expect(index.slot(HandleIndex.key(.max, .remote)) == nil)
  }
}
