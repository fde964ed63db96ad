"""A meter that is switched off is told as out of range; one that is switched on late is waited for."""
import asyncio


async def run(lab):
    await lab.new_meter()
    await lab.meter.device.stop_advertising()
    absent = await lab.sync('--retries', '0', status=1)
    lab.check('in range' in absent.finished.errors, f'{absent.label}: says {absent.finished.errors}')
    lab.happened(0, 'CONNECTED')
    await lab.holds([])
    late = lab.start_sync()
    await asyncio.sleep(12)
    await lab.meter.advertise()
    await late.finish(0)
    lab.requested(late, '0101', '0401')
    await lab.holds()
