import HealthProfiles

/// Stands other numbers in the place of measured ones: of the same unit, exponent, sign and number of digits, on the
/// same side of every bound of plausibility, the same for the same and different for different ones.
struct ValueScrambler {
  private let key: RedactionKey
  /// For each size its replacement, by scale and exponent.
  private var tables: [UInt8: [UInt16]] = [:]

  /// What a number counts.
  enum Scale: UInt8 {
    case kilogramsPerLitre, molesPerLitre, plain, seconds
  }

  /// A list of the context a record has (GLS 3.2): its name for the key, and how many codes of it are defined.
  enum Code: UInt8 {
    case carbohydrate, meal, tester, health, medication

    var count: UInt8 {
      switch self {
      case .carbohydrate: 7
      case .meal, .health, .medication: 5
      case .tester: 3
      }
    }
  }

  /// The largest mantissa that is no special value under any exponent and sign.
  private static let largestMantissa: UInt16 = 2045

  init(_ key: RedactionKey) { self.key = key }

  /// A medical float; special values and zero stay.
  mutating func float(_ word: UInt16, _ scale: Scale) -> UInt16 {
    let float = MedicalFloat16(word: word)
    let size = abs(float.mantissa)
    guard float.special == nil, size >= 1, size <= Int(Self.largestMantissa) else { return word }
    let exponent = float.exponent
    let replacement = Int(replace(UInt16(size), scale, exponent))
    let mantissa = float.mantissa < 0 ? -replacement : replacement
    return word & 0xF000 | UInt16(truncatingIfNeeded: mantissa) & 0x0FFF
  }

  /// A duration; none and the largest, which stands for "or longer", stay.
  mutating func seconds(_ value: UInt16) -> UInt16 {
    value == 0 || value == .max ? value : replace(value, .seconds, 0)
  }

  /// A percentage; zero and what is above 100 stay.
  mutating func percent(_ value: UInt8) -> UInt8 {
    guard value >= 1, value <= 99 else { return value }
    return UInt8(truncatingIfNeeded: replace(UInt16(value), .plain, 0))
  }

  /// Another code of the same list; what is reserved, or says that nothing is known, stays.
  func code(_ value: UInt8, of list: Code) -> UInt8 {
    guard value >= 1, value <= list.count else { return value }
    var order = Array(1...list.count)
    // Beyond every name of a table of sizes.
    let name = 0x40 | list.rawValue
    for last in stride(from: order.count - 1, to: 0, by: -1) {
      order.swapAt(last, Int(key.word(.table, [name], counter: UInt64(last)) % UInt64(last)))
    }
    return order[Int(value) - 1]
  }

  private mutating func replace(_ size: UInt16, _ scale: Scale, _ exponent: Int) -> UInt16 {
    let name = scale.rawValue << 4 | UInt8(truncatingIfNeeded: exponent & 15)
    if let table = tables[name] { return table[Int(size)] }
    let table = makeTable(scale, exponent, name)
    tables[name] = table
    return table[Int(size)]
  }

  /// One cycle through each class (Sattolo): no number of a class with others stays what it was.
  private func makeTable(_ scale: Scale, _ exponent: Int, _ name: UInt8) -> [UInt16] {
    let largest = scale == .seconds ? UInt16.max - 1 : Self.largestMantissa
    var table = Array(0...largest)
    var classes: [Int: [UInt16]] = [:]
    for size in 1...largest { classes[Self.classOf(Int64(size), scale, exponent), default: []].append(size) }
    var counter: UInt64 = 0
    for members in classes.values where members.count > 1 {
      var order = members
      counter = UInt64(members[0])
      for last in stride(from: order.count - 1, to: 0, by: -1) {
        counter += 0x1_0000
        order.swapAt(last, Int(key.word(.table, [name], counter: counter) % UInt64(last)))
      }
      for (from, to) in zip(members, order) { table[Int(from)] = to }
    }
    return table
  }

  /// Digits, and the bounds below, in or above which a concentration is plausible (field rule VAL-002).
  private static func classOf(_ size: Int64, _ scale: Scale, _ exponent: Int) -> Int {
    let digits = String(size).utf8.count
    guard scale == .kilogramsPerLitre || scale == .molesPerLitre else { return digits }
    // In units of 10^-8 of kg/L or mol/L.
    var amount = size
    for _ in 0..<(exponent + 8) { amount *= 10 }
    let lower: [Int64] = scale == .kilogramsPerLitre ? [1_000, 20_000] : [6_000, 110_000]
    let upper: [Int64] = scale == .kilogramsPerLitre ? [600_000, 1_000_000] : [3_330_000, 6_000_000]
    return digits * 16 + lower.filter { amount >= $0 }.count + upper.filter { amount > $0 }.count
  }
}
