extension Scenario {
  /// A ready-made scenario and what it shows.
  public struct Entry: Sendable {
    public let name: String
    /// One line.
    public let summary: String
    /// Makes the scenario, the same on every call.
    public let make: @Sendable () -> Scenario

    init(_ name: String, _ summary: String, _ make: @escaping @Sendable () -> Scenario) {
      self.name = name
      self.summary = summary
      self.make = make
    }
  }

  /// The ready-made scenario of a name; nil where there is none.
  public static func named(_ name: String) -> Scenario? { catalogue.first { $0.name == name }?.make() }

  /// All ready-made scenarios.
  public static var catalogue: [Entry] {
    [
      Entry("first-sync", "pairing, discovery, subscriptions, count, 30 records, 7 contexts", firstSync),
      Entry("incremental-sync", "a bonded meter, no discovery, the five new records", incrementalSync),
      Entry("no-records", "a bonded meter that has nothing new", noRecords),
      Entry("link-loss-resume", "the link is lost after 12 records, the next link asks from the 13th", linkLossResume),
      Entry("abort-then-resume", "the collector aborts and asks for the rest", abortThenResume),
      Entry("clock-change", "later records have Time Offset -180", clockChange),
      Entry("long-pause", "a legal pause of 20 s between two records", longPause),
      Entry("two-adapters", "two meters on two adapters at once, the same connection handle", twoAdapters),
      Entry("eatt-sync", "a sync over enhanced bearers", eattSync),
      Entry("resolvable-address", "two private addresses of one identity key", resolvableAddress),
      Entry("many-links", "40 links with four meters", { manyLinks() }),
      Entry("mid-connection-start", "the capture starts in the middle of a Report", midConnectionStart),
      Entry("overlap-refused", "a second Report during the first, refused with 0x80", overlapRefused),
      Entry("overlap-accepted", "a second Report during the first, both run", overlapAccepted),
      Entry("silence", "the collector leaves before the Response Code", silence),
      Entry("no-encryption", "everything in clear", noEncryption),
      Entry("missing-subscription", "a Report without subscriptions, refused with 0x81", missingSubscription),
      Entry("partial-then-skip", "12 of 30 records, then a request from the 31st", partialThenSkip),
      Entry("delete-before-commit", "delete all after 8 of 30 records", deleteBeforeCommit),
      Entry("wrap-65535", "65535 + 1 is asked for as 0", wrap65535),
      Entry("full-refetch", "Report all on each of three links", fullRefetch),
      Entry("write-command", "the request is a Write Command", writeCommand),
      Entry("unanswered", "no Response Code within 35 s", unanswered),
      Entry("wrong-response-op-code", "the Response Code names another request", wrongResponseOpCode),
      Entry("response-before-records", "success is indicated before the records", responseBeforeRecords),
      Entry("duplicate-records", "six records come twice in one Report", duplicateRecords),
      Entry("skipped-number", "30 counted, 29 sent", skippedNumber),
      Entry("bond-lost", "encryption fails with PIN or Key Missing", bondLost),
      Entry("counter-restarted", "the sensor numbers from 0 again", counterRestarted),
      Entry("sensor-hangs-up", "the sensor ends the link after 12 of 30 records", sensorHangsUp),
      Entry("vendor-gadget", "a long link of a proprietary gadget", vendorGadget),
      Entry("insulin-pump", "Insulin Delivery op codes and opaque history", insulinPump),
    ]
  }
}
