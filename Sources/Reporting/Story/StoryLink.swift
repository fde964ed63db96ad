import LinkTrace
import ProtocolLint

/// A link as the story tells it.
struct StoryLink: Sendable {
  /// Its ordinal among the links of its device, from 1.
  var ordinal: Int
  var summary: LinkSummary
  var verdicts: LinkVerdicts
}
