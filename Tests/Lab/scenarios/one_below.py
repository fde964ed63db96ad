"""The meter takes "greater than or equal" for one less, and sends the last known record again: it is held once."""


async def run(lab):
    await lab.new_meter()
    await lab.sync()
    lab.fault('one-below')
    lab.bench.add(3)
    await lab.sync()
    await lab.holds()
    await lab.sync()
    await lab.holds()
