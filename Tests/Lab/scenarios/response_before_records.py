"""The meter's response comes before its records: whatever this run says of it, no record is lost."""
CORE = True


async def run(lab):
    await lab.new_meter()
    lab.fault('response-before-records')
    first = await lab.sync('--retries', '0', status=(0, 1))
    stored = lab.stored()
    lab.check(bool(first.finished.status) or len(stored) == 30, f'{first.label}: exit 0 with {len(stored)} records')
    lab.meter.faults.clear()
    await lab.sync()
    await lab.holds()
