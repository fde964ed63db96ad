import CommandLineInterface

/// The declaration of the whole tool: parser, help and completion come from here.
let racpscopeTool = CommandLineTool(
  "racpscope",
  version: version,
  summary: "read HCI captures of Bluetooth health devices and tell what became of their stored records",
  examples: [
    Example("racpscope trace.btsnoop", "what happened, on one screen"),
    Example("racpscope lint trace.btsnoop", "what is wrong, and whose fault"),
    Example("racpscope records --format csv trace.btsnoop > readings.csv", "every reading"),
    Example("racpscope sync F0:0D:CA:FE:00:01 --store meters.db", "fetch what a meter holds, the right way"),
  ],
  subcommands: [
    ShowCommand.declaration, RecordsCommand.declaration, PacketsCommand.declaration, GattCommand.declaration,
    LintCommand.declaration, ExplainCommand.declaration, RulesCommand.declaration, CompareCommand.declaration,
    ExtractCommand.declaration, AdaptersCommand.declaration, ScanCommand.declaration, CaptureCommand.declaration,
    SyncCommand.declaration, StoreCommand.declaration, CompletionsCommand.declaration,
  ],
  defaultSubcommand: "show"
)
