"""SIGKILL in the middle of a report: nothing of it is stored, and the next run fetches all."""
CORE = True


async def run(lab):
    await lab.new_meter()
    lab.fault('pause', 20)
    sync = lab.start_sync()
    await lab.log.until('NOTIFIED', position=15)
    await sync.job.signal('KILL')
    await sync.finish(137, lint=False)
    await lab.holds([])
    await lab.sync()
    await lab.holds()
