"""LE legacy pairing: its keys, and the next run with them."""


async def run(lab):
    await lab.new_meter('--legacy')
    await lab.sync()
    await lab.holds()
    lab.happened(1, 'PAIRED', sc=False)
    lab.bench.add(2)
    await lab.sync()
    await lab.holds()
    lab.happened(1, 'PAIRED')
