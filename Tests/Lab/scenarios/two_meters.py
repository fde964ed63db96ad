"""Two meters of one model in one store: bonds, identity keys and numbers are each meter's own."""
import sqlite3

FIRST = 'F0:0D:CA:FE:00:01'
SECOND = 'F0:0D:CA:FE:00:02'


async def run(lab):
    await lab.new_meter('--records 12')
    first = lab.meter
    await lab.sync()
    await lab.holds(address=FIRST)
    folder = lab.folder / 'second'
    folder.mkdir()
    await lab.bench.new(folder, f'--address {SECOND} --serial SN-0002 --records 7')
    second = await lab.sync(address=SECOND)
    lab.requested(second, '0101', '0401')
    await lab.holds(address=SECOND)
    await lab.holds(first.ever, address=FIRST)
    database = sqlite3.connect(lab.folder / 'meter.db')
    keys = [key for key, in database.execute('SELECT identity_resolving_key FROM bonds')]
    database.close()
    own = {bytes(meter.device.irk) for meter in (first, lab.meter)}
    lab.check(len(own) == 2 and set(keys) in (own, {key[::-1] for key in own}),
              f'{second.label}: identity keys {keys}, not {own}')
    lab.bench.add(1)
    third = await lab.sync(address=SECOND)
    lab.requested(third, '0103010800', '01040107000700')
    lab.happened(1, 'PAIRED')
    await lab.holds(address=SECOND)
    await lab.holds(first.ever, address=FIRST)
