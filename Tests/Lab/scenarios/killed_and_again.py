"""A run right after a killed one: the kernel keeps the link for two seconds, and the meter its report. That link is ended,
and all is fetched on another."""


async def run(lab):
    await lab.new_meter()
    lab.fault('hold', 16)
    killed = lab.start_sync()
    await lab.log.until('HELD')
    await killed.job.signal('KILL')
    again = lab.start_sync()
    lab.meter.faults.clear()
    await killed.finish(137)
    await again.finish(0)
    lab.requested(again, '0101', '0401')
    lab.happened(2, 'CONNECTED')
    await lab.holds()
