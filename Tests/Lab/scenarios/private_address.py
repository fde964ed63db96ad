"""A meter that advertises under resolvable private addresses is known again by its identity."""


async def run(lab):
    await lab.new_meter('--private')
    await lab.sync(address=str(lab.meter.device.random_address).split('/')[0])
    await lab.holds()
    await lab.meter.device.update_rpa()
    lab.bench.add(3)
    await lab.sync()
    await lab.holds()
    lab.happened(1, 'PAIRED')
