import BluetoothWire

extension CaptureSurvey {
  /// The links a selection means; an error names what there is instead.
  func links(_ selection: ExtractSelection) throws(ExtractError) -> [SurveyedLink] {
    guard !links.isEmpty else {
      throw ExtractError(
        "the capture holds no Low Energy link",
        hint: "capture again from before the device connects"
      )
    }
    switch selection {
    case .links(let numbers):
      for number in numbers where !links.contains(where: { $0.number == number }) {
        throw ExtractError("the capture has no link \(number)", hint: Listing.links(links.map(\.number)))
      }
      return links.filter { numbers.contains($0.number) }
    case .device(let text): return try links(of: text)
    }
  }

  private func links(of text: String) throws(ExtractError) -> [SurveyedLink] {
    if let address = DeviceAddress(text: text) {
      let found = links.filter { link in
        ([link.identity, link.peer].compactMap { $0 } + link.resolvable).contains { $0.value == address.value }
      }
      // A link that was found by a private address stands for the whole device.
      let identities = Set(found.compactMap { $0.identity })
      let whole = links.filter { link in
        found.contains { $0.number == link.number } || link.identity.map(identities.contains) ?? false
      }
      guard !whole.isEmpty else { throw unknown(text) }
      return whole
    }
    let wanted = text.lowercased()
    let names = links.map { link in link.names.map { String(decoding: $0, as: UTF8.self).lowercased() } }
    var found = links.indices.filter { names[$0].contains(wanted) }
    if found.isEmpty { found = links.indices.filter { names[$0].contains { $0.hasPrefix(wanted) } } }
    guard !found.isEmpty, !wanted.isEmpty else { throw unknown(text) }
    let devices = Set(found.map { links[$0].identity ?? links[$0].peer })
    guard devices.count == 1 else {
      let addresses = devices.compactMap { $0?.description }.sorted().joined(separator: ", ")
      throw ExtractError(
        "\"\(text)\" is the name of \(devices.count) devices",
        hint: "give an address: " + addresses
      )
    }
    return links.filter { link in
      found.contains { links[$0].number == link.number } || devices.contains(link.identity ?? link.peer)
    }
  }

  private func unknown(_ text: String) -> ExtractError {
    let devices = links.map { Listing.device($0.identity ?? $0.peer, $0.names.first) }
    return ExtractError("no device matches \"\(text)\"", hint: Listing.there(devices))
  }
}
