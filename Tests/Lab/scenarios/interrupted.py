"""Ctrl-C in the middle of a report: Abort, then the end of the link; nothing partial is stored."""


async def run(lab):
    await lab.new_meter()
    lab.fault('hold', 9)
    sync = lab.start_sync()
    await lab.log.until('HELD')
    await sync.job.signal('INT')
    await sync.finish(1, 130)
    lab.requested(sync, '0101', '0300')
    await lab.holds([])
    lab.meter.faults.clear()
    await lab.sync()
    await lab.holds()
