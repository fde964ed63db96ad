"""The meter refuses to pair: exit 4, nothing stored."""


async def run(lab):
    await lab.new_meter()
    lab.fault('refuse-pairing')
    refused = await lab.sync(status=4)
    lab.check(refused.finished.errors.strip() != '', f'{refused.label}: says nothing')
    await lab.holds([])
