"""The meter never ends its report: after 30 s the run and the link end, and nothing of it is stored."""
CORE = True


async def run(lab):
    await lab.new_meter()
    lab.fault('no-response')
    silent = await lab.sync('--retries', '0', status=1)
    lab.requested(silent, '0101')
    lab.check(30 <= silent.finished.seconds < 50, f'{silent.label}: ended after {silent.finished.seconds:.0f} s')
    await lab.holds([])
    lab.meter.faults.clear()
    await lab.sync()
    await lab.holds()
