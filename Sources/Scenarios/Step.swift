/// One thing that happens in a scenario; the renderer turns it into the frames the local host sees.
///
/// Write scenarios as array literals: `[.connect(), .report(.all), .accept, .record(1), .result(.report, .success)]`.
public indirect enum Step: Sendable {
  /// Several steps as one.
  case group([Step])
  /// A step whose telling frame carries a mark: the command, else the last ACL packet, else the last event.
  case marked(Step)
  /// What both send at one time, so that it crosses in the air: each end sees its own first.
  case crossing(fromCollector: Step, fromSensor: Step)
  /// What a party sends and the other never receives.
  case unheard(from: Party, Step)

  /// Time passes; a negative number sets the host's clock back.
  case wait(milliseconds: Int)
  /// The time before each later PDU of a link, 15,000 µs at first.
  case pace(microseconds: Int)
  /// Text of the logger, in the formats that have it.
  case text(String)
  /// The logger lost so many packets here; btsnoop's drop counter tells.
  case lose(UInt32)

  /// The records a monitor writes of an adapter: added, opened, information.
  case adapterAppears
  /// Later steps are of this link: numbers are added to the rendering's adapter and connection handle.
  case selectLink(adapter: UInt16, handle: UInt16)
  /// Later steps are of this collector, counted from 0: each has its own host and address. In a capture of collector 0's
  /// own host what the others do is not seen.
  case selectCollector(UInt8)
  /// Later steps are of this meter.
  case selectMeter(Meter)
  /// Later attribute PDUs go over this enhanced bearer, counted from 0; nil for the unenhanced one.
  case selectBearer(Int?)

  /// The sensor advertises its name; on its own side the commands that start it.
  case advertise
  /// A link begins.
  case connection(ConnectionParameters)
  /// The link is encrypted with a key both have, or fails to be.
  case encryption(Encryption)
  /// The parties pair, and the link is encrypted with the new key.
  case pairing(Pairing)
  /// The peripheral asks for other connection parameters and the central answers (Core Vol 3 Part A 4.20).
  case parameterUpdate(interval: UInt16, latency: UInt16, supervisionTimeout: UInt16, isAccepted: Bool)
  /// Enhanced bearers are opened, the first step of EATT.
  case openBearers(Int)
  /// A party ends the link with a Disconnect command.
  case disconnection(by: Party, reason: UInt8)
  /// The link ends without a command; 0x08 is a supervision timeout.
  case linkLoss(reason: UInt8)
  /// The controller has sent so many ACL packets of the local host.
  case completedPackets(UInt16)

  /// The collector exchanges the MTU.
  case mtuExchange(client: UInt16, server: UInt16)
  /// The collector discovers the meter's services, characteristics and descriptors.
  case discovery
  /// A read with its answer; the meter's own value where none is given.
  case reading(MeterAttribute, value: [UInt8]?)
  /// A Write Request of the collector, without its answer.
  case write(MeterAttribute, [UInt8])
  /// A Write Command of the collector.
  case writeCommand(MeterAttribute, [UInt8])
  /// A Signed Write Command of the collector.
  case signedWriteCommand(MeterAttribute, [UInt8])
  /// A part of a value in a Prepare Write Request of the collector, and the response that repeats it.
  case prepareWrite(MeterAttribute, offset: UInt16, [UInt8])
  /// The Execute Write Request of the collector, which writes or cancels what is prepared, without its answer.
  case executeWrite(writes: Bool)
  /// The sensor's Write Response, or Execute Write Response after an Execute Write Request.
  case accept
  /// The sensor's Error Response to the last request.
  case refuse(error: UInt8)
  /// A notification of the sensor.
  case notify(MeterAttribute, [UInt8])
  /// An indication of the sensor.
  case indicate(MeterAttribute, [UInt8])
  /// The collector's confirmation.
  case confirm
  /// A record of the meter as a notification, its context after it where it has one.
  ///
  /// The Time Offset is sent in the first record after a request and where it changes (GLS 3.1.1.4).
  case storedRecord(UInt16, withContext: Bool)

  /// Any ATT PDU, over the selected bearer.
  case attribute(from: Party, [UInt8])
  /// Any payload of an L2CAP channel.
  case channel(from: Party, UInt16, [UInt8])
  /// Any ACL packet with its header, its handle as given.
  case acl(from: Party, [UInt8])
  /// Any command packet of the local host.
  case command([UInt8])
  /// Any event packet of the local controller.
  case event([UInt8])
}
