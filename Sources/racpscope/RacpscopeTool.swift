import CommandLineInterface

/// The declaration of the whole tool: parser, help and completion come from here.
let racpscopeTool = CommandLineTool(
  "racpscope",
  version: version,
  summary: "read HCI captures of Bluetooth health devices and tell what became of their stored records",
  examples: [
    Example("racpscope trace.btsnoop", "what happened, on one screen"),
    Example("racpscope records --format csv trace.btsnoop > readings.csv", "every reading"),
  ],
  subcommands: [
    ShowCommand.declaration, RecordsCommand.declaration, PacketsCommand.declaration, GattCommand.declaration,
    ExtractCommand.declaration, CompletionsCommand.declaration,
  ],
  defaultSubcommand: "show"
)
