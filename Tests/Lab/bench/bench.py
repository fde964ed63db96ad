"""One adapter in the guest and one meter on the air, and what a test does to them.

Commands as text, for shell scripts in the guest (Tests/Lab/run.sh --shell-script):
  new OPTIONS          a factory-new meter and a newly plugged adapter; the options are those of option_parser()
  fault NAME[=VALUE]   add a fault                    clear          remove every fault
  add N                N new records                  reset N        the counter restarts: N newer records alone, from 1
  clock M [base]       the user moves the clock by M minutes: records added from now on, 10 minutes apart, say so in
                       their Time Offset; with "base" a faulty meter moves Base Time instead
  advertise on|off     lose: the link is lost now     forget: the bonds are deleted
  rotate               another resolvable private address
  plug, unplug         the adapter                    dump FILE      the records, as JSON

Faults:
  lose-link-after=N     link loss (0x08, both sides) after N measurements, once
  disconnect-after=N    the meter disconnects (0x13) after N measurements, once
  pause=MS              wait before each notification
  stall=N:MS            wait once, before measurement number N of a report
  hold=N                wait before measurement number N of a report until this fault is removed, or the link ends
  no-encryption         no attribute needs encryption, pairing is refused
  refuse-pairing        attributes need encryption, pairing is refused
  wrong-op-code         the Response Code indication names another request
  wrong-count[=N]       Number of Stored Records answers one too many, or that many more or less
  response-before-records, no-response, late-response=MS    of the Response Code indication
  response-before-last=N    the Response Code indication comes before the last N measurements
  no-write-response     the write of the control point is never answered
  duplicates            every fifth record is sent twice
  skip-number=N         the record with sequence number N is never notified
  no-context            flags announce a context that is never sent
  cut-record=N          the measurement of the record with sequence number N ends after 10 octets
  one-below             "greater than or equal" also selects the record before
  no-offset             the first record of a report carries no Time Offset
  unsupported-operator=N    unsupported-op-code=N    answered by Operator or Op Code Not Supported
"""
import argparse
import datetime
import json
import shlex
from pathlib import Path

from bumble.transport.unix import open_unix_client_transport

from air import Adapter, Air
from glucose_meter import GlucoseMeter
from guest import Guest, Job
from meter_log import MeterLog
from records import record

ADAPTER_ADDRESS = '00:1B:DC:07:32:01'


def option_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog='new', exit_on_error=False)
    parser.add_argument('--address', default='F0:0D:CA:FE:00:01')
    parser.add_argument('--public', action='store_true', help='a public address, not a random static one')
    parser.add_argument('--private', action='store_true', help='advertise under resolvable private addresses')
    parser.add_argument('--name', default='GM-1 0001')
    parser.add_argument('--serial', default='SN-0001')
    parser.add_argument('--records', type=int, default=30)
    parser.add_argument('--first-number', type=int, default=1)
    parser.add_argument('--interval', type=float, default=8, help='milliseconds between notifications')
    parser.add_argument('--mtu', type=int, default=0, help='largest ATT MTU the meter accepts')
    parser.add_argument('--passkey', type=int, help='require MITM protection: display this passkey')
    parser.add_argument('--legacy', action='store_true', help='no LE Secure Connections')
    parser.add_argument('--no-security-request', action='store_true', help='wait for the collector to start security')
    return parser


class Bench:
    def __init__(self, guest: Guest):
        self.guest, self.air = guest, Air()
        self.transport, self.adapter = None, None
        self.attachment: Job | None = None
        self.meter: GlucoseMeter | None = None
        self.now: datetime.datetime | None = None
        self.clock = (0, False)     # minutes, and whether Base Time moves

    async def new(self, folder: Path, options: str = '') -> None:
        """Logs and the meter's own HCI traffic go into the folder."""
        await self.end()
        self.now, self.clock = None, (0, False)
        log = MeterLog(folder / 'meter.log')
        self.meter = GlucoseMeter(option_parser().parse_args(shlex.split(options)), self.air, log)
        await self.meter.start(folder / 'meter.btsnoop')
        await self.plug()

    async def end(self) -> None:
        await self.unplug()
        if self.meter:
            await self.meter.stop()
            self.meter = None

    async def plug(self) -> None:
        self.transport = await open_unix_client_transport(str(self.guest.sockets / 'hci'))
        self.adapter = Adapter('adapter', self.transport.source, self.transport.sink, self.air, ADAPTER_ADDRESS)
        self.attachment = self.guest.start('exec btattach -B /dev/hvc0 -P h4')
        ready = await self.guest.run(
            'for _ in {1..200}; do [[ -e /sys/class/bluetooth/hci0 ]] && exit; sleep 0.05; done; exit 1')
        if ready.status:
            raise RuntimeError('the guest has no adapter: ' + self.attachment.file('err').read_text())

    async def unplug(self) -> None:
        if self.attachment is None:
            return
        self.air.remove_controller(self.adapter)    # it hears and says nothing more
        self.adapter.hci_sink = None
        await self.attachment.signal('KILL')
        await self.attachment.wait()
        await self.transport.close()
        self.transport = self.adapter = self.attachment = None
        if self.meter:
            self.air.lose(of=self.meter.radio)

    def add(self, count: int) -> None:
        meter = self.meter
        index = len(meter.ever)
        numbers = [each.number for each in meter.ever if each.epoch == meter.epoch]
        number = numbers[-1] + 1 if numbers else meter.options.first_number
        added = []
        for position in range(count):
            base_time, offset = None, None
            if self.now:
                minutes, moves_base = self.clock
                self.now += datetime.timedelta(minutes=10)
                base_time = self.now + datetime.timedelta(minutes=minutes if moves_base else 0)
                offset = 0 if moves_base else minutes
            added.append(record(index + position, number + position, meter.epoch, base_time, offset))
        meter.add(added)

    def reset(self, count: int) -> None:
        meter = self.meter
        meter.epoch += 1
        meter.held = []
        index = len(meter.ever)
        meter.add([record(index + position, 1 + position, meter.epoch) for position in range(count)])

    def set_clock(self, minutes: int, moves_base: bool = False) -> None:
        self.clock = minutes, moves_base
        if self.now is None:
            self.now = self.meter.held[-1].base_time

    async def command(self, line: str, folder: Path) -> None:
        word, _, rest = line.partition(' ')
        meter = self.meter
        match word:
            case 'new': await self.new(folder, rest)
            case 'fault': meter.faults[rest.partition('=')[0]] = rest.partition('=')[2]
            case 'clear': meter.faults.clear()
            case 'add': self.add(int(rest))
            case 'reset': self.reset(int(rest))
            case 'clock': self.set_clock(int(rest.split()[0]), rest.endswith('base'))
            case 'advertise': await (meter.advertise() if rest == 'on' else meter.device.stop_advertising())
            case 'lose': self.air.lose()
            case 'forget': await meter.forget_bonds()
            case 'rotate': await meter.device.update_rpa()
            case 'plug': await self.plug()
            case 'unplug': await self.unplug()
            case 'dump':
                (folder / rest).write_text(json.dumps(dict(
                    held=[each.as_json() for each in meter.held], ever=[each.as_json() for each in meter.ever])))
            case _: raise ValueError(f'unknown command {word}')
