extension RuleRegistry {
  /// The rules over a device's links, one line each, root causes before their consequences.
  public static let deviceRules: [any DeviceRule] = [
    IdentityWithheld(),
    EncryptionLoop(),
    StoredKeyRefused(),
    PairsEveryTime(),
    BondNotUsed(),
    RequestBeforeSubscription(),
    SubscriptionForgotten(),
    TableChanged(),
    FeatureNeverRead(),
    AnnunciationWithoutFeature(),
    RefusedFeatureRetried(),
    ResultMissing(),
    ResultContradictsRecords(),
    FilterNotHonoured(),
    RecordsRenumbered(),
    NumbersUsedUp(),
    CounterRestarted(),
    NeverFetched(),
    FilterWrapped(),
    DeletedBeforeReceipt(),
    NumberReused(),
    BaseTimeMoved(),
    RecordRetimed(),
    FeatureChanged(),
    ClockLooksUnset(),
    FirstOffsetMissing(),
    FetchedAgain(),
    LeavesRecordsBehind(),
    RestartNotResume(),
    CollectorsCompete(),
    AsksForKnown(),
    RediscoversEachTime(),
    PollingCost(),
  ]

  /// The rules over captures as such.
  public static let captureRules: [any CaptureRule] = [ClockOddity(), MalformedContainer()]

  /// Every rule once, whatever it looks at; a rule that looks at links and at devices stands among those of links.
  public static let rules: [any Rule] = {
    let known = Set(linkRules.map(\.description.identifier))
    return captureRules + linkRules + deviceRules.filter { !known.contains($0.description.identifier) }
  }()

  /// What the findings of each rule explain.
  static let explanations: [RuleIdentifier: [RuleIdentifier]] = {
    var all: [RuleIdentifier: [RuleIdentifier]] = [:]
    for rule in linkRules { all[rule.description.identifier] = rule.description.explains }
    return all
  }()
}
