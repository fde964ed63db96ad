"""bluetoothd runs with an agent: its bond is used, now and on the next run, once it has left the link."""


async def run(lab):
    await lab.new_meter()
    await lab.daemon.start()
    await lab.daemon.start_agent()
    await lab.sync(status=(0, 5))
    await lab.daemon.release(lab.log)
    await lab.sync()
    await lab.holds()
    await lab.daemon.release(lab.log)
    lab.bench.add(2)
    await lab.sync()
    await lab.holds()
    lab.happened(1, 'PAIRED')
