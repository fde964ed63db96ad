/// Who broke the clause.
public enum Fault: String, Sendable {
  case sensor
  case collector
  case hostStack = "host-stack"
  case capture
  case undetermined
}
