"""Contexts are announced and never sent: the records are stored with that fact."""


async def run(lab):
    await lab.new_meter()
    lab.fault('no-context')
    await lab.sync()
    await lab.holds(without_context={record.number for record in lab.meter.ever})
