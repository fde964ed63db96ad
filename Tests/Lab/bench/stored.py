"""What a store holds, read with Python's own SQLite, and how it differs from what the meter has."""
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from records import Record


@dataclass
class Stored:
    epoch: int              # 0 for the first
    number: int
    variant: int
    value: bytes
    offset: int | None
    contexts: list[bytes]
    context_missing: bool


def read_store(path: Path, address: str | None = None) -> list[Stored]:
    """Of one meter, where its address is given. Rows that stand for a reading of an earlier epoch are no readings."""
    if not path.exists():
        return []
    database = sqlite3.connect(path)
    try:
        if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'records'").fetchall():
            return []
        contexts: dict[tuple, list[bytes]] = {}
        for *key, value in database.execute(
                'SELECT epoch_id, sequence, variant, value FROM contexts '
                'ORDER BY epoch_id, sequence, variant, ordinal'):
            contexts.setdefault(tuple(key), []).append(value)
        rows = database.execute(
            'SELECT epoch_id, epochs.number, sequence, variant, value, time_offset, context_missing FROM records '
            'JOIN epochs ON epochs.id = epoch_id JOIN devices ON devices.id = device_id '
            'WHERE same_as_epoch IS NULL AND ifnull(?1, address) = address '
            'ORDER BY epochs.number, sequence, variant', (address,)).fetchall()
        first = min((row[1] for row in rows), default=0)
        return [Stored(epoch - first, number, variant, value, offset, contexts.get((key, number, variant), []),
                       bool(missing))
                for key, epoch, number, variant, value, offset, missing in rows]
    finally:
        database.close()


def read_keys(path: Path) -> list[bytes]:
    """The long-term and identity keys of the bonds."""
    if not path.exists():
        return []
    database = sqlite3.connect(path)
    try:
        if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'long_term_keys'").fetchall():
            return []
        rows = database.execute('SELECT value FROM long_term_keys UNION SELECT identity_resolving_key FROM bonds')
        return [key for key, in rows if key]
    finally:
        database.close()


def as_ranges(numbers: list[int]) -> str:
    """1, 2, 3, 7 as "1-3, 7"."""
    parts: list[list[int]] = []
    for number in sorted(set(numbers)):
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ', '.join(str(low) if low == high else f'{low}-{high}' for low, high in parts)


def differences(stored: list[Stored], expected: list[Record], without_context: set[int],
                without_offset: set[int], cut: set[int] = frozenset()) -> list[str]:
    """Nothing where the store holds each record once, with the octets the meter sent, its offset and its context; of
    those that were sent cut, the first ten."""
    found = []
    wanted = {(record.epoch, record.number): record for record in expected}
    held = {(each.epoch, each.number) for each in stored}
    for name, keys in (('missing', wanted.keys() - held), ('not of the meter', held - wanted.keys())):
        for epoch in sorted({key[0] for key in keys}):
            found.append(f'{name}: {as_ranges([number for of, number in keys if of == epoch])} of epoch {epoch}')
    for each in stored:
        record = wanted.get((each.epoch, each.number))
        if record is None:
            continue
        if each.variant:
            found.append(f'{each.number} is stored twice, with different content')
            continue
        if record.number in cut:
            # The flags of a later report may announce no offset.
            if len(each.value) != 10 or each.value[1:] != record.measurement[1:10]:
                found.append(f'{each.number} is stored as {each.value.hex()}, sent as {record.measurement[:10].hex()}')
        elif each.value not in (record.measurement, record.without_offset()):
            found.append(f'{each.number} is stored as {each.value.hex()}, sent as {record.measurement.hex()}')
        offset = None if record.number in without_offset else record.offset
        if each.offset != offset:
            found.append(f'{each.number} has the offset {each.offset}, not {offset}')
        context = [record.context] if record.context and record.number not in without_context else []
        if each.contexts != context:
            found.append(f'{each.number} has the contexts {[value.hex() for value in each.contexts]}, '
                         f'not {[value.hex() for value in context]}')
        missing = bool(record.context) and record.number in without_context
        if each.context_missing != missing:
            found.append(f'{each.number}: context missing is {each.context_missing}, not {missing}')
    return found
