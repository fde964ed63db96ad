"""The README's lines as a newcomer with bluetoothd types them: scan, pair in bluetoothctl, sync, sync again, compare."""
from pathlib import Path

from bluetooth_daemon import ADDRESS

README = Path(__file__).parents[3] / 'README.md'


def lines() -> list[str]:
    block = README.read_text().split('**What should the app have got?**')[1].split('```')[1]
    return [line for line in block.splitlines() if line and not line.startswith('sudo setcap')]


async def run(lab):
    scan, pair, sync, compare = lines()
    await lab.new_meter()
    await lab.daemon.start()
    seen = await lab.run(f'timeout --signal INT 15 {lab.racpscope} {scan.removeprefix("racpscope ")}')
    lab.check(ADDRESS in seen.output, f'scan: {seen}')

    command, typed = pair.split('#')
    first, *rest = typed.split('type: ')[1].split(', ')
    waits = {'scan': f'bluetoothctl devices | grep -q {ADDRESS}',
             'pair': f'bluetoothctl info {ADDRESS} | grep -q "Paired: yes"'}
    script = []
    for said in (first, *rest):
        until = waits.get(said.split()[0], 'sleep 3')
        script.append(f'echo "{said}"; for _ in {{1..60}}; do {until} && break; sleep 0.5; done')
    said = await lab.run('{ sleep 2\n' + '\n'.join(script) + f'\n}} | timeout 120 {command}', 150)
    lab.check('Paired: yes' in said.output, f'pair: {said.output[-400:]}')

    words = sync.removeprefix('racpscope sync ')
    for stored, more in (('30 new records are stored', '--save vendor.btsnoop'), ('Nothing new', '')):
        done = await lab.run(f'cd {lab.place} && {lab.racpscope} sync {words} {more}', 150)
        lab.check(done.status == 0 and stored in done.output, f'sync: {done}')
    await lab.run(f'cp {lab.place}/meters.db {lab.place}/vendor.btsnoop {lab.folder}/\n'
                  f'mv {lab.folder}/meters.db {lab.folder}/meter.db')
    await lab.holds()
    await lab.lint(lab.folder / 'vendor.btsnoop')
    same = await lab.run(f'cd {lab.place} && {lab.racpscope} {compare.removeprefix("racpscope ")}')
    lab.check(same.status == 0 and 'hold the same 30 readings' in same.output, f'compare: {same}')
