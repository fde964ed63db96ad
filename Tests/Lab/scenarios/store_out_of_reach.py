"""Where nothing can be stored, nothing is fetched: no such folder, no database, no room. The meter is left alone."""


async def run(lab):
    await lab.new_meter()
    absent = await lab.sync(store='nowhere/meter.db', status=2)
    lab.check('nowhere' in absent.finished.errors, f'{absent.label}: does not name the store')
    await lab.run(f'echo "no database" >{lab.place}/text.db; mkdir {lab.place}/folder.db')
    for store in ('text.db', 'folder.db'):
        foreign = await lab.sync(store=store, status=2)
        lab.check(store in foreign.finished.errors, f'{foreign.label}: does not name the store')
    await lab.run(f'mkdir -p {lab.place}/disk; mount -t tmpfs -o size=64k tmpfs {lab.place}/disk\n'
                  f'dd if=/dev/zero of={lab.place}/disk/ballast bs=4k')
    full = await lab.sync(store='disk/meter.db', status=1)
    lab.check(full.finished.errors.strip() != '', f'{full.label}: says nothing')
    lab.happened(0, 'CONNECTED')
    await lab.run(f'mount -o remount,size=16m {lab.place}/disk')
    await lab.sync(store='disk/meter.db')
    await lab.holds()
    await lab.run(f'umount {lab.place}/disk')
