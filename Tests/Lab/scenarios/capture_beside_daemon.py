"""racpscope capture records while bluetoothd pairs and fetches, and the capture tells every reading."""
from host_racpscope import run_on_host


async def run(lab):
    await lab.new_meter()
    await lab.daemon.start()
    capture = lab.guest.start(f'exec {lab.racpscope} capture -o {lab.place}/daemon.btsnoop')
    await lab.run('sleep 2')
    said = await lab.daemon.fetch_all()
    (lab.folder / 'bluetoothctl.txt').write_text(said)
    await capture.signal('INT')
    finished = await capture.wait(30)
    lab.check(finished.status == 0, f'capture exits {finished.status}: {finished.errors[-200:]}')
    await lab.run(f'cp {lab.place}/daemon.btsnoop {lab.folder}/')
    status, text = await run_on_host(lab.racpscope, 'records', '--format', 'jsonl', str(lab.folder / 'daemon.btsnoop'))
    lab.check(status == 0 and len(text.splitlines()) == 30,
              f'{len(text.splitlines())} records in the capture, exit {status}: {text[-200:]}')
