"""--delete-after-sync: after the commit, what this run has stored and nothing else, and only once that is confirmed."""


async def run(lab):
    await lab.new_meter()
    # Nobody is there to ask: stored, and not deleted.
    unasked = await lab.sync('--delete-after-sync')
    lab.requested(unasked, '0101', '0401')
    await lab.holds()
    lab.bench.add(3)
    declined = lab.start_sync('--delete-after-sync', terminal=True)
    await declined.asked('Type delete')
    await declined.types('yes')
    await declined.finish(0)
    lab.requested(declined, '0103011f00', '0104011e001e00')
    lab.happened(0, 'DELETED')
    await lab.holds()
    lab.bench.add(2)
    confirmed = lab.start_sync('--delete-after-sync', terminal=True)
    await confirmed.asked('Type delete')
    lab.bench.add(1)        # a reading is taken while the question stands: it is not stored yet
    await confirmed.types('delete')
    await confirmed.finish(0)
    lab.requested(confirmed, '0103012200', '01040121002100', '02040122002300')
    lab.happened(1, 'DELETED', records=2)
    lab.check([each.number for each in lab.meter.held] == [*range(1, 34), 36],
              f'the meter holds {[each.number for each in lab.meter.held]} after {confirmed.label}')
    await lab.holds([each for each in lab.meter.ever if each.number != 36])
    # What could not be stored is not deleted.
    lab.bench.add(4)
    lab.fault('lose-link-after', 3)
    await lab.sync('--delete-after-sync', '--yes', '--retries', '0', status=1)
    lab.happened(1, 'DELETED')
    last = await lab.sync('--delete-after-sync', '--yes')
    lab.requested(last, '0103012400', '01040123002300', '02040124002800')
    lab.happened(1, 'DELETED', records=5)
    await lab.holds()
    lab.check([each.number for each in lab.meter.held] == [*range(1, 34)],
              f'the meter holds {[each.number for each in lab.meter.held]} after {last.label}')
    # Everything the run stores or holds already is what it may delete.
    await lab.sync('--all', '--delete-after-sync', '--yes')
    lab.check(not lab.meter.held, f'the meter holds {[each.number for each in lab.meter.held]} in the end')
    await lab.holds()
    empty = await lab.sync('--delete-after-sync', '--yes')
    lab.check(not any(request.startswith('02') for request in empty.control_point_writes),
              f'{empty.label}: deletes from an empty meter: {empty.control_point_writes}')
    await lab.holds()
