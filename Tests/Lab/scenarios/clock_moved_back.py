"""The user sets the clock back between syncs, by Time Offset and, on a faulty meter, by Base Time: nothing is lost."""


async def run(lab):
    await lab.new_meter()
    await lab.sync()
    lab.bench.set_clock(-90)
    lab.bench.add(3)
    second = await lab.sync()
    lab.requested(second, '0103011f00', '0104011e001e00')
    await lab.holds()
    lab.bench.set_clock(-6000, moves_base=True)
    lab.bench.add(3)
    third = await lab.sync()
    lab.requested(third, '0103012200', '01040121002100')
    await lab.holds()
