import BluetoothWire
import LinkTrace

extension StoryWriter {
  /// Encryption, pairing and bond of a link.
  func security(_ summary: LinkSummary) -> (text: String, role: TextRole) {
    let security = summary.security
    var parts: [String] = []
    var role = TextRole.plain
    if let on = security.firstOn {
      parts.append("encrypted +" + Self.span(summary.firstTime, on.time))
    } else if summary.start == nil {
      parts.append("unknown: the start of the link is not in the capture")
      role = .dim
    } else if security.completed != nil {
      parts.append("when encryption came on is not in the capture")
      role = .dim
    } else {
      parts.append("not encrypted")
      role = summary.procedures.isEmpty ? .plain : .bad
    }
    parts += key(summary)
    if let told = PairingText.brokenOff(summary) {
      parts += told
      if security.brokenOff?.end != .open { role = .bad }
    }
    if let refused = security.refusedKey {
      let isMissing = refused.status == .keyMissing
      parts.append(
        (isMissing ? "stored key refused: " : "encryption with the stored key failed: ")
          + "\(refused.status.name) #\(refused.frame)"
      )
      role = .bad
    }
    if let off = security.changes.first(where: { !$0.isOn }) {
      parts.append("switched off +\(Self.span(summary.firstTime, off.time)) #\(off.frame)")
      role = .bad
    }
    if let refresh = security.keyRefresh { parts.append("key refreshed #\(refresh)") }
    if security.changes.count > 2 { parts.append("\(security.changes.count) changes") }
    return (parts.joined(separator: "   "), role)
  }

  /// How the key in use was made.
  private func key(_ summary: LinkSummary) -> [String] {
    let security = summary.security
    // What the controller says of the key in use counts for more than what the sides offered.
    let told = security.changes.last { $0.isOn && $0.keySize > 0 }?.keySize
    var parts: [String] = []
    if security.usedStoredKey, let on = security.firstOn, security.completed.map({ on.frame < $0.frame }) ?? true {
      let isLast = security.completed == nil
      parts.append("with a stored key" + (isLast ? told.map { ", \($0)-octet key" } ?? "" : ""))
      if !isLast { parts.append("then paired anew") }
    } else if security.isCut && security.firstOn != nil && security.completed == nil {
      parts.append("with what key was cut by the logger")
    }
    if let completed = security.completed {
      parts += PairingText.completed(completed, keySize: told, cause: summary.end.cause)
    } else if security.distributedKeys && security.brokenOff == nil {
      parts.append("keys were handed over; their pairing is not in the capture")
    }
    return parts
  }
}
