import BluetoothWire

/// Two upper-case digits.
func hexOctet(_ octet: UInt8) -> String { hex(UInt64(octet), digits: 2) }

/// Octets apart, as they are printed in messages: `04 01 00`.
func spacedHex(_ octets: [UInt8]) -> String { octets.map(hexOctet).joined(separator: " ") }
