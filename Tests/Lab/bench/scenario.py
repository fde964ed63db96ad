"""What a scenario works with: the meter, runs of racpscope in the guest, and checks."""
import json
import shlex
from dataclasses import dataclass, field
from pathlib import Path

from bench import Bench
from bluetooth_daemon import ADDRESS, BluetoothDaemon
from capture import WRITE_REQUEST, Capture, read_capture
from guest import Finished, Guest, Job
from host_racpscope import run_on_host
from records import Record
from stored import Stored, differences, read_keys, read_store


@dataclass
class Sync:
    """A run of "racpscope sync"; its files are copied to the host when it has ended."""
    scenario: 'Scenario'
    label: str
    job: Job
    store: str              # in the guest, below the scenario's place
    finished: Finished | None = None
    capture: Capture = field(default_factory=lambda: Capture([]))

    @property
    def result(self) -> dict:
        """What it wrote to standard output as JSON."""
        try:
            return json.loads(self.finished.output)
        except ValueError:
            return {}

    @property
    def control_point_writes(self) -> list[str]:
        """The record access requests of the capture, in hexadecimal."""
        handle = self.scenario.bench.meter.service.control_point.handle
        writes = (pdu for pdu in self.capture.requests if pdu[0] == WRITE_REQUEST)
        return [pdu[3:].hex() for pdu in writes if int.from_bytes(pdu[1:3], 'little') == handle]

    async def asked(self, question: str) -> None:
        """Waits until its terminal shows that."""
        screen = f'{self.scenario.place}/{self.label}.screen'
        shown = await self.scenario.guest.run(
            f'for _ in {{1..600}}; do grep -qsF {shlex.quote(question)} {screen} && exit; sleep 0.1; done; exit 1')
        if shown.status:
            raise TimeoutError(f'{self.label}: does not ask "{question}"')

    async def types(self, line: str) -> None:
        """Types on its terminal."""
        await self.scenario.guest.run(f'echo {shlex.quote(line)} >{self.scenario.place}/{self.label}.keys')

    async def finish(self, *statuses: int, seconds: float = 150,
                     repeats: bool = False, unjudged: str = '') -> 'Sync':
        """Waits, and checks the exit status and our side of the capture; `unjudged` says why lint would be unfair."""
        scenario = self.scenario
        scenario.next_run(self.label)
        self.finished = await self.job.wait(seconds)
        await scenario.fetch(self)
        for suffix, text in (('out', self.finished.output), ('err', self.finished.errors)):
            (scenario.folder / f'{self.label}.{suffix}').write_text(text)
        scenario.check(self.finished.status in statuses,
                       f'{self.label}: exit {self.finished.status}, not {" or ".join(map(str, statuses))}: '
                       + ' '.join(self.finished.errors.split()[-30:]))
        path = scenario.folder / f'{self.label}.btsnoop'
        if path.exists():
            self.capture = read_capture(path)
            again = [pdu.hex() for pdu in self.capture.repeated()]
            scenario.check(repeats or not again, f'{self.label}: sent again after it was answered: {", ".join(again[:4])}')
            octets = path.read_bytes()
            for key in read_keys(scenario.folder / Path(self.store).name):
                scenario.check(key not in octets and key[::-1] not in octets, f'{self.label}: the capture has a key')
            if unjudged:
                scenario.leave_out(f'{self.label}: not judged by lint: {unjudged}')
            else:
                await scenario.lint(path)
        else:
            scenario.leave_out(f'{self.label}: no capture to judge: it ended with exit {self.finished.status} before one '
                               'was made')
        return self

    def takes_round_trips(self, count: int) -> None:
        """No more ATT requests than docs/collector.md lists: counted in the capture, and as the run itself says."""
        sent = len(self.capture.requests)
        self.scenario.check(sent == count, f'{self.label}: {sent} ATT round trips, not {count}')
        told = self.result.get('round_trips')
        self.scenario.check(told == sent, f'{self.label}: tells {told} round trips, and made {sent}')


