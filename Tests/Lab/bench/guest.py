"""The virtual machine: a stock kernel under QEMU that sees the host's files, an agent in it, and its Bluetooth UART."""
import asyncio
import contextlib
import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

LAB = Path(__file__).resolve().parent.parent


@dataclass
class Finished:
    status: int             # as a shell has it: 128 and the signal's number for a killed one
    output: str
    errors: str
    seconds: float


class Job:
    """A command that runs in the guest."""

    def __init__(self, guest: 'Guest', number: int):
        self.guest, self.number, self.begin = guest, number, time.monotonic()
        self.done: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def file(self, suffix: str) -> Path:
        return self.guest.share / 'jobs' / f'{self.number}.{suffix}'

    async def wait(self, seconds: float = 120) -> Finished:
        try:
            status = await asyncio.wait_for(asyncio.shield(self.done), seconds)
        except TimeoutError:
            await self.signal('KILL')
            await asyncio.wait_for(self.done, 20)
            status = 124
        text = [self.file(suffix).read_text(errors='replace') for suffix in ('out', 'err')]
        return Finished(status, *text, time.monotonic() - self.begin)

    async def signal(self, name: str) -> None:
        await self.guest.run(f'kill -{name} "$(cat /run/lab/{self.number}.pid)"')


class Guest:
    def __init__(self, cache: Path, share: Path, accelerator: str, processors: int, memory: int):
        self.cache, self.share = cache, share
        self.accelerator, self.processors, self.memory = accelerator, processors, memory
        self.sockets = Path(tempfile.mkdtemp(prefix='racpscope-lab.'))      # a socket's path is short
        self.jobs: dict[int, Job] = {}
        self.machine: asyncio.subprocess.Process | None = None

    def arguments(self) -> list[str]:
        # Nested virtualisation refuses a register that QEMU 7.2 sets for arch-capabilities.
        processor = 'host,-arch-capabilities' if self.accelerator == 'kvm' else 'max'
        share, sockets = self.share, self.sockets
        # Ends with this process, however that ends.
        return ['setpriv', '--pdeathsig', 'KILL', 'qemu-system-x86_64',
                '-machine', f'q35,accel={self.accelerator}', '-cpu', processor,
                '-m', str(self.memory), '-smp', str(self.processors), '-nodefaults', '-no-user-config', '-no-reboot',
                '-display', 'none', '-serial', f'file:{share}/console.log',
                '-kernel', f'{self.cache}/kernel/vmlinuz', '-initrd', f'{self.cache}/kernel/initramfs.gz',
                # Not the TSC: where this machine is busy while the kernel measures it, its seconds are not ours.
                '-append', f'console=ttyS0 quiet panic=-1 tsc=unstable clocksource=hpet lab.share={share}',
                '-fsdev', 'local,id=host,path=/,security_model=none,readonly=on,multidevs=remap',
                '-device', 'virtio-9p-pci,fsdev=host,mount_tag=host',
                '-fsdev', f'local,id=share,path={share},security_model=none',
                '-device', 'virtio-9p-pci,fsdev=share,mount_tag=share',
                '-device', 'virtio-rng-pci', '-device', 'virtio-serial-pci',
                '-chardev', f'socket,id=hci,path={sockets}/hci,server=on,wait=off',
                '-device', 'virtconsole,chardev=hci',
                '-chardev', f'socket,id=agent,path={sockets}/agent,server=on,wait=off',
                '-device', 'virtserialport,chardev=agent,name=lab.agent']

    async def boot(self) -> None:
        """Boots until the guest's second is no shorter than ours, which a busy machine can spoil."""
        for _ in range(3):
            await self.boot_once()
            begin = time.monotonic()
            await self.run('sleep 0.5')
            if time.monotonic() - begin > 0.45:
                return
            await self.halt()
        raise RuntimeError("the guest's clock is too fast")

    async def boot_once(self) -> None:
        self.jobs.clear()
        shutil.rmtree(self.share / 'jobs', ignore_errors=True)
        (self.share / 'jobs').mkdir(parents=True)
        shutil.copy(LAB / 'guest-agent.sh', self.share / 'agent.sh')
        self.machine = await asyncio.create_subprocess_exec(*self.arguments(), stdin=asyncio.subprocess.DEVNULL)
        while not (self.sockets / 'agent').exists():
            if self.machine.returncode is not None:
                raise RuntimeError('qemu-system-x86_64 did not start')
            await asyncio.sleep(0.05)
        reader, self.writer = await asyncio.open_unix_connection(str(self.sockets / 'agent'))
        line = await asyncio.wait_for(reader.readline(), 120)
        if line.strip() != b'ready':
            raise RuntimeError(f'the guest did not start: see {self.share}/console.log')
        self.reading = asyncio.create_task(self.read(reader))

    async def read(self, reader: asyncio.StreamReader) -> None:
        async for line in reader:
            number, status = (int(word) for word in line.split())
            self.jobs[number].done.set_result(status)
        for job in self.jobs.values():
            if not job.done.done():
                job.done.set_exception(RuntimeError('the guest has ended'))
                job.done.exception()        # retrieved, where nobody waits for it

    def start(self, script: str) -> Job:
        job = Job(self, len(self.jobs) + 1)
        self.jobs[job.number] = job
        job.file('sh').write_text(script + '\n')
        self.writer.write(b'%d\n' % job.number)
        return job

    async def run(self, script: str, seconds: float = 120) -> Finished:
        return await self.start(script).wait(seconds)

    async def end_jobs(self, spare: Job | None) -> None:
        for job in list(self.jobs.values()):
            if job is not spare and not job.done.done():
                await job.signal('KILL')
                await asyncio.wait_for(asyncio.shield(job.done), 20)

    async def halt(self) -> None:
        if self.machine and self.machine.returncode is None:
            with contextlib.suppress(ConnectionError, AttributeError):
                self.writer.write(b'\n')
            try:
                await asyncio.wait_for(self.machine.wait(), 10)
            except TimeoutError:
                self.machine.kill()
                await self.machine.wait()
        for name in ('agent', 'hci'):
            (self.sockets / name).unlink(missing_ok=True)

    async def stop(self) -> None:
        await self.halt()
        shutil.rmtree(self.sockets, ignore_errors=True)
