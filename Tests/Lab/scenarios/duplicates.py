"""Every fifth record is sent twice, and stored once."""


async def run(lab):
    await lab.new_meter()
    lab.fault('duplicates')
    await lab.sync()
    await lab.holds()
