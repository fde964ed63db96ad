"""A second run uses the bond and the cached handles, and fetches what is new; a third finds nothing new."""
CORE = True


async def run(lab):
    await lab.new_meter()
    await lab.sync()
    lab.bench.add(3)
    second = await lab.sync()
    await lab.holds()
    lab.check(not second.capture.discovery, f'{second.label}: discovers again')
    # From 31 on, then 30 again: is it still the same numbering?
    lab.requested(second, '0103011f00', '0104011e001e00')
    second.takes_round_trips(7)
    third = await lab.sync()
    await lab.holds()
    lab.check(not third.capture.discovery, f'{third.label}: discovers again')
    # From 34 on, then the last one.
    lab.requested(third, '0103012200', '0106')
    third.takes_round_trips(7)
    lab.happened(1, 'PAIRED')
