"""SIGKILL in the middle of a report: nothing of it is stored, and the next run fetches all."""
CORE = True


async def run(lab):
    await lab.new_meter()
    lab.fault('hold', 16)
    sync = lab.start_sync()
    await lab.log.until('HELD')
    await sync.job.signal('KILL')
    await sync.finish(137)
    await lab.holds([])
    await lab.log.reaches(1, 'DISCONNECTED')        # the kernel keeps the link for two seconds
    lab.meter.faults.clear()
    await lab.sync()
    await lab.holds()
