"""First sync with Just Works pairing: everything the meter has, asked for once."""
CORE = True


async def run(lab):
    await lab.new_meter()
    sync = await lab.sync()
    await lab.holds()
    # All records, then how many there are.
    lab.requested(sync, '0101', '0401')
    sync.takes_round_trips(22)
    lab.happened(1, 'PAIRED', sc=True, mitm=False)
