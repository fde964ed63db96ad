import CommandLineInterface

/// `racpscope sync`: fetches what a meter has stored, and never again what is held.
enum SyncCommand {
  static let declaration = Subcommand(
    "sync",
    summary: "fetch a meter's stored records into a store, without losing or doubling one",
    examples: [
      Example("racpscope sync F0:0D:CA:FE:00:01 --store meters.db", "all records the first time, the new ones later"),
      Example("racpscope sync F0:0D:CA:FE:00:01 --store meters.db --save sync.btsnoop", "and record the traffic"),
      Example("racpscope sync F0:0D:CA:FE:00:01 --store meters.db --passkey 123456", "pair with the number it shows"),
      Example("racpscope sync F0:0D:CA:FE:00:01 --store meters.db --repair", "after the meter was reset"),
      Example("racpscope sync F0:0D:CA:FE:00:01 --store meters.db --format json", "the result for a script"),
    ],
    positional: Positional(
      "ADDRESS",
      minimum: 1,
      maximum: 1,
      kind: .text,
      summary: "the meter's address, as 'scan' shows it"
    ),
    options: SyncSettings.options,
    details: [
      "Works without bluetoothd, and with it: then bluetoothd's bond is used, and pairing is done in bluetoothctl. "
        + "Without bluetoothd the store keeps the bond.",
      "The first Ctrl-C ends the transfer in good order, nothing of it stored; the second ends it at once.",
      "Exit status: 0 everything is stored (also when nothing was new), 1 partial or failed with nothing lost, "
        + "2 wrong usage, 3 no permission or no adapter, 4 pairing, 5 the meter, the adapter or the store is in use.",
    ]
  )

  static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitStatus {
    var session = SyncSession(try SyncSettings(arguments))
    return session.run()
  }
}
