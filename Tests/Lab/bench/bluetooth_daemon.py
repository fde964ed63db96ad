"""bluetoothd in the guest, and what another program does through it."""
import asyncio
import time

from guest import Guest, Job
from meter_log import MeterLog

ADDRESS = 'F0:0D:CA:FE:00:01'


class BluetoothControl:
    """A bluetoothctl that is typed to, as a desktop's applet or a vendor's program stands to bluetoothd."""

    def __init__(self, guest: Guest, name: str):
        self.guest, self.keys = guest, f'/run/lab/{name}.keys'
        # Line by line: what it says is waited for.
        self.job: Job = guest.start(f'rm -f {self.keys}; mkfifo {self.keys}; exec 4<>{self.keys}\n'
                                    'exec stdbuf -oL bluetoothctl --agent NoInputNoOutput <&4')

    def said(self) -> str:
        return self.job.file('out').read_text(errors='replace') if self.job.file('out').exists() else ''

    async def says(self, text: str, seconds: float = 60) -> bool:
        """Waits for it; whether it came."""
        deadline = time.monotonic() + seconds
        while text not in self.said():
            if time.monotonic() > deadline or self.job.done.done():
                return False
            await asyncio.sleep(0.05)
        return True

    async def type(self, line: str) -> None:
        await self.guest.run(f"until [[ -p {self.keys} ]]; do sleep 0.05; done; echo '{line}' >{self.keys}")


class BluetoothDaemon:
    def __init__(self, guest: Guest, log: str):
        self.guest, self.log = guest, log

    async def start(self) -> Job:
        """The system bus and bluetoothd, ready when its adapter is powered."""
        await self.guest.run('mkdir -p /run/dbus; pgrep -x dbus-daemon >/dev/null || '
                             'dbus-daemon --system --fork --nopidfile; rm -rf /var/lib/bluetooth/*')
        daemon = self.guest.start(f'exec /usr/libexec/bluetooth/bluetoothd -n -d >{self.log} 2>&1')
        powered = await self.guest.run('for _ in {1..20}; do\n'
                                       '  timeout 10 bluetoothctl power on 2>/dev/null | grep -q succeeded && exit\n'
                                       '  sleep 0.5\ndone\nexit 1', 240)
        if powered.status:
            raise RuntimeError('bluetoothd does not power the adapter on')
        return daemon

    async def start_agent(self) -> BluetoothControl:
        """Says yes to every pairing, as a desktop's applet would be told to."""
        agent = BluetoothControl(self.guest, 'agent')
        registered = await agent.says('Agent registered')
        await agent.type('default-agent')
        if not registered or not await agent.says('Default agent request successful'):
            raise RuntimeError(f'bluetoothctl is no agent: {agent.said()[-300:]}')
        self.guest.start(f'while sleep 0.5; do echo yes; done >{agent.keys}')
        return agent

    async def release(self, meter: MeterLog) -> None:
        """Ends the link bluetoothd has with the meter, if any, and waits for that."""
        await self.guest.run(f'timeout 20 bluetoothctl disconnect {ADDRESS}')
        await meter.reaches(len(meter.all('CONNECTED')), 'DISCONNECTED')

    async def fetch_all(self, meter: MeterLog) -> str:
        """Pairs, subscribes and asks for every record, as a vendor's program on BlueZ does; what bluetoothctl said."""
        control = BluetoothControl(self.guest, 'control')
        await control.says('Agent registered')
        await control.type('scan on')
        await control.says(f'Device {ADDRESS}')
        await control.type('scan off')
        await control.says('Discovery stopped')
        await control.type(f'pair {ADDRESS}')
        await meter.reaches(1, 'PAIRED')
        await control.says('ServicesResolved: yes')
        await control.type('menu gatt')
        for number in ('2A18', '2A34', '2A52'):
            await control.type(f'select-attribute 0000{number.lower()}-0000-1000-8000-00805f9b34fb')
            await control.type('notify on')
            await meter.reaches(1, 'CCCD', uuid=number)
        await control.type('write "0x01 0x01"')
        await meter.reaches(1, 'INDICATE')
        await control.type('back')
        await control.type(f'disconnect {ADDRESS}')
        await meter.reaches(1, 'DISCONNECTED')
        await control.type('quit')
        return (await control.job.wait(30)).output
