"""What a saved capture holds, read without racpscope: the ATT PDUs of its links."""
import struct
from dataclasses import dataclass
from pathlib import Path

MONITOR = 2001                              # btsnoop's link type of the kernel's monitor; the other is H4
COMMAND, EVENT, SENT, RECEIVED = 2, 3, 4, 5     # as the monitor has them
ATT_CHANNEL = 4
ERROR_RESPONSE, WRITE_REQUEST = 0x01, 0x12
REQUESTS = {0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20}     # each is answered
DISCOVERY = {0x04, 0x06, 0x10}
READ_BY_TYPE, DECLARATIONS = 0x08, {b'\x02\x28', b'\x03\x28'}     # of other types: a probe, or the Database Hash


@dataclass
class Packet:
    link: int               # counts connections
    is_sent: bool
    pdu: bytes              # of a fragmented one, what its first fragment holds


@dataclass
class Capture:
    packets: list[Packet]

    @property
    def requests(self) -> list[bytes]:
        return [packet.pdu for packet in self.packets if packet.is_sent and packet.pdu[0] in REQUESTS]

    @property
    def discovery(self) -> list[bytes]:
        return [pdu for pdu in self.requests
                if pdu[0] in DISCOVERY or pdu[0] == READ_BY_TYPE and pdu[5:] in DECLARATIONS]

    def repeated(self) -> list[bytes]:
        """Requests sent again on the link on which they had been answered without an error."""
        answered: set[tuple[int, bytes]] = set()
        found, pending = [], None
        for packet in self.packets:
            if packet.is_sent and packet.pdu[0] in REQUESTS:
                pending = packet.link, packet.pdu
                if pending in answered:
                    found.append(packet.pdu)
            elif not packet.is_sent and pending and packet.pdu[0] == pending[1][0] + 1:
                answered.add(pending)
                pending = None
        return found


def read_capture(path: Path) -> Capture:
    octets = path.read_bytes()
    if octets[:8] != b'btsnoop\0':
        raise ValueError(f'{path.name} is no btsnoop file')
    link_type, = struct.unpack('>I', octets[12:16])
    packets, at, link = [], 16, 0
    while at + 24 <= len(octets):
        _, length, flags = struct.unpack('>III', octets[at:at + 12])
        packet = octets[at + 24:at + 24 + length]
        at += 24 + length
        kind = flags & 0xFFFF
        if link_type != MONITOR:
            kind = {1: COMMAND, 2: RECEIVED if flags & 1 else SENT, 4: EVENT}.get(packet[0])
            packet = packet[1:]
        if kind == EVENT and packet[:1] == b'\x3E' and packet[2:3] in (b'\x01', b'\x0A') and packet[3:4] == b'\0':
            link += 1       # LE (Enhanced) Connection Complete
        if kind not in (SENT, RECEIVED) or len(packet) < 9:
            continue
        handle, _, _, channel = struct.unpack('<HHHH', packet[:8])
        if (handle >> 12) & 3 != 1 and channel == ATT_CHANNEL:      # 1: goes on with the one before
            packets.append(Packet(link, kind == SENT, packet[8:]))
    return Capture(packets)
