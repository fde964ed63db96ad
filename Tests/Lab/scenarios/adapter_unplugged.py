"""The adapter is pulled out in the middle of a report: exit 3, nothing stored; plugged in, the next run goes on."""


async def run(lab):
    await lab.new_meter()
    lab.fault('hold', 11)
    sync = lab.start_sync('--retries', '0')
    await lab.log.until('HELD')
    await lab.bench.unplug()
    await sync.finish(3)
    await lab.holds([])
    lab.meter.faults.clear()
    await lab.bench.plug()
    await lab.sync()
    await lab.holds()
