"""The meter never ends its report: after 30 s the run and the link end, and nothing of it is stored."""
CORE = True


async def run(lab):
    await lab.new_meter()
    lab.fault('no-response')
    silent = await lab.sync('--retries', '0', status=1)
    lab.requested(silent, '0101')
    last, end = lab.log.all('NOTIFIED')[-1], lab.log.all('DISCONNECTED')[-1]
    lab.check(29.5 <= end.seconds - last.seconds < 60,
              f'{silent.label}: ended {end.seconds - last.seconds:.1f} s after the last record')
    await lab.holds([])
    lab.meter.faults.clear()
    await lab.sync()
    await lab.holds()
