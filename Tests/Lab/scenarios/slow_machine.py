"""This machine is too slow for the meter: the kernel drops notifications without a word when its buffer is full.
However much was dropped, no run stores a report with a hole in it."""


async def run(lab):
    await lab.new_meter('--records 10000 --interval 0')
    sync = lab.start_sync('--retries', '0')
    await lab.log.until('NOTIFIED', position=20)
    await sync.job.signal('STOP')
    await lab.log.until('REPORTED')
    await sync.job.signal('CONT')
    await sync.finish(0, 1, unjudged='where the kernel dropped the indication too, it was never confirmed')
    if sync.finished.status:
        await lab.holds([])
        await lab.sync()
    await lab.holds()
