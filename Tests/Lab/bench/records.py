"""The records of the simulated meter: what each says, and the octets it is sent as (GLS 3.1, 3.2)."""
import datetime
import struct
from dataclasses import dataclass

FIRST_TIME = datetime.datetime(2026, 1, 5, 7, 30, 0)
GAP = datetime.timedelta(hours=4, minutes=37)
MILLIGRAMS = [96, 142, 188, 71, 110, 254, 63, 131, 99, 177]     # mg/dL, cycled


def sfloat(mantissa: int, exponent: int) -> bytes:
    return struct.pack('<H', (mantissa & 0xFFF) | ((exponent & 0xF) << 12))


@dataclass
class Record:
    number: int                 # sequence number
    epoch: int                  # how often the meter's counter had restarted
    base_time: datetime.datetime
    offset: int                 # minutes
    measurement: bytes          # with its Time Offset
    context: bytes | None

    def without_offset(self) -> bytes:
        """Where the offset is the one sent last, the meter leaves it out (GLS 3.1.1.4)."""
        return bytes([self.measurement[0] & ~0x01]) + self.measurement[1:10] + self.measurement[12:]

    def as_json(self) -> dict:
        return dict(number=self.number, epoch=self.epoch, base_time=self.base_time.isoformat(), offset=self.offset,
                    measurement=self.measurement.hex(), context=self.context.hex() if self.context else None)


def record(index: int, number: int, epoch: int = 0, base_time: datetime.datetime | None = None,
           offset: int | None = None) -> Record:
    """Record `index`, from 0: every third one moves the Time Offset, every sixth is in mol/L, every seventh carries a
    Sensor Status, every fourth a Context. A given base time brings its offset with it."""
    if base_time is None:
        base_time = FIRST_TIME + index * GAP
        offset = (60 if index % 2 else -60) if index % 3 == 1 else 0
    offset = offset or 0
    milligrams = MILLIGRAMS[index % 10]
    flags, body = 0x03, struct.pack('<h', offset)
    if index % 6 == 5:
        flags |= 0x04
        body += sfloat(round(milligrams / 18.0182 * 10), -4)    # 0.1 mmol/L
    else:
        body += sfloat(milligrams, -5)                          # 1 mg/dL = 1e-5 kg/L
    body += bytes([0x11])                                       # capillary whole blood, finger
    if index % 7 == 6:
        flags |= 0x08
        body += struct.pack('<H', 0x0001)                       # device battery low
    context = None
    if index % 4 == 2:
        flags |= 0x10
        context = struct.pack('<BHB', 0x03, number, 3) + sfloat(20 + index % 1000, -3) + bytes([1 + index % 5])
    t = base_time
    head = struct.pack('<BHHBBBBB', flags, number, t.year, t.month, t.day, t.hour, t.minute, t.second)
    return Record(number, epoch, base_time, offset, head + body, context)
