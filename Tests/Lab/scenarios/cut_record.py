"""A measurement ends in the middle: it is asked for once more, its octets are kept as they came, and the whole one beside
them when that comes; what is cut is never deleted."""


async def run(lab):
    await lab.new_meter()
    lab.fault('cut-record', 7)
    first = await lab.sync('--delete-after-sync', '--yes')
    lab.check('01040107000700' in first.control_point_writes, f'{first.label}: does not ask for 7 once more')
    await lab.holds(cut={7})
    lab.check([each.number for each in lab.meter.held] == [7], f'the meter holds {lab.meter.held}')
    lab.meter.faults.clear()
    again = await lab.sync('--all')
    whole = lab.meter.ever[6]
    values = [each.value for each in lab.stored() if each.number == 7]
    lab.check(len(values) == 2 and (whole.without_offset() in values or whole.measurement in values),
              f'{again.label}: 7 is stored as {[value.hex() for value in values]}')
    others = [each for each in lab.stored() if each.number != 7]
    lab.check(len(others) == 29, f'{again.label}: {len(others)} other records are stored, not 29')
    lab.unheld = ''
    lab.leave_out(f'{again.label}: 7 is held twice, as it should be, so its values are compared here and not by holds')
