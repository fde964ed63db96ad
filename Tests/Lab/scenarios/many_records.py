"""2,000 records in one procedure."""


async def run(lab):
    await lab.new_meter('--records 2000 --interval 1')
    sync = await lab.sync()
    lab.requested(sync, '0101', '0401')
    await lab.holds()
