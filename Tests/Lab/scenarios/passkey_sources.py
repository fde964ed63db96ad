"""The passkey from a file descriptor, and typed at the terminal; none where nothing can be read or nobody is there."""


async def run(lab):
    await lab.new_meter('--passkey 42')
    await lab.sync('--passkey-fd', '3', status=2)      # not open
    lab.happened(0, 'CONNECTED')
    await lab.sync('--passkey-fd', '3', before='exec 3</dev/null', status=4)
    await lab.sync('--passkey-fd', '3', before='exec 3<<<654321', status=4)
    await lab.sync('--passkey-fd', '3', before='exec 3<<<passkey', status=4)
    await lab.sync(status=4)        # pairs without a passkey, and the meter gives it nothing
    lab.happened(0, 'PAIRED', mitm=True)
    await lab.holds([])
    await lab.sync('--passkey-fd', '3', before="exec 3< <(sleep 1; printf '000042')")
    lab.happened(1, 'PAIRED', sc=True, mitm=True)
    await lab.holds()

    await lab.new_meter('--passkey 123456')
    typed = lab.start_sync(terminal=True)
    await typed.asked('Passkey:')
    await typed.types('123456')
    await typed.finish(0)
    lab.happened(1, 'PAIRED', sc=True, mitm=True)
    await lab.holds(when='the passkey was typed')
