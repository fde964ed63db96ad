"""The meter counts a record more than it has, then two fewer: a count is an estimate, and no reason to fail."""


async def run(lab):
    await lab.new_meter()
    lab.fault('wrong-count')
    # Asked for once more, then for what lies outside of what came.
    more = await lab.sync(repeats=True)
    lab.check(more.control_point_writes[:3] == ['0101', '0401', '0101'],
              f'{more.label}: requested {more.control_point_writes}')
    await lab.holds()
    lab.bench.add(5)
    await lab.sync('--count', repeats=True)
    await lab.holds()
    await lab.new_meter()
    lab.fault('wrong-count', -2)
    fewer = await lab.sync()
    lab.requested(fewer, '0101', '0401')
    await lab.holds(when='a count of two fewer')
    lab.bench.add(5)
    await lab.sync('--count')
    await lab.holds(when='a count of two fewer, asked first')
