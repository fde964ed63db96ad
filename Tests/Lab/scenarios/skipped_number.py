"""A number is left out: the others are stored; asked for all, the meter sends it after all, and it is stored too."""


async def run(lab):
    await lab.new_meter()
    lab.fault('skip-number', 7)
    # The count says that one is missing: everything is asked for once more.
    await lab.sync(repeats=True)
    await lab.holds([record for record in lab.meter.ever if record.number != 7])
    lab.meter.faults.clear()
    await lab.sync('--all')
    await lab.holds()
