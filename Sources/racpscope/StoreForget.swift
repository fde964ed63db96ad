import BluetoothWire
import RecordCollector
import RecordStore
import Reporting

/// Removes a meter from a store, after asking.
struct StoreForget {
  private let settings: StoreSettings

  init(_ settings: StoreSettings) { self.settings = settings }

  func run(_ devices: [StoredDevice], in store: RecordStore) throws(StoreError) -> ExitStatus {
    guard let device = devices.first, devices.count == 1 else {
      Complaint.write(
        "\"\(settings.device ?? "")\" means more than one meter, and one is forgotten at a time",
        hint: StoreSettings.hint(devices)
      )
      return .usage
    }
    let lock = try store.lock(device.address, command: "racpscope store forget")
    guard settings.isConfirmed || isConfirmed(device, store.name) else {
      Complaint.write("nothing was forgotten", hint: "type the address, or use --yes")
      return .findings
    }
    try store.forget(device.address, holding: lock)
    var output = OutputBuffer(descriptor: 1)
    output.append("\(device.address) is forgotten: \(Self.contents(device)).\n")
    return Destination.standardOutput.end(output)
  }

  /// Asks on stderr for the address.
  private func isConfirmed(_ device: StoredDevice, _ store: String) -> Bool {
    var question = OutputBuffer(descriptor: 2)
    let name = device.identity.name.map { " (\(TextEscaping.terminal($0)))" } ?? ""
    question.append(
      "This removes \(device.address)\(name) from \(TextEscaping.terminal(store)): \(Self.contents(device)), and its bond.\n"
    )
    question.append("What the meter has deleted meanwhile cannot be fetched again.\nType its address to go on: ")
    question.flush()
    let answer = readLine()?.filter { $0 != " " }.uppercased()
    return answer == device.address.description
  }

  private static func contents(_ device: StoredDevice) -> String {
    let records = device.recordCount == 1 ? "1 record" : "\(device.recordCount) records"
    return records + " and " + (device.runs == 1 ? "1 run" : "\(device.runs) runs")
  }
}
