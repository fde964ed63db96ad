"""The meter does not know "greater than or equal": all is asked for instead, and at once on later runs."""


async def run(lab):
    await lab.new_meter()
    await lab.sync()
    lab.fault('unsupported-operator', 3)
    lab.bench.add(2)
    second = await lab.sync()
    lab.check(second.control_point_writes[:2] == ['0103011f00', '0101'],
              f'{second.label}: requested {second.control_point_writes}')
    await lab.holds()
    lab.bench.add(1)
    third = await lab.sync()
    lab.check(third.control_point_writes[:1] == ['0101'], f'{third.label}: requested {third.control_point_writes}')
    await lab.holds()
