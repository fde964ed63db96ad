/// The parts most links are made of.
extension Step {
  /// The collector finds the meter and connects.
  public static var arrival: Step { .group([.advertise, .connect()]) }

  /// A link with a bonded meter, which keeps the subscriptions.
  public static var bondedArrival: Step { .group([.arrival, .encrypt()]) }

  /// A first link up to the subscriptions: MTU, pairing, discovery, Glucose Feature.
  public static var firstArrival: Step {
    .group([.arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .read(.feature), .subscribe()])
  }

  /// The collector has what it wanted and ends the link.
  public static var farewell: Step { .group([.wait(milliseconds: 400), .disconnect()]) }

  /// Nothing for so many minutes.
  public static func later(minutes: Int) -> Step { .wait(milliseconds: minutes * 60_000) }
}
