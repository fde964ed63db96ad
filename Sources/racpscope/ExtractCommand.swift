import CaptureFiles
import CommandLineInterface
import Reporting

/// `racpscope extract`: the part of a capture that matters, to send to a vendor.
enum ExtractCommand {
  static let declaration = Subcommand(
    "extract",
    summary: "cut out the links that matter, redacted if asked",
    examples: [
      Example("racpscope extract --device GM-1 --redact -o small.btsnoop bugreport.zip", "one meter, fit to be sent"),
      Example("racpscope extract --link 3 -o link3.btsnoop trace.btsnoop", "one link as it is"),
    ],
    positional: SharedOptions.files,
    options: [
      SharedOptions.device,
      Option("--link", value: .value("N"), repeated: true, summary: "the link with this number; may be given again"),
      Option(
        "--redact",
        summary: "replace addresses and names, drop keys and text, move times, scramble values; verdicts stay the same"
      ),
      Option("--output", short: "-o", value: .file("FILE"), summary: "the btsnoop file to write (required)"),
    ],
    details: [
      "Several files are read as one capture, in the order of their time.",
      "Redaction moves every time by one secret distance, so that neither day nor time of day is kept. Names, serial numbers"
        + " and the revisions of software and hardware become other text of the same length; maker, model and firmware"
        + " revision stay, for they decide what a vendor can tell.",
      "'racpscope show' prints the numbers of links and the addresses and names of devices.",
    ]
  )

  static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitStatus {
    guard let path = arguments.value("--output") else {
      throw UsageError("extract needs a file to write", hint: "name it with -o small.btsnoop")
    }
    if path == "-" {
      throw UsageError("an extract is not written to stdout", hint: "name a file with -o small.btsnoop")
    }
    if arguments.positionals.contains(where: { SameFile.isSame($0, path) }) {
      throw UsageError("the extract would overwrite its own input", hint: "name another file with -o")
    }
    let selection = try selection(arguments)
    let inputs = InputStories(arguments.positionals, join: true)
    for error in inputs.errors { Complaint.write(error) }
    guard let sources = inputs.stories.first, inputs.errors.isEmpty else { return .usage }
    do throws(ExtractError) {
      let key = arguments.flag("--redact") ? RedactionKey() : nil
      let extract = try CaptureExtract(sources, selection, redactingWith: key)
      do throws(CaptureError) {
        try extract.write(to: path)
      } catch {
        throw ExtractError(error)
      }
      report(extract, path)
      return .done
    } catch {
      Complaint.write(error)
      return .usage
    }
  }

  private static func selection(_ arguments: ParsedArguments) throws(UsageError) -> ExtractSelection {
    var links: [UInt32] = []
    for text in arguments.values("--link") {
      guard let number = parseNumber(text) else {
        throw UsageError("'\(text)' is not a link number", hint: "'racpscope show' prints the numbers of links")
      }
      links.append(number)
    }
    switch (arguments.value("--device"), links.isEmpty) {
    case (let device?, true): return .device(device)
    case (nil, false): return .links(links)
    case (nil, true):
      throw UsageError("extract needs to know what to keep", hint: "name it with --device NAME or --link N")
    case (_?, false):
      throw UsageError("--device and --link exclude each other", hint: "a link belongs to one device: name one of them")
    }
  }

  private static func report(_ extract: CaptureExtract, _ path: String) {
    var output = OutputBuffer(descriptor: 2)
    let count = extract.links.count
    output.append("\(TextEscaping.terminal(path)): \(countText(count, "link")), \(extract.frameCount) of ")
    output.append(countText(extract.sourceFrameCount, "frame"))
    if extract.shiftedMinutes != nil { output.append(", redacted") }
    output.newline()
    output.flush()
  }
}
