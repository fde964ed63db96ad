"""A meter without encryption is refused, unless that is allowed."""


async def run(lab):
    await lab.new_meter()
    lab.fault('no-encryption')
    refused = await lab.sync('--retries', '0', status=4)
    lab.check('--allow-unencrypted' in refused.finished.errors, f'{refused.label}: does not name --allow-unencrypted')
    lab.requested(refused)
    await lab.holds([])
    await lab.sync('--allow-unencrypted')
    await lab.holds()
