"""The disk is full when the records are committed: exit 1, the store as before; with room, the next run goes on."""


async def run(lab):
    await lab.new_meter('--records 600 --interval 1')
    await lab.run(f'mkdir -p {lab.place}/disk; mount -t tmpfs -o size=256k tmpfs {lab.place}/disk')
    lab.meter.held, rest = lab.meter.held[:5], lab.meter.held
    await lab.sync(store='disk/meter.db')
    await lab.holds(lab.meter.held)
    lab.meter.held = rest
    await lab.run(f'dd if=/dev/zero of={lab.place}/disk/ballast bs=4k; ls -la {lab.place}/disk')
    full = await lab.sync('--retries', '0', store='disk/meter.db', status=1)
    lab.check(full.finished.errors.strip() != '', f'{full.label}: says nothing')
    await lab.holds(rest[:5])
    await lab.run(f'mount -o remount,size=16m {lab.place}/disk')
    await lab.sync(store='disk/meter.db')
    await lab.holds()
    await lab.run(f'umount {lab.place}/disk')
