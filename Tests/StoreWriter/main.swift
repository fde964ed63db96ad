import BluetoothWire
import Glibc
import HealthProfiles
import RecordCollector
import RecordStore

// Writes into a store as a sync does, for tests that kill it, starve it of disk, or race it, and for the benchmark.
//
//   store-writer commit STORE BATCHES RECORDS    commits batches of so many records; a line for each that is durable
//   store-writer limited STORE OCTETS RECORDS    the same with no file longer than OCTETS, until a commit fails
//   store-writer hold STORE ADDRESS              holds the lock of a meter until standard input ends
//   store-writer measure STORE RECORDS           how many records a second go into one transaction, 65,536 at most

do {
  let arguments = Arguments(CommandLine.arguments)
  switch arguments.word(1) {
  case "commit": try BatchWriter(arguments.word(2)).commit(arguments.number(3), of: arguments.number(4))
  case "limited": try BatchWriter.fill(arguments.word(2), limit: arguments.number(3), records: arguments.number(4))
  case "hold": try Holder.hold(arguments.word(2), arguments.word(3))
  case "measure": try Measurement.run(arguments.word(2), records: arguments.number(3))
  default: exit(2)
  }
} catch {
  Output.line("error \(error.kind): \(error.message)")
  exit(1)
}
