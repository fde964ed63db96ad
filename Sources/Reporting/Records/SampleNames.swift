import HealthProfiles

/// The names of sample type and location for every value of their octet, one after the other in one array.
struct SampleNames {
  private var octets: [UInt8] = []
  private var ends: [Int] = [0]

  /// `separator` stands between type and location.
  init(separator: UInt8) {
    for value in UInt8.min...UInt8.max {
      octets += Array(GlucoseSampleType(rawValue: value & 0x0F).name.utf8)
      octets.append(separator)
      octets += Array(GlucoseSampleLocation(rawValue: value >> 4).name.utf8)
      ends.append(octets.count)
    }
  }

  @inline(__always) func write(_ value: UInt8, to row: inout RowWriter) {
    row.put(octets, ends[Int(value)]..<ends[Int(value) + 1])
  }
}
