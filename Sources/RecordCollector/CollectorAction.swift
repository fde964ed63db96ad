/// What a collector wants done, in order.
public enum CollectorAction: Equatable, Sendable {
  /// Send one ATT PDU.
  case send([UInt8])
  /// Encrypt or pair up to this level; answered by `securityChanged` or `securityFailed`.
  case raiseSecurity(level: UInt8)
  /// Give the records held under a number; answered by `lookedUp` or `storeFailed`.
  case lookUp(epoch: UInt32, sequenceNumber: UInt16)
  /// Store the batch in one transaction; answered by `committed` or `storeFailed`.
  case commit(CommitBatch)
  /// Keep the handles for the next link; nil forgets them.
  case rememberAttributes(AttributeCache?)
  case rememberIdentity(SensorIdentity)
  /// All that the meter is now known not to do; what was known before is part of it, or was wrong.
  case rememberUnsupported(UnsupportedRequests)
  /// Ask the person whether these ranges may be deleted from the meter; answered by `deletionConfirmed`.
  case confirmDeletion(ranges: [ClosedRange<UInt16>], records: Int)
  case notice(CollectorNotice)
  case progress(CollectorProgress)
  /// End the link.
  case disconnect
  /// The run is over; nothing follows. The wall-clock times of the run are the caller's to fill in.
  case finished(SyncRun)
}
