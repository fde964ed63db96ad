"""racpscope capture records while bluetoothd pairs and fetches: the capture tells every reading, and compare what sync has
fetched since."""
from host_racpscope import run_on_host

ADDRESS = 'F0:0D:CA:FE:00:01'


async def run(lab):
    await lab.new_meter()
    await lab.daemon.start()
    path = f'{lab.place}/daemon.btsnoop'
    capture = lab.guest.start(f'exec {lab.racpscope} capture -o {path}')
    await lab.run(f'until [[ -s {path} ]]; do sleep 0.1; done')
    said = await lab.daemon.fetch_all(lab.log)
    (lab.folder / 'bluetoothctl.txt').write_text(said)
    await capture.signal('INT')
    finished = await capture.wait(60)
    lab.check(finished.status == 0, f'capture exits {finished.status}: {finished.errors[-200:]}')
    await lab.run(f'cp {path} {lab.folder}/')
    vendor = str(lab.folder / 'daemon.btsnoop')
    status, text = await run_on_host(lab.racpscope, 'records', '--format', 'jsonl', vendor)
    lab.check(status == 0 and len(text.splitlines()) == 30,
              f'{len(text.splitlines())} records in the capture, exit {status}: {text[-200:]}')

    async def compare(expected: int) -> str:
        store = ('--store', str(lab.folder / 'meter.db'))
        status, text = await run_on_host(lab.racpscope, 'compare', *store, vendor, f'store:{ADDRESS}')
        lab.check(status == expected, f'compare exits {status}, not {expected}: {text[-300:]}')
        return text

    reference = await lab.sync()        # with the bond of bluetoothd
    await lab.holds()
    await compare(0)
    status, text = await run_on_host(lab.racpscope, 'compare', vendor, str(lab.folder / f'{reference.label}.btsnoop'))
    lab.check(status == 0, f'compare exits {status}: {text[-300:]}')
    await lab.daemon.release(lab.log)
    lab.bench.add(4)
    await lab.sync()
    await lab.holds()
    lacking = await compare(1)
    lab.check('31' in lacking and '34' in lacking, f'compare does not name 31 to 34: {lacking[-300:]}')
