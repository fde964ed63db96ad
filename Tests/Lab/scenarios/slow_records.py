"""300 ms between all records and 5 s before one of them: a pause is never the end."""
CORE = True


async def run(lab):
    await lab.new_meter('--records 12')
    lab.fault('pause', 300)
    lab.fault('stall', '6:5000')
    sync = await lab.sync()
    lab.requested(sync, '0101', '0401')
    await lab.holds()
