"""bluetoothd in the guest, and what another program does through it."""
from guest import Guest, Job

ADDRESS = 'F0:0D:CA:FE:00:01'


class BluetoothDaemon:
    def __init__(self, guest: Guest, log: str):
        self.guest, self.log = guest, log

    async def start(self) -> Job:
        """The system bus and bluetoothd, ready when its adapter is powered."""
        await self.guest.run('mkdir -p /run/dbus; pgrep -x dbus-daemon >/dev/null || '
                             'dbus-daemon --system --fork --nopidfile; rm -rf /var/lib/bluetooth/*')
        daemon = self.guest.start(f'exec /usr/libexec/bluetooth/bluetoothd -n -d >{self.log} 2>&1')
        powered = await self.guest.run('for _ in {1..20}; do\n'
                                       '  timeout 5 bluetoothctl power on 2>/dev/null | grep -q succeeded && exit\n'
                                       '  sleep 0.5\ndone\nexit 1')
        if powered.status:
            raise RuntimeError('bluetoothd does not power the adapter on')
        return daemon

    async def start_agent(self) -> Job:
        """Says yes to every pairing, as a desktop's applet would be told to."""
        agent = self.guest.start('exec bluetoothctl --agent NoInputNoOutput < <(\n'
                                 'sleep 1; echo default-agent; while sleep 0.5; do echo yes; done)')
        await self.guest.run('sleep 2.5')
        return agent

    async def fetch_all(self) -> str:
        """Pairs, subscribes and asks for every record, as a vendor's program on BlueZ does; what bluetoothctl said."""
        commands = [('scan on', 3), ('scan off', 1), (f'pair {ADDRESS}', 6), (f'connect {ADDRESS}', 5)]
        commands += [('menu gatt', 0.5)]
        for uuid in ('2a18', '2a34', '2a52'):
            full = f'0000{uuid}-0000-1000-8000-00805f9b34fb'
            commands += [(f'select-attribute {full}', 0.5), ('notify on', 1)]
        commands += [('write "0x01 0x01"', 4), ('back', 0.3), (f'disconnect {ADDRESS}', 2), ('quit', 0)]
        typed = '\n'.join(f"echo '{command}'; sleep {pause}" for command, pause in commands)
        said = await self.guest.run(f'{{\n{typed}\n}} | bluetoothctl --agent NoInputNoOutput', 90)
        return said.output
