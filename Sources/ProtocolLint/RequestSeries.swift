import HealthProfiles
import LinkTrace

/// The requests of one collector to one of the sensor's stores, in order: each service with a record access control
/// point has a store of its own, and what was asked of the one says nothing of the other.
struct RequestSeries: Sendable {
  var collector: Int
  var source: RecordSource
  /// Procedures of the health dialect.
  var steps: [DeviceStep] = []

  /// The series of a device, those of a collector in the order of their first requests.
  static func all(_ collectors: [[Int]], _ device: borrowing DeviceHistory) -> [RequestSeries] {
    let known = sources(device)
    var all: [RequestSeries] = []
    for collector in collectors.indices {
      var places: [RecordSource: Int] = [:]
      for link in collectors[collector] {
        for place in device.links[link].procedures.indices {
          let procedure = device.links[link].procedures[place]
          guard procedure.dialect == .health else { continue }
          var source = procedure.source
          // A link that does not show the service may be one of several of the same control point.
          if source == .unknown, let told = known[procedure.controlPoint] { source = told }
          let series: Int
          if let met = places[source] {
            series = met
          } else {
            series = all.count
            places[source] = series
            all.append(RequestSeries(collector: collector, source: source))
          }
          all[series].steps.append(DeviceStep(link: link, place: place))
        }
      }
    }
    return all
  }

  /// What any link tells of each control point, by its handle; unknown where they differ.
  private static func sources(_ device: borrowing DeviceHistory) -> [UInt16: RecordSource] {
    var known: [UInt16: RecordSource] = [:]
    for link in device.links.indices {
      for procedure in device.links[link].procedures where procedure.source != .unknown {
        let before = known[procedure.controlPoint] ?? procedure.source
        known[procedure.controlPoint] = before == procedure.source ? before : .unknown
      }
    }
    return known
  }

  /// Why a rule that rests on the numbers of records says nothing about its records.
  var unreadReason: String {
    source == .unknown
      ? "the capture does not show which service the records belong to"
      : "the records are no glucose measurements, and their numbers are not read"
  }

  /// True where a report broke off and another one followed.
  func hasResumption(_ device: borrowing DeviceHistory) -> Bool {
    var isBroken = false
    for step in steps {
      let procedure = device.procedure(step)
      guard procedure.opCode == .report, !procedure.isRefused else { continue }
      if isBroken { return true }
      isBroken = procedure.isBrokenOff
    }
    return false
  }

  /// True where reports were asked for on several links.
  func hasRepetition(_ device: borrowing DeviceHistory) -> Bool {
    var first: Int?
    for step in steps {
      let procedure = device.procedure(step)
      guard procedure.opCode == .report, !procedure.isRefused else { continue }
      if let first, first != step.link { return true }
      first = step.link
    }
    return false
  }
}

extension DeviceSubject {
  /// The series of records whose numbers are read.
  var numbered: [RequestSeries] { series.filter(\.source.isNumbered) }

  /// True where the capture ends, with the link of a procedure still up, so soon after the last one that the next one
  /// may follow.
  func mayGoOn(after step: DeviceStep, _ device: borrowing DeviceHistory) -> Bool {
    let link = device.links[step.link]
    guard collectors[standings[step.link].collector].last == step.link, link.endCause == .captureEnded else {
      return false
    }
    return link.endTime - (link.procedures.last?.endTime ?? link.firstTime) < ProcedureTimer.length
  }

  /// What a rule that rests on the numbers of records says where it has found nothing.
  ///
  /// - Parameter isConcerned: whether it would look at a series, were its numbers read.
  func outcome(wasJudged: Bool, unless isConcerned: (RequestSeries) -> Bool) -> RuleOutcome {
    let unread = series.first { !$0.source.isNumbered && isConcerned($0) }
    if let unread { return .inconclusive(unread.unreadReason) }
    return wasJudged ? .pass : .notApplicable
  }
}