class Scenario:
    def __init__(self, name: str, guest: Guest, bench: Bench, racpscope: str):
        self.name, self.guest, self.bench, self.racpscope = name, guest, bench, racpscope
        self.folder = guest.share / 'scenarios' / name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.place = f'/run/lab/{name}'      # in the guest's memory: SQLite's WAL needs shared memory, which 9p lacks
        self.daemon = BluetoothDaemon(guest, f'{self.folder}/bluetoothd.log')
        self.failures: list[str] = []
        self.left_out: list[str] = []       # checks that are not made, each with its reason
        self.runs = 0
        self.unheld = ''                    # the run whose store has not been compared yet

    @property
    def meter(self):
        return self.bench.meter

    @property
    def log(self):
        return self.bench.meter.log

    def fault(self, name: str, value: object = '') -> None:
        self.meter.faults[name] = str(value)

    def check(self, holds: bool, otherwise: str) -> None:
        if not holds:
            self.failures.append(otherwise)

    def leave_out(self, why: str) -> None:
        """Says that a check is not made, and why."""
        self.left_out.append(why)

    def next_run(self, label: str) -> None:
        """The store is compared after each run: here, or after a later one."""
        if self.unheld:
            self.leave_out(f'{self.unheld}: its store is compared after a later run only')
        self.unheld = label

    async def new_meter(self, options: str = '') -> None:
        await self.guest.run(f'rm -rf {self.place}; mkdir -p {self.place}')
        await self.bench.new(self.folder, options)

    # Runs

    def start_sync(self, *options: str, address: str = ADDRESS, store: str = 'meter.db', user: str = '',
                   before: str = '', terminal: bool = False) -> Sync:
        """`before` is a line of shell before the run; on a terminal somebody can be asked (Sync.asked, Sync.types)."""
        self.runs += 1
        label = f'sync-{self.runs}'
        words = [self.racpscope, 'sync', address, '--store', f'{self.place}/{store}',
                 '--save', f'{self.place}/{label}.btsnoop', '--format', 'json', *options]
        if user:
            words = ['setpriv', '--reuid', user, '--clear-groups', '--inh-caps=-all', *words]
        run = f'{before}\nexec {shlex.join(words)}'
        if terminal:
            screen = f'{self.place}/{label}'
            quoted = shlex.quote(f'{shlex.join(words)} >{screen}.json')
            run = (f'mkfifo {screen}.keys; exec 4<>{screen}.keys\n'
                   f'script --quiet --return --flush --command {quoted} {screen}.screen <&4 >/dev/null\n'
                   f'status=$?; cat {screen}.json; cat {screen}.screen >&2; exit $status')
        return Sync(self, label, self.guest.start(run), store)

    async def sync(self, *options: str, status: int | tuple[int, ...] = 0, seconds: float = 150,
                   repeats: bool = False, **how: str) -> Sync:
        statuses = status if isinstance(status, tuple) else (status,)
        return await self.start_sync(*options, **how).finish(*statuses, seconds=seconds, repeats=repeats)

    async def run(self, script: str, seconds: float = 60) -> Finished:
        return await self.guest.run(script, seconds)

    async def fetch(self, sync: Sync) -> None:
        await self.guest.run(f'cd {self.place} || exit\nrm -f {self.folder}/*.db*\n'
                             f'cp -f {sync.store} {sync.store}-wal {sync.label}.btsnoop {self.folder}/ 2>/dev/null')

    # Checks

    async def lint(self, path: Path) -> None:
        """Nothing is wrong with our side of a saved capture."""
        status, text = await run_on_host(
            self.racpscope, 'lint', '--side', 'collector', '--fail-on', 'warning', '--allow-empty', str(path))
        (path.with_suffix('.lint')).write_text(text)
        notes = [line for line in text.splitlines() if ' note[' in line]
        if status == 0 and notes:
            self.leave_out(f'{path.stem}: {len(notes)} note{"s" if len(notes) > 1 else ""} of lint passed: '
                           + '; '.join(line.split(' note', 1)[1] for line in notes)[:200])
        self.check(status == 0, f'{path.stem}: racpscope lint exits {status}: '
                   + '; '.join(line for line in text.splitlines() if '[' in line)[:300])

    def stored(self, address: str | None = None) -> list[Stored]:
        return read_store(self.folder / 'meter.db', address)

    async def holds(self, records: list[Record] | None = None, *, without_context: set[int] = frozenset(),
                    without_offset: set[int] = frozenset(), cut: set[int] = frozenset(), when: str = '',
                    address: str | None = None) -> None:
        """The store has exactly these records, by default all the meter ever had, each once; and exports each once.
        With an address, that meter's alone are looked at."""
        self.unheld = ''
        expected = self.meter.ever if records is None else records
        label = f'after {when or f"sync-{self.runs}"}'
        found = differences(self.stored(address), expected, set(without_context), set(without_offset), set(cut))
        if found:
            rest = f' and {len(found) - 4} more' if len(found) > 4 else ''
            self.failures.append(f'{label}: ' + '; '.join(text[:200] for text in found[:4]) + rest)
        if not (self.folder / 'meter.db').exists():
            return
        status, text = await run_on_host(
            self.racpscope, 'store', 'export', '--format', 'jsonl', '--store', str(self.folder / 'meter.db'))
        lines = [json.loads(line) for line in text.splitlines()] if status == 0 else []
        lines = [line for line in lines if line['kind'] == 'record' and address in (None, line['device'])]
        identifiers = {line['sync_identifier'] for line in lines}
        self.check(status == 0, f'{label}: store export exits {status}: {text[-200:]}')
        self.check(len(identifiers) == len(lines) == len(expected),
                   f'{label}: {len(lines)} lines with {len(identifiers)} identifiers exported, not {len(expected)}')

    def requested(self, sync: Sync, *requests: str) -> None:
        """The record access requests that run wrote, in order."""
        self.check(sync.control_point_writes == list(requests),
                   f'{sync.label}: requested {sync.control_point_writes}, not {list(requests)}')

    def happened(self, count: int, event: str, **values: object) -> None:
        """So many times at the meter."""
        seen = len(self.log.all(event, **values))
        self.check(seen == count, f'{event} {values or ""} {seen} times at the meter, not {count}')
