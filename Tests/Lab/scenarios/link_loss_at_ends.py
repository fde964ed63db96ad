"""The link is lost at the first record, then at the last, before the response: one run gets over both."""


async def run(lab):
    for position in (1, 30):
        await lab.new_meter()
        lab.fault('lose-link-after', position)
        sync = await lab.sync()
        lab.requested(sync, '0101', '0101', '0401')
        await lab.holds(when=f'a loss at record {position}')
