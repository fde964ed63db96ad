"""The sensor's side of the Glucose Service: its attributes and its Record Access Control Point (GLS 3)."""
import asyncio
import datetime
import struct
from typing import TYPE_CHECKING

from bumble.att import ATT_Error, Attribute, AttributeValue
from bumble.core import UUID
from bumble.gatt import GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR, Characteristic, Descriptor, Service

from records import Record

if TYPE_CHECKING:
    from glucose_meter import GlucoseMeter

REPORT, DELETE, ABORT, COUNT, COUNT_RESPONSE, RESPONSE = range(1, 7)
NULL, ALL, AT_MOST, AT_LEAST, WITHIN, FIRST, LAST = range(7)
(SUCCESS, OP_CODE_NOT_SUPPORTED, INVALID_OPERATOR, OPERATOR_NOT_SUPPORTED, INVALID_OPERAND, NO_RECORDS_FOUND,
 ABORT_UNSUCCESSFUL, PROCEDURE_NOT_COMPLETED, OPERAND_NOT_SUPPORTED) = range(1, 10)
READ_NOT_PERMITTED, INSUFFICIENT_AUTHENTICATION, INVALID_LENGTH, INSUFFICIENT_ENCRYPTION = 0x02, 0x05, 0x0D, 0x0F
PROCEDURE_IN_PROGRESS, CCCD_IMPROPERLY_CONFIGURED = 0x80, 0x81
Properties = Characteristic.Properties


