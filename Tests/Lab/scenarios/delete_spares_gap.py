"""A record the meter does not give, and records without their context, are never inside a range that is deleted."""


async def run(lab):
    await lab.new_meter()
    lab.fault('skip-number', 7)
    sync = await lab.sync('--delete-after-sync', '--yes', repeats=True)
    lab.check(sync.control_point_writes[-2:] == ['02040101000600', '02040108001e00'],
              f'{sync.label}: requested {sync.control_point_writes}')
    lab.check([each.number for each in lab.meter.held] == [7], f'the meter holds {lab.meter.held}')
    await lab.holds([each for each in lab.meter.ever if each.number != 7])
    lab.meter.faults.clear()
    await lab.sync('--all', '--delete-after-sync', '--yes')
    lab.check(not lab.meter.held, f'the meter holds {lab.meter.held}')
    await lab.holds()
    lab.fault('no-context')
    lab.bench.add(4)
    incomplete = await lab.sync('--delete-after-sync', '--yes', repeats=True)
    kept = {each.number for each in lab.meter.ever[30:] if each.context}
    lab.check({each.number for each in lab.meter.held} == kept, f'the meter holds {lab.meter.held}, not {kept}')
    lab.check(bool(kept), f'{incomplete.label}: has no record with a context')
    await lab.holds(without_context=kept)
