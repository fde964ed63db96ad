"""The write of a request is never answered, though its records and response come: nothing is lost."""


async def run(lab):
    await lab.new_meter()
    lab.fault('no-write-response')
    await lab.sync('--retries', '0', status=(0, 1))
    stored = lab.stored()
    lab.check(len(stored) in (0, 30), f'{len(stored)} records are stored, neither all nor none')
    lab.meter.faults.clear()
    await lab.sync()
    await lab.holds()
