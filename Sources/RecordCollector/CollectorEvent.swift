/// What happens to a collector.
public enum CollectorEvent: Sendable {
  /// The ATT bearer is open: the largest PDU it can receive, and how the link is protected so far.
  case linkUp(mtu: UInt16, security: LinkSecurity)
  /// One ATT PDU from the meter. `RecordCollector.receive(_:at:into:)` takes it without a copy.
  case received([UInt8])
  /// The protection of the link has changed; the answer to `raiseSecurity`, or by itself.
  case securityChanged(LinkSecurity)
  /// Pairing or encryption failed; the link may still be up.
  case securityFailed(SecurityFailure)
  /// The link is gone, for whatever reason.
  case linkLost(reason: String)
  /// The deadline may have passed.
  case tick
  /// The person wants to stop.
  case abortRequested
  /// The answer to `commit`: the batch is durable.
  case committed(CommitReceipt)
  /// The answer to `commit` or `lookUp`: nothing was done.
  case storeFailed(String)
  /// The answer to `lookUp`.
  case lookedUp([CollectedRecord])
  /// The answer to `confirmDeletion`.
  case deletionConfirmed(Bool)
}
