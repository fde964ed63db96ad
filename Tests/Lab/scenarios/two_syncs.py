"""A second sync of a meter that is being synced says so and exits 5; the first is not disturbed."""
CORE = True


async def run(lab):
    await lab.new_meter()
    lab.fault('hold', 4)
    first = lab.start_sync()
    await lab.log.until('HELD')
    second = await lab.sync(status=5)
    lab.check('racpscope' in second.finished.errors, f'{second.label}: does not say who holds the meter')
    lab.meter.faults.clear()
    await first.finish(0)
    lab.requested(first, '0101', '0401')
    await lab.holds()
