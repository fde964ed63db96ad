import BluetoothWire
import Glibc
import LinuxBluetooth
import RecordCollector
import RecordStore

// sync-child STORE DESCRIPTOR: one sync over an inherited socket, to be killed at any moment.
// Exit status: 0 everything is stored, 1 it is not, 2 wrong usage or no store.

func synchronise() -> Int32 {
  let words = CommandLine.arguments
  guard words.count == 3, let descriptor = Int32(words[2]) else { return 2 }
  do {
    let run = try CollectorDriver<PlainBearer, RecordStore, SilentObserver>.run(
      descriptor: descriptor,
      meter: DeviceAddress(value: 0xF00D_CAFE_0001, isRandom: true),
      store: RecordStore(path: words[1]),
      observer: SilentObserver()
    )
    return run.outcome.isComplete ? 0 : 1
  } catch {
    return 2
  }
}

exit(synchronise())
