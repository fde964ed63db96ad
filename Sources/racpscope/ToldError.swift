import CaptureFiles
import CommandLineInterface
import LinuxBluetooth
import RecordStore
import Reporting

/// An error that is told in one line: what is wrong, and what to do about it.
protocol ToldError: Error {
  /// What is wrong; a full stop is added where it has none.
  var message: String { get }
  /// What to do about it; empty where there is nothing to add.
  var hint: String { get }
  /// The message as it stands after the program's name: in lower case, unless it begins with a name.
  var opening: String { get }
}

extension ToldError {
  var opening: String { message }
}

extension UsageError: ToldError {}
extension CaptureError: ToldError {}
extension ExtractError: ToldError {}
extension StoreError: ToldError {}

extension BluetoothError: ToldError {
  /// Its sentence stands alone too, and begins in upper case.
  var opening: String { Complaint.opening(message) }
}
