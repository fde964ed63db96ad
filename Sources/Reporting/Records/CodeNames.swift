import BluetoothWire
import HealthProfiles

/// The names of every value of the coded octets of a record, in one table of equal cells.
///
/// A cell has 64 octets: the name, and how long it is in the last.
struct CodeNames {
  private var cells: [UInt8] = []
  private static let width = 64

  /// The parts of the table, by the number of their first cell.
  enum Part: Int {
    /// Type and Sample Location in one octet; with the separator given.
    case sample = 0
    /// Tester and Health in one octet; with the separator given.
    case condition = 256
    case carbohydrate = 512
    case meal = 768
    case medication = 1_024
    /// The bits of the Sensor Status Annunciation.
    case status = 1_280
  }

  /// No names: making them costs more than a short report does.
  init() {}

  var isEmpty: Bool { cells.isEmpty }

  /// `location` stands between type and location, `health` between tester and health.
  init(location: String, health: String) {
    cells.reserveCapacity((Part.status.rawValue + 16) * Self.width)
    let values = UInt8.min...UInt8.max
    for value in values {
      add(GlucoseSampleType(rawValue: value & 15).name + location + GlucoseSampleLocation(rawValue: value >> 4).name)
    }
    for value in values {
      add(Tester(rawValue: value & 15).name + health + HealthCondition(rawValue: value >> 4).name)
    }
    for value in values { add(CarbohydrateIdentifier(rawValue: value).name) }
    for value in values { add(Meal(rawValue: value).name) }
    for value in values { add(MedicationIdentifier(rawValue: value).name) }
    for bit in 0..<16 { add(SensorStatusAnnunciation.name(ofBit: bit)) }
  }

  private mutating func add(_ name: String) {
    let octets = name.utf8.prefix(Self.width - 1)
    cells += octets
    cells.append(contentsOf: repeatElement(0, count: Self.width - 1 - octets.count))
    cells.append(UInt8(octets.count))
  }

  /// Writes a name.
  @inline(__always) func write(_ part: Part, _ value: UInt8, to row: inout RowWriter) {
    let cell = unsafe cells.span.bytes.part((part.rawValue + Int(value)) * Self.width, Self.width)
    let name = unsafe cell.unsafeLoadUnaligned(fromByteOffset: 0, as: SIMD64<UInt8>.self)
    row.put(name, length: Int(cell.u8(at: Self.width - 1)))
  }
}
