"""Runs scenarios one after the other in one boot and prints what came of each."""
import asyncio
import importlib.util
import json
import shutil
import sys
import time
import traceback
from types import ModuleType

from bench import Bench
from guest import LAB, Guest
from scenario import Scenario

SECONDS = 300       # of a scenario; the longest waits for 30 s timeouts on a busy machine


def load_scenarios() -> dict[str, ModuleType]:
    """By name; each module has a docstring, async run(lab), and CORE where it is one of the core scenarios."""
    found = {}
    for path in sorted((LAB / 'scenarios').glob('*.py')):
        specification = importlib.util.spec_from_file_location(f'scenario_{path.stem}', path)
        module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
        found[path.stem.replace('_', '-')] = module
    return found


def select(names: list[str], known: dict[str, ModuleType]) -> list[str]:
    selected = []
    for name in names:
        match name:
            case 'all': chosen = list(known)
            case 'core': chosen = [each for each in known if getattr(known[each], 'CORE', False)]
            case _ if name in known: chosen = [name]
            case _: sys.exit(f'lab: no scenario {name}; there are {", ".join(known)}')
        selected += [each for each in chosen if each not in selected]
    return selected


async def run_one(name: str, module: ModuleType, guest: Guest, bench: Bench, racpscope: str) -> Scenario:
    lab = Scenario(name, guest, bench, racpscope)
    try:
        async with asyncio.timeout(SECONDS):
            await module.run(lab)
    except Exception as error:      # one scenario's end must not be that of the others
        (lab.folder / 'traceback.txt').write_text(''.join(traceback.format_exception(error)))
        lab.failures.append(f'{type(error).__name__}: {error}')
    try:
        await guest.end_jobs(spare=bench.attachment)
        kernel = await guest.run("dmesg --read-clear | grep -E 'BUG|WARNING:|list_del|Call Trace'")
        if kernel.output:
            lab.failures.append('the kernel says: ' + kernel.output.splitlines()[0])
    except (RuntimeError, TimeoutError) as error:
        lab.failures.append(str(error))
    if lab.unheld:
        lab.leave_out(f'{lab.unheld}: its store is not compared')
    return lab


async def run_scenarios(guest: Guest, racpscope: str, names: list[str]) -> int:
    known = load_scenarios()
    selected = select(names, known)
    if not racpscope:
        sys.exit('lab: no racpscope binary; build it, or name it with --racpscope')
    shutil.rmtree(guest.share / 'scenarios', ignore_errors=True)
    begin = time.monotonic()
    await guest.boot()
    await guest.run('dmesg --clear')
    bench = Bench(guest)
    print(f'booted in {time.monotonic() - begin:.1f} s', flush=True)
    results = []
    for name in selected:
        start = time.monotonic()
        done = await run_one(name, known[name], guest, bench, racpscope)
        failures = done.failures
        seconds = round(time.monotonic() - start, 1)
        results.append(dict(scenario=name, passed=not failures, seconds=seconds, failures=failures,
                            left_out=done.left_out))
        print(f'{"passed" if not failures else "FAILED":7} {seconds:6.1f} s  {name}', flush=True)
        for failure in failures:
            print(f'                   {failure}', flush=True)
        for why in done.left_out:
            print(f'                   not checked: {why}', flush=True)
        if guest.machine.returncode is not None:
            break
    passed = sum(result['passed'] for result in results)
    (guest.share / 'results.json').write_text(json.dumps(results, indent=1))
    seconds = time.monotonic() - begin
    print(f'{passed} of {len(selected)} scenarios passed in {seconds:.0f} s; files are in {guest.share}')
    return 0 if passed == len(selected) else 1
