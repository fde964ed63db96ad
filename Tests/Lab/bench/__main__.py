"""Boots the guest and runs scenarios, or a shell script, against it; Tests/Lab/run.sh calls this."""
import argparse
import asyncio
import logging
import os
import sys
from pathlib import Path

from guest import Guest
from scenario_runner import run_scenarios
from shell_script import run_shell_script


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument('--cache', type=Path, required=True)
    parser.add_argument('--output', type=Path, required=True)
    parser.add_argument('--racpscope', default='')
    parser.add_argument('--shell-script', action='store_true', help='the names are a script and its arguments')
    parser.add_argument('names', nargs=argparse.REMAINDER)
    return parser.parse_args()


async def main() -> int:
    given = arguments()
    logging.basicConfig(filename=given.output / 'bumble.log', filemode='w', level=logging.WARNING)
    guest = Guest(given.cache, given.output, os.environ.get('LAB_ACCEL', 'tcg'),
                  int(os.environ.get('LAB_CPUS', '2')), int(os.environ.get('LAB_MEMORY', '768')))
    try:
        if given.shell_script:
            await guest.boot()
            return await run_shell_script(guest, given.racpscope, given.names[0], given.names[1:])
        return await run_scenarios(guest, given.racpscope, given.names)
    finally:
        await guest.stop()


sys.exit(asyncio.run(main()))
