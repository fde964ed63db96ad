"""The link is lost in the middle of a report: nothing of it is stored; the next link resumes at the right number."""
CORE = True


async def run(lab):
    await lab.new_meter()
    lab.fault('lose-link-after', 12)
    lost = await lab.sync('--retries', '0', status=1)
    lab.requested(lost, '0101')
    await lab.holds([])
    await lab.sync()
    await lab.holds()
    lab.bench.add(10)
    lab.fault('lose-link-after', 5)
    retried = await lab.sync()
    lab.requested(retried, '0103011f00', '0103011f00', '0104011e001e00')
    await lab.holds()
