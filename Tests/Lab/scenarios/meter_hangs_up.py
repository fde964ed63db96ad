"""The meter disconnects in the middle of its report."""


async def run(lab):
    await lab.new_meter()
    lab.fault('disconnect-after', 10)
    await lab.sync('--retries', '0', status=1)
    await lab.holds([])
    await lab.sync()
    await lab.holds()
