import BluetoothWire
import LinkTrace

/// Requests to the sensor that it refused for lack of security.
struct SecurityRefusals {
  /// Indices of the Error Responses.
  var all: [UInt32] = []

  init(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) {
    guard let sensor = subject.sensor else { return }
    for index in subject.exchanges.errors
    where history.pdus[Int(index)].server == sensor && history.errorCode(index).asksForSecurity {
      all.append(index)
    }
  }
}
