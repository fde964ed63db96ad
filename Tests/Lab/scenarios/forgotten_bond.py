"""The meter forgot the bond: exit 4 with the way out; --repair forgets ours, pairs again and goes on."""
CORE = True


async def run(lab):
    await lab.new_meter()
    await lab.sync()
    await lab.meter.forget_bonds()
    lab.bench.add(2)
    lost = await lab.sync(status=4)
    lab.check('--repair' in lost.finished.errors + lost.finished.output, f'{lost.label}: does not name --repair')
    await lab.holds(lab.meter.ever[:30])
    repaired = await lab.sync('--repair', '--yes')
    lab.requested(repaired, '0103011f00', '0104011e001e00')
    lab.check(bool(repaired.capture.discovery), f'{repaired.label}: uses the handles of the bond that was lost')
    await lab.holds()
    lab.happened(2, 'PAIRED')
