"""The meter answers Op Code Not Supported: to the report, which ends the run, then to the count and to the deletion, which
hinder nothing."""


async def run(lab):
    await lab.new_meter()
    lab.fault('unsupported-op-code', 1)
    refused = await lab.sync('--retries', '0', status=1)
    lab.requested(refused, '0101')
    lab.check(refused.result.get('outcome') == 'refused', f'{refused.label}: outcome {refused.result.get("outcome")}')
    await lab.holds([])
    lab.fault('unsupported-op-code', 4)
    await lab.sync()
    await lab.holds()
    lab.fault('unsupported-op-code', 2)
    lab.bench.add(2)
    kept = await lab.sync('--delete-after-sync', '--yes')
    lab.check(len(lab.meter.held) == 32, f'{kept.label}: the meter holds {len(lab.meter.held)} records')
    await lab.holds()
