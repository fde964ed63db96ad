"""The meter's counter starts anew: a new epoch is fetched whole, and the old one stays."""


async def run(lab):
    await lab.new_meter()
    await lab.sync()
    lab.bench.reset(5)
    await lab.sync()
    await lab.holds()
    lab.bench.add(2)
    third = await lab.sync()
    lab.requested(third, '0103010600', '01040105000500')
    await lab.holds()
