/// Every rule, one line each, in the order in which root causes come before their consequences (field rules 0.3).
public enum RuleRegistry {
  public static let linkRules: [any LinkRule] = [
    HealthDataInClear(),
    RequestWhileRunning(),
    EndTakenFromSilence(),
  ]
}