class GlucoseService:
    def __init__(self, meter: 'GlucoseMeter'):
        self.meter = meter
        self.procedure: asyncio.Task | None = None
        self.finishing: asyncio.Task | None = None      # its response is on the way
        self.aborting: asyncio.Task | None = None
        self.cccds: dict[str, dict[int, bytes]] = {}    # by peer, kept for a bonded one
        self.offset: int | None = None                  # the Time Offset sent last in this report

        def read_feature(connection):
            self.guard(connection)
            return struct.pack('<H', 0x0401)            # low battery, multiple bonds

        def refuse_read(connection):
            raise ATT_Error(READ_NOT_PERMITTED)

        unreadable = AttributeValue(read=refuse_read)
        self.measurement = self.characteristic(0x2A18, Properties.NOTIFY, unreadable)
        self.context = self.characteristic(0x2A34, Properties.NOTIFY, unreadable)
        self.control_point = self.characteristic(0x2A52, Properties.WRITE | Properties.INDICATE,
                                                 AttributeValue(read=refuse_read, write=self.on_control_point))
        information = [self.characteristic(uuid, Properties.READ, value) for uuid, value in (
            (0x2A29, b'Lab Instruments'), (0x2A24, b'GM-1'), (0x2A25, meter.options.serial.encode()),
            (0x2A26, b'1.0.3'), (0x2A23, bytes.fromhex('563412feff9abc12')))]
        device = meter.device
        device.add_service(Service(UUID.from_16_bits(0x180A), information))
        feature = self.characteristic(0x2A51, Properties.READ, AttributeValue(read=read_feature))
        device.add_service(Service(UUID.from_16_bits(0x1808), [
            self.measurement, self.context, feature, self.control_point]))

    # Attributes

    def guard(self, connection) -> None:
        if self.meter.is_secure(connection) or self.meter.fault('no-encryption') is not None:
            return
        lacks_encryption = self.meter.is_bonded(connection) and not connection.encryption
        raise ATT_Error(INSUFFICIENT_ENCRYPTION if lacks_encryption else INSUFFICIENT_AUTHENTICATION)

    def characteristic(self, uuid: int, properties: Properties, value) -> Characteristic:
        access = Attribute.READABLE | Attribute.WRITEABLE
        made = Characteristic(UUID.from_16_bits(uuid), properties, access, value)
        if properties & (Properties.NOTIFY | Properties.INDICATE):
            server = self.meter.device.gatt_server

            def read(connection):
                self.guard(connection)
                return server.read_cccd(connection, made)

            def write(connection, octets):
                self.guard(connection)
                self.meter.log('CCCD', uuid=f'{uuid:04X}', value=octets.hex())
                server.write_cccd(connection, made, octets)
                self.cccds.setdefault(str(connection.peer_address), {})[made.handle] = octets
            made.descriptors = [Descriptor(GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR, access,
                                           AttributeValue(read=read, write=write))]
        return made

    def restore_cccds(self, connection) -> None:
        kept = self.cccds.get(str(connection.peer_address), {})
        self.meter.device.gatt_server.subscribers[connection] = dict(kept)

    # Record Access Control Point

    def on_control_point(self, connection, octets: bytes):
        self.guard(connection)
        self.meter.log('RACP', data=octets.hex())
        if len(octets) < 2:
            raise ATT_Error(INVALID_LENGTH)
        subscribed = self.meter.device.gatt_server.subscribers.get(connection, {})

        def enabled(characteristic, bit: int) -> bool:
            return bool((subscribed.get(characteristic.handle) or b'\0')[0] & bit)

        if not enabled(self.control_point, 2) or octets[0] == REPORT and not enabled(self.measurement, 1):
            raise ATT_Error(CCCD_IMPROPERLY_CONFIGURED)
        busy = self.procedure is not None and not self.procedure.done()
        if busy and octets[0] != ABORT:
            raise ATT_Error(PROCEDURE_IN_PROGRESS)
        if octets[0] == ABORT:
            if busy:
                self.procedure.cancel()
            code = SUCCESS if octets[1:] == b'\0' else INVALID_OPERATOR
            self.aborting = asyncio.create_task(self.respond(connection, ABORT, code))
        else:
            self.procedure = asyncio.create_task(self.run(connection, octets[0], octets[1], octets[2:]))
        if self.meter.fault('no-write-response') is not None:
            return asyncio.get_running_loop().create_future()    # never answered
        return None

    def select(self, operator: int, operand: bytes) -> list[Record] | int:
        """The records selected, or a response code."""
        held = self.meter.held
        if operator == NULL:
            return INVALID_OPERATOR
        if operator > LAST or str(operator) == self.meter.fault('unsupported-operator'):
            return OPERATOR_NOT_SUPPORTED
        if operator in (ALL, FIRST, LAST):
            if operand:
                return INVALID_OPERAND
            return {ALL: held, FIRST: held[:1], LAST: held[-1:]}[operator]
        if not operand:
            return INVALID_OPERAND
        bounds: list
        if operand[0] == 1:
            if len(operand) != (5 if operator == WITHIN else 3):
                return INVALID_OPERAND
            bounds = [value for value, in struct.iter_unpack('<H', operand[1:])]

            def key(record):
                return record.number
        elif operand[0] == 2:
            if len(operand) != (15 if operator == WITHIN else 8):
                return INVALID_OPERAND
            bounds = [datetime.datetime(*fields) for fields in struct.iter_unpack('<HBBBBB', operand[1:])]

            def key(record):
                return record.base_time + datetime.timedelta(minutes=record.offset)
        else:
            return OPERAND_NOT_SUPPORTED
        low, high = bounds[0], bounds[-1]
        if low > high:
            return INVALID_OPERAND
        chosen = [record for record in held if {
            AT_MOST: key(record) <= low, AT_LEAST: key(record) >= low, WITHIN: low <= key(record) <= high}[operator]]
        if operator == AT_LEAST and self.meter.fault('one-below') is not None:
            chosen = [record for record in held if key(record) < low][-1:] + chosen
        return chosen

    async def run(self, connection, op_code: int, operator: int, operand: bytes) -> None:
        await asyncio.sleep(0.02)
        if op_code not in (REPORT, DELETE, COUNT) or str(op_code) == self.meter.fault('unsupported-op-code'):
            return await self.respond(connection, op_code, OP_CODE_NOT_SUPPORTED)
        selected = self.select(operator, operand)
        if isinstance(selected, int):
            return await self.respond(connection, op_code, selected)
        if op_code == COUNT:
            wrong = self.meter.fault('wrong-count')
            count = max(0, len(selected) + (0 if wrong is None else int(wrong or 1)))
            return await self.indicate(connection, struct.pack('<BBH', COUNT_RESPONSE, NULL, count))
        if not selected:
            return await self.respond(connection, op_code, NO_RECORDS_FOUND)
        if op_code == DELETE:
            self.meter.held = [record for record in self.meter.held if record not in selected]
            self.meter.log('DELETED', records=len(selected))
            return await self.respond(connection, op_code, SUCCESS)
        last = int(self.meter.fault('response-before-last') or 0)
        if self.meter.fault('response-before-records') is not None:
            last = len(selected)
        early = last > 0
        before = max(0, len(selected) - last)
        if not await self.report(connection, selected[:before]):
            return None
        if early:
            await self.respond(connection, op_code, SUCCESS)
            if not await self.report(connection, selected[before:], after=before):
                return None
        self.meter.log('REPORTED', records=len(selected))
        if not early:
            await asyncio.sleep(float(self.meter.fault('late-response') or 0) / 1000)
            await self.respond(connection, op_code, SUCCESS)
        return None

    async def report(self, connection, selected: list[Record], after: int = 0) -> bool:
        """Notifies each record, the first at the position that follows `after`; whether the link was still there at the
        end."""
        meter = self.meter
        stall_at, _, stall = (meter.fault('stall') or '0:0').partition(':')
        if not after:
            self.offset = 0 if meter.fault('no-offset') is not None else None
        for position, record in enumerate(selected, after + 1):
            if position == int(stall_at):
                meter.log('STALL', before=record.number, milliseconds=stall)
                await asyncio.sleep(float(stall) / 1000)
            if meter.fault('hold') == str(position):
                meter.log('HELD', before=record.number)
                while meter.fault('hold') == str(position):
                    await asyncio.sleep(0.005)
            pause = meter.fault('pause')
            await asyncio.sleep(float(pause if pause is not None else meter.options.interval) / 1000)
            if str(record.number) != meter.fault('skip-number'):
                again = meter.fault('duplicates') is not None and position % 5 == 0
                for _ in range(1 + again):
                    await self.notify(record)
            meter.log('NOTIFIED', position=position, number=record.number)
            if str(position) == meter.fault('lose-link-after'):
                meter.faults.pop('lose-link-after')
                meter.log('LINK_LOST', after=position)
                await asyncio.sleep(0.05)            # what is queued goes out first
                meter.air.lose()
                return False
            if str(position) == meter.fault('disconnect-after'):
                meter.faults.pop('disconnect-after')
                meter.log('DISCONNECT', after=position)
                await asyncio.sleep(0.05)
                await connection.disconnect(0x13)
                return False
        return True

    async def notify(self, record: Record) -> None:
        device, value = self.meter.device, record.measurement
        if record.offset == self.offset:
            value = record.without_offset()
        self.offset = record.offset
        if str(record.number) == self.meter.fault('cut-record'):
            value = value[:10]
        for connection in list(device.connections.values()):
            await device.notify_subscriber(connection, self.measurement, value)
            if record.context and self.meter.fault('no-context') is None:
                await device.notify_subscriber(connection, self.context, record.context)

    async def respond(self, connection, op_code: int, code: int) -> None:
        if self.meter.fault('no-response') is not None:
            return self.meter.log('RESPONSE_SUPPRESSED')
        if self.meter.fault('wrong-op-code') is not None:
            op_code = COUNT if op_code == REPORT else REPORT
        return await self.indicate(connection, bytes([RESPONSE, NULL, op_code, code]))

    async def indicate(self, connection, value: bytes) -> None:
        self.meter.log('INDICATE', data=value.hex())
        if self.procedure is asyncio.current_task():     # over, as far as the next write is concerned
            self.finishing, self.procedure = self.procedure, None
        try:
            await self.meter.device.indicate_subscriber(connection, self.control_point, value)
        except (TimeoutError, asyncio.TimeoutError):
            self.meter.log('CONFIRMATION_TIMEOUT')

    def stop(self) -> None:
        for task in (self.procedure, self.finishing, self.aborting):
            if task:
                task.cancel()
