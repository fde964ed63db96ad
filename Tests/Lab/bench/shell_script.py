"""A bash script in the guest that commands the meter here; its functions are in guest-shell.sh."""
import asyncio
import shlex
import sys
from pathlib import Path

from bench import Bench
from guest import LAB, Guest


async def run_shell_script(guest: Guest, racpscope: str, script: str, arguments: list[str]) -> int:
    bench = Bench(guest)
    folder = guest.share
    for old in folder.glob('commands/*'):
        old.unlink()
    (folder / 'commands').mkdir(exist_ok=True)
    job = guest.start('\n'.join([
        f'export RACPSCOPE={shlex.quote(racpscope)} LAB={shlex.quote(str(LAB))}', '. "$LAB/guest-shell.sh"',
        f'set -- {shlex.join(arguments)}', f'. {shlex.quote(script)}']))
    shown = [0, 0]

    def show() -> None:
        for place, (suffix, stream) in enumerate((('out', sys.stdout.buffer), ('err', sys.stderr.buffer))):
            octets = job.file(suffix).read_bytes()[shown[place]:] if job.file(suffix).exists() else b''
            shown[place] += len(octets)
            stream.write(octets)
            stream.flush()

    async def serve(request: Path) -> None:
        try:
            await bench.command(request.read_text().strip(), folder)
            answer = 'OK'
        except Exception as error:          # the script's mistake: it is told
            answer = f'FAILED {error!r}'
        request.with_suffix('.new').write_text(answer + '\n')
        request.with_suffix('.new').rename(request.with_suffix('.answer'))

    served = set()
    while not job.done.done():
        for request in sorted(folder.glob('commands/*.request')):
            if request not in served:
                served.add(request)
                await serve(request)
        show()
        await asyncio.sleep(0.02)
    show()
    await bench.end()
    return (await job.wait()).status
