"""What happens at the meter: one line an event, "SECONDS NAME key=value ...", and a way to wait for one."""
import asyncio
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Event:
    name: str
    values: dict
    seconds: float          # since the meter was made

    def matches(self, name: str, values: dict) -> bool:
        return self.name == name and all(self.values.get(key) == value for key, value in values.items())


class MeterLog:
    def __init__(self, path: Path):
        self.file = open(path, 'w', encoding='utf-8')
        self.begin = time.monotonic()
        self.events: list[Event] = []

    def __call__(self, name: str, **values) -> None:
        seconds = time.monotonic() - self.begin
        self.events.append(Event(name, values, seconds))
        if self.file.closed:        # a task of Bumble's that outlives its meter
            return
        words = (f'{key}={value}' for key, value in values.items())
        print(f'{seconds:.3f}', name, *words, file=self.file, flush=True)

    def all(self, name: str, **values) -> list[Event]:
        return [event for event in self.events if event.matches(name, values)]

    async def until(self, name: str, seconds: float = 60, **values) -> None:
        """Waits for one more such event than there are now."""
        before = len(self.all(name, **values))
        deadline = time.monotonic() + seconds
        while len(self.all(name, **values)) == before:
            if time.monotonic() > deadline:
                raise TimeoutError(f'no {name} {values} at the meter in {seconds} s')
            await asyncio.sleep(0.002)

    async def reaches(self, count: int, name: str, seconds: float = 60, **values) -> None:
        """Waits until there have been so many such events."""
        deadline = time.monotonic() + seconds
        while len(self.all(name, **values)) < count:
            if time.monotonic() > deadline:
                raise TimeoutError(f'{name} {values} not {count} times at the meter in {seconds} s')
            await asyncio.sleep(0.002)

    def close(self) -> None:
        self.file.close()
