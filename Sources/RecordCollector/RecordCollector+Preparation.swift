import BluetoothWire

extension RecordCollector {
  /// What is done on a link whose meter has not been discovered.
  var freshDiscovery: [PreparationStep] { [.exchangeMTU, .findServices] }

  /// Measurement, context, record access, in this order and before any request (GLP 4.4, 4.5, 4.7).
  ///
  /// They are written on every link, though a bonded meter keeps them (Core Vol 3 Part G 3.3.3.3): meters that forget
  /// them silently accept a request and send nothing, and three round trips are cheaper than that.
  var subscriptions: [PreparationStep] {
    guard let attributes else { return [] }
    var steps: [PreparationStep] = []
    if let handle = attributes.measurement.configuration { steps.append(.subscribe(configuration: handle, value: 1)) }
    if let handle = attributes.context?.configuration { steps.append(.subscribe(configuration: handle, value: 1)) }
    if let handle = attributes.recordAccess.configuration { steps.append(.subscribe(configuration: handle, value: 2)) }
    return steps
  }

  /// Begins the next step of the preparation, or the procedures after the last one.
  mutating func nextStep() {
    while case .preparing = phase, exchange == nil, case .nothing = waiting {
      if isAborting { return finish(.aborted) }
      if servicesChanged && attributes != nil && procedure == nil {
        servicesChanged = false
        discoverAgain(.servicesChanged)
        continue
      }
      guard !agenda.isEmpty else { return beginProcedures() }
      begin(agenda.removeFirst())
    }
  }

  private mutating func begin(_ step: PreparationStep) {
    switch step {
    case .secure: secure()
    case .exchangeMTU:
      guard offeredMTU > 23, !mtuIsExchanged else { return }
      mtuIsExchanged = true
      send(AttributeEncoding.exchangeMTURequest(offeredMTU), .mtu, handle: 0)
    case .findServices:
      database = DiscoveredDatabase()
      progress(.discovering)
      findServices(from: 1)
    case .findCharacteristics(let service): findCharacteristics(service, from: database.services[service].first)
    case .findDescriptors(let service):
      // Characteristic values are not asked for their type again: the search begins behind the first one.
      guard let first = database.services[service].characteristics.first?.place.value, first < 0xFFFF else { return }
      findDescriptors(service, from: first + 1)
    case .concludeDiscovery: concludeDiscovery()
    case .verifyCache: verifyCache()
    case .readDatabaseHash: readDatabaseHash(verifies: false)
    case .readDetails:
      progress(.reading)
      agenda.insert(contentsOf: details, at: 0)
    case .read(let reading): send(AttributeEncoding.readRequest(reading.handle), .read(reading), handle: reading.handle)
    case .subscribe(let handle, let value):
      if handle == attributes?.measurement.configuration { progress(.subscribing) }
      send(AttributeEncoding.writeRequest(handle, [value, 0]), .subscribe, handle: handle)
    }
  }

  private mutating func secure() {
    guard !security.isEncrypted, raisedTo == 0 else { return }
    if !memory.isBonded && plan.allowUnencrypted { return }
    raiseSecurity(to: 2)
  }

  /// What is read before the records: features, the clock, and who the meter is where that is not known.
  private var details: [PreparationStep] {
    guard let attributes else { return [] }
    var readings: [Reading] = []
    if let feature = attributes.feature { readings.append(Reading(kind: .feature, handle: feature.value)) }
    if let handle = attributes.currentTime {
      readings.append(Reading(kind: .currentTime, handle: handle))
    } else if let handle = attributes.dateTime {
      readings.append(Reading(kind: .dateTime, handle: handle))
    }
    if !usesCache || plan.readDeviceInformation || memory.identity == nil {
      for uuid in DeviceInformationReading.characteristics {
        guard let handle = attributes.deviceInformation[uuid] else { continue }
        readings.append(Reading(kind: .deviceInformation(uuid), handle: handle))
      }
    }
    if !readings.isEmpty { return readings.map { .read($0) } }
    return []
  }

  private mutating func beginProcedures() {
    phase = isDeleting ? .deleting : .procedures
    if identity != memory.identity {
      memory.identity = identity
      outbox.append(.rememberIdentity(identity))
    }
    if let attributes, attributes != memory.attributes {
      memory.attributes = attributes
      outbox.append(.rememberAttributes(attributes))
    }
    // Subscriptions were written again for a request that had been refused without them.
    if procedure != nil { return sendProcedure() }
    if !security.isEncrypted {
      // Nothing has asked for security, and the plan decides whether records may cross the air in clear (GLP 6.2).
      guard plan.allowUnencrypted else { return finish(.notEncrypted) }
      notice(.unencrypted)
    }
    planTransfer()
    proceed()
  }

  /// Forgets the handles in use and discovers the services again.
  mutating func discoverAgain(_ reason: CollectorNotice?) {
    if let reason { notice(reason) }
    discoveries += 1
    attributes = nil
    usesCache = false
    procedure = nil
    memory.attributes = nil
    outbox.append(.rememberAttributes(nil))
    guard discoveries <= 3 else { return finish(.notAGlucoseMeter) }
    phase = .preparing
    agenda = freshDiscovery
  }
}
