"""bluetoothd runs with an agent: its bond is used, now and on the next run, once it has left the link."""


async def run(lab):
    await lab.new_meter()
    await lab.daemon.start()
    await lab.daemon.start_agent()
    await lab.sync(status=(0, 5))
    await lab.run('bluetoothctl --timeout 4 disconnect F0:0D:CA:FE:00:01; sleep 3')
    await lab.sync()
    await lab.holds()
    lab.bench.add(2)
    await lab.sync()
    await lab.holds()
    lab.happened(1, 'PAIRED')
