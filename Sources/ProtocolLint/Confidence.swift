/// How sure a finding is: the packets themselves, an assumption, or one explanation of several.
public enum Confidence: String, Sendable {
  case certain, likely, possible
}
