"""adapters lists the adapter, and scan the meter, first as not bonded, then as bonded."""


async def run(lab):
    await lab.new_meter()
    adapters = await lab.run(f'{lab.racpscope} adapters')
    lab.check(adapters.status == 0 and '00:1B:DC:07:32:01' in adapters.output, f'adapters: {adapters}')
    before = await lab.run(f'{lab.racpscope} scan --seconds 3 --format jsonl')
    await lab.sync()
    await lab.holds()
    after = await lab.run(f'{lab.racpscope} scan --seconds 3 --format jsonl --store {lab.place}/meter.db')
    for scan in (before, after):
        lab.check(scan.status == 0 and 'F0:0D:CA:FE:00:01' in scan.output, f'scan: {scan}')
    lab.check(before.output != after.output, f'scan does not tell a bonded meter: {after.output}')
