/// The first step at which two fetches part.
public struct FetchParting: Sendable {
  /// The step of each side; nil where its fetch had ended.
  public var first: FetchStep?
  public var second: FetchStep?
  /// How many steps they share.
  public var sharedSteps: Int

  /// Nil where the two do the same as far as both captures show.
  init?(_ steps: [FetchStep], _ others: [FetchStep]) {
    let shared = zip(steps, others).prefix { $0.agrees(with: $1) }.count
    if shared == steps.count && shared == others.count { return nil }
    first = shared < steps.count ? steps[shared] : nil
    second = shared < others.count ? others[shared] : nil
    sharedSteps = shared
  }
}
