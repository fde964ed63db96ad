"""The first record of a report carries no Time Offset: none is made up, and one that comes later is kept."""


async def run(lab):
    await lab.new_meter()
    lab.fault('no-offset')
    first = await lab.sync()
    lab.requested(first, '0101', '0401')
    # Number 2 carries one, and the records after it go by the one before them.
    await lab.holds(without_offset={1})
    lab.bench.add(3)
    await lab.sync()
    await lab.holds(without_offset={1, 31})
    lab.meter.faults.clear()
    await lab.sync('--all')
    await lab.holds()
