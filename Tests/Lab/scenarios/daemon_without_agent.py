"""bluetoothd runs and no agent is registered: it refuses to pair; exit 4 with the way through bluetoothctl."""


async def run(lab):
    await lab.new_meter()
    await lab.daemon.start()
    refused = await lab.sync(status=4)
    lab.check('bluetoothctl' in refused.finished.errors, f'{refused.label}: does not name bluetoothctl')
    await lab.holds([])
