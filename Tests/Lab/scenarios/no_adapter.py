"""No right to use the adapter, or no adapter: exit 3 and the way out, nothing sent and no store made."""


async def run(lab):
    await lab.new_meter()
    await lab.run(f'chmod 777 {lab.place}')
    forbidden = await lab.sync(status=3, user='nobody')
    lab.check('setcap' in forbidden.finished.errors, f'{forbidden.label}: does not name setcap')
    await lab.bench.unplug()
    absent = await lab.sync(status=3)
    lab.check(absent.finished.errors.strip() != '', f'{absent.label}: says nothing')
    lab.happened(0, 'CONNECTED')
    left = await lab.run(f'ls {lab.place}')
    lab.check(left.output.strip() == '', f'left behind: {left.output}')
    await lab.holds([])
