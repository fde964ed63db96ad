"""A measurement ends in the middle: its octets are kept as they came, and the whole one beside them when that comes."""


async def run(lab):
    await lab.new_meter()
    lab.fault('cut-record', 7)
    await lab.sync()
    cut = [each for each in lab.stored() if each.number == 7]
    whole = lab.meter.ever[6].measurement
    lab.check([each.value for each in cut] == [whole[:10]] or [each.value[1:] for each in cut] == [whole[1:10]],
              f'7 is stored as {[each.value.hex() for each in cut]}, sent as {whole[:10].hex()}')
    others = [each for each in lab.stored() if each.number != 7]
    lab.check(len(others) == 29, f'{len(others)} other records are stored, not 29')
    lab.meter.faults.clear()
    again = await lab.sync('--all')
    values = [each.value for each in lab.stored() if each.number == 7]
    lab.check(len(values) == 2 and lab.meter.ever[6].without_offset() in values or whole in values,
              f'{again.label}: 7 is stored as {[value.hex() for value in values]}')
