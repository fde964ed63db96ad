"""Passkey entry: a wrong one fails with exit 4 and stores nothing, the right one pairs, and is not asked for again."""
CORE = True


async def run(lab):
    await lab.new_meter('--passkey 123456')
    await lab.sync('--passkey', '654321', status=4)
    lab.happened(1, 'CONNECTED')        # a wrong passkey is not tried again: meters lock
    await lab.holds([])
    await lab.sync('--passkey', '123456')
    await lab.holds()
    lab.happened(1, 'PAIRED', sc=True, mitm=True)
    lab.bench.add(1)
    await lab.sync()
    await lab.holds()
