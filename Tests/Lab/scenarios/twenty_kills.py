"""SIGKILL at twenty random moments of a run that never gets done; then one that does: nothing is lost or held twice."""
import asyncio
import random


async def run(lab):
    seed = random.randrange(1 << 32)
    moments = random.Random(seed)
    await lab.new_meter()
    (lab.folder / 'seed').write_text(f'{seed}\n')
    lab.fault('pause', 10)
    for attempt in range(20):
        lab.bench.add(1)
        sync = lab.start_sync()
        await asyncio.sleep(moments.uniform(0.1, 2.5))
        await sync.job.signal('KILL')
        await sync.finish(0, 1, 137)
        held = {(each.epoch, each.number) for each in lab.stored()}
        lab.check(len(held) == len(lab.stored()), f'seed {seed}, kill {attempt}: a record is held twice')
    # A kill while the link was being made can leave it to the controller, which the kernel knows nothing of: ended by the
    # meter, as an idle link is.
    try:
        await lab.log.reaches(len(lab.log.all('CONNECTED')), 'DISCONNECTED', seconds=10)
    except TimeoutError:
        lab.bench.air.lose()
    await lab.sync()
    await lab.holds(when=f'twenty kills with seed {seed}')
