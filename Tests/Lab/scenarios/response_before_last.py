"""The response comes before the last two records: no run loses them, whatever it says."""


async def run(lab):
    await lab.new_meter()
    lab.fault('response-before-last', 2)
    # The last two may come before or after the answer to the count: where they come after it, all is asked for again.
    first = await lab.sync('--retries', '0', status=(0, 1), repeats=True)
    stored = lab.stored()
    lab.check(bool(first.finished.status) or len(stored) == 30, f'{first.label}: exit 0 with {len(stored)} records')
    lab.bench.add(6)
    second = await lab.sync('--retries', '0', status=(0, 1), repeats=True)
    stored = lab.stored()
    lab.check(bool(second.finished.status) or len(stored) == 36, f'{second.label}: exit 0 with {len(stored)} records')
    lab.meter.faults.clear()
    await lab.sync()
    await lab.holds()
