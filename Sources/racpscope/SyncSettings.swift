import BluetoothWire
import CommandLineInterface
import Glibc
import LinuxBluetooth
import RecordCollector
import Reporting

/// What `sync` was asked to do.
struct SyncSettings {
  /// The address as it was given; random or public is settled later where `hasType` is false.
  var address: DeviceAddress
  var hasType: Bool
  var store: String
  var save: String?
  var adapter: String?
  var plan: CollectorPlan
  var passkey: Prompt.Source
  var isRepair: Bool
  var isConfirmed: Bool
  var isJSON: Bool
  /// Further links that are tried after one was lost.
  var retries: UInt32

  static let adapter = Option("--adapter", value: .value("HCI"), summary: "the adapter, such as hci1")

  static let options: [Option] = [
    Option("--store", value: .file("FILE"), summary: "where the records are kept; made where there is none"),
    Option("--save", value: .file("FILE"), summary: "record the HCI traffic of the sync, keys as zeros"),
    adapter,
    Option("--all", summary: "ask for every record, whatever is held; identity drops what is known"),
    Option("--range", value: .value("A-B"), summary: "ask for these sequence numbers only"),
    Option("--count", summary: "ask for the number first, so that progress has a total"),
    Option(
      "--passkey",
      value: .value("N"),
      summary: "the six digits the meter shows; others on this machine can see it"
    ),
    Option("--passkey-fd", value: .value("N"), summary: "read the passkey from this file descriptor"),
    Option("--repair", summary: "forget the bond with the meter and pair again"),
    Option("--allow-unencrypted", summary: "go on with a meter that does not encrypt"),
    Option("--delete-after-sync", summary: "delete from the meter what was stored, after a confirmation"),
    Option("--yes", summary: "answer yes to the questions of --repair and --delete-after-sync"),
    Option(
      "--address-type",
      value: .choice("TYPE", ["public", "random"]),
      summary: "where neither the store nor a scan can tell"
    ),
    Option("--retries", value: .value("N"), defaultValue: "4", summary: "further tries when the link is lost"),
    SharedOptions.format(["text", "json"], "how to write the result"),
  ]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let text = arguments.positionals.first ?? ""
    guard var address = DeviceAddress(text: text) else {
      throw UsageError(
        "'\(text)' is not a device address",
        hint: "write it as F0:0D:CA:FE:00:01; 'racpscope scan' lists what is in range"
      )
    }
    let type = arguments.value("--address-type")
    hasType = type != nil
    // Static and resolvable random addresses begin with two bits that public ones seldom have.
    address.isRandom = type.map { $0 == "random" } ?? (address.value >> 46 & 1 == 1)
    self.address = address
    guard let store = arguments.value("--store") else {
      throw UsageError(
        "sync needs a store for the records",
        hint: "name a file with --store; it is made where there is none"
      )
    }
    self.store = store
    save = arguments.value("--save")
    adapter = arguments.value("--adapter")
    plan = try Self.plan(arguments)
    passkey = try Self.passkey(arguments)
    isRepair = arguments.flag("--repair")
    isConfirmed = arguments.flag("--yes")
    isJSON = arguments.value("--format") == "json"
    retries = min(try arguments.number("--retries") ?? 4, 1000)
  }

  private static func plan(_ arguments: ParsedArguments) throws(UsageError) -> CollectorPlan {
    var plan = CollectorPlan()
    if let range = try arguments.range("--range") {
      guard !arguments.flag("--all") else {
        throw UsageError("--all and --range exclude each other", hint: "give one of them")
      }
      guard let first = UInt16(exactly: range.lowerBound) else {
        throw UsageError("sequence numbers end at 65535", hint: "write a range such as 10-200")
      }
      plan.selection = .range(first...UInt16(clamping: range.upperBound))
    } else if arguments.flag("--all") {
      plan.selection = .all
    }
    plan.countFirst = arguments.flag("--count")
    plan.allowUnencrypted = arguments.flag("--allow-unencrypted")
    plan.hostCountsDrops = true
    plan.deleteAfterSync = arguments.flag("--delete-after-sync")
    return plan
  }

  private static func passkey(_ arguments: ParsedArguments) throws(UsageError) -> Prompt.Source {
    if let text = arguments.value("--passkey") {
      guard arguments.value("--passkey-fd") == nil else {
        throw UsageError("--passkey and --passkey-fd exclude each other", hint: "give one of them")
      }
      guard let number = parseNumber(text), number <= 999_999, text.utf8.count <= 6 else {
        throw UsageError("'\(text)' is not a passkey", hint: "write the six digits the meter shows")
      }
      return .given(text)
    }
    if let descriptor = try arguments.number("--passkey-fd") {
      let number = Int32(clamping: descriptor)
      guard fcntl(number, F_GETFD) >= 0 else {
        throw UsageError("file descriptor \(number) is not open", hint: "open it in the shell: --passkey-fd 3 3<FILE")
      }
      return .descriptor(number)
    }
    return SyncTerminal.source
  }

  /// What the user can enter and see, as pairing is told.
  var capability: InputOutputCapability {
    switch passkey {
    case .nobody: .none
    case .given, .descriptor: .keyboardOnly
    case .terminal: .keyboardDisplay
    }
  }
}
