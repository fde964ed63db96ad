"""The response names another request: it is no answer, so nothing is stored."""


async def run(lab):
    await lab.new_meter()
    lab.fault('wrong-op-code')
    await lab.sync('--retries', '0', status=1)
    await lab.holds([])
    lab.meter.faults.clear()
    await lab.sync()
    await lab.holds()
