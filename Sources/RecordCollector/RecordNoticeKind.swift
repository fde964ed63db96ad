/// The kinds of notice that may be due for each of thousands of records; the first few of a kind are given.
enum RecordNoticeKind: Sendable {
  case unreadable
  case offsetMissing
  case clockChanged
  case invalidBaseTime
  case baseTimeBackwards

  var limit: Int { self == .unreadable ? 20 : 3 }
}
