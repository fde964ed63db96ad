"""--range asks for these numbers alone, and leaves no record unasked for later."""


async def run(lab):
    await lab.new_meter()
    ever = lab.meter.ever
    first = await lab.sync('--range', '5-9')
    lab.requested(first, '01040105000900')
    await lab.holds(ever[4:9])
    rest = await lab.sync()
    lab.requested(rest, '0101', '0401')
    await lab.holds()
    held = await lab.sync('--range', '1-3')
    lab.requested(held, '01040101000300')
    lab.check(held.result.get('stored') == 0, f'{held.label}: stored {held.result.get("stored")}')
    lab.bench.add(10)
    # 31 to 34 lie between: the mark stays.
    beyond = await lab.sync('--range', '35-38')
    lab.check(beyond.control_point_writes[:1] == ['01040123002600'], f'{beyond.label}: {beyond.control_point_writes}')
    await lab.holds([*lab.meter.ever[:30], *lab.meter.ever[34:38]])
    increment = await lab.sync()
    lab.check(increment.control_point_writes[:1] == ['0103011f00'],
              f'{increment.label}: requested {increment.control_point_writes}')
    await lab.holds()
    none = await lab.sync('--range', '100-200')
    lab.check(none.control_point_writes[:1] == ['0104016400c800'], f'{none.label}: {none.control_point_writes}')
    await lab.holds()
    before = len(lab.log.all('CONNECTED'))
    for words in (('9-5',), ('70000-70001',), ('x',), ('1-3', '--all')):
        await lab.sync('--range', *words, status=2)
    lab.happened(before, 'CONNECTED')
    await lab.holds()
