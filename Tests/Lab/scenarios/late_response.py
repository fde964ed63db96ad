"""The response comes 8 s after the last record: nothing is stored before it, and all of it after."""
import asyncio


async def run(lab):
    await lab.new_meter()
    lab.fault('late-response', 8000)
    sync = lab.start_sync('--retries', '0')
    await lab.log.until('REPORTED')
    await asyncio.sleep(2)
    await lab.fetch(sync)
    await lab.holds([], when='the records, before the response')
    await sync.finish(0)
    lab.requested(sync, '0101', '0401')
    await lab.holds()
    # Lost in that silence: the report has no end, so nothing of it counts.
    lab.bench.add(4)
    cut = lab.start_sync('--retries', '0')
    await lab.log.until('REPORTED')
    lab.bench.air.lose()
    await cut.finish(1)
    await lab.holds(lab.meter.ever[:30])
    lab.meter.faults.clear()
    await lab.sync()
    await lab.holds()
