"""Metrics shared by all workers, in shared memory, so that any worker can report the sum.

prometheus_client's multiprocess mode maps a file for each process: on a full disk, the first write to a new page kills
the process (SIGBUS). This memory has no file. The master creates it, workers inherit it, each has a part of its own,
and a dead worker's counts are kept.
"""

from __future__ import annotations

import json
import mmap
import struct
import threading
from collections.abc import Iterable, Iterator
from typing import Any

from prometheus_client import REGISTRY, CollectorRegistry, Metric, multiprocess, values

PART_BYTES = 8 << 20
"""Bytes for one worker, about 50,000 series; untouched pages use no memory."""

_USED = struct.Struct("=Q")
_LENGTH = struct.Struct("=I")
_NUMBER = struct.Struct("=d")


class Part:
    """The counts of one worker: a mapping from keys to numbers, written by that worker and read by all."""

    def __init__(self, memory: mmap.mmap, start: int) -> None:
        self._memory = memory
        self._start = start
        self._places: dict[bytes, int] = dict(self._entries())

    def place_of(self, key: bytes) -> int | None:
        """The offset of a key's number, initially 0; None if the part is full."""
        place = self._places.get(key)
        if place is None:
            used = self._used()
            place = used + _LENGTH.size + len(key)
            if place + _NUMBER.size > PART_BYTES:
                return None
            at = self._start + used
            self._memory[at : at + _LENGTH.size + len(key)] = _LENGTH.pack(len(key)) + key
            self.write(place, 0.0)
            # Last, so that concurrent readers see the whole entry or none.
            self._memory[self._start : self._start + _USED.size] = _USED.pack(place + _NUMBER.size)
            self._places[key] = place
        return place

    def read(self, place: int) -> float:
        number: float = _NUMBER.unpack_from(self._memory, self._start + place)[0]
        return number

    def write(self, place: int, number: float) -> None:
        at = self._start + place
        self._memory[at : at + _NUMBER.size] = _NUMBER.pack(number)

    def items(self) -> Iterator[tuple[bytes, float]]:
        for key, place in self._entries():
            yield key, self.read(place)

    def reset_gauges(self) -> None:
        """Reset the gauges of a dead process."""
        for key, place in self._entries():
            if json.loads(key)[1].startswith("live"):
                self.write(place, 0.0)

    def _used(self) -> int:
        used: int = _USED.unpack_from(self._memory, self._start)[0]
        return max(used, _USED.size)

    def _entries(self) -> Iterator[tuple[bytes, int]]:
        used, at = self._used(), _USED.size
        while at < used:
            length: int = _LENGTH.unpack_from(self._memory, self._start + at)[0]
            at += _LENGTH.size
            yield self._memory[self._start + at : self._start + at + length], at + length
            at += length + _NUMBER.size


class Shared:
    """Parts for a number of concurrent workers, created before they fork. Further workers count only for themselves."""

    def __init__(self, workers: int) -> None:
        self._memory = mmap.mmap(-1, workers * PART_BYTES)
        self._taken: dict[int, object] = {}
        self._workers = workers

    def reserve(self, worker: object) -> None:
        """Reserve a free part for the next worker."""
        free = (each for each in range(self._workers) if each not in self._taken)
        number = next(free, None)
        if number is not None:
            self._taken[number] = worker

    def join(self, worker: object) -> None:
        """Use the reserved part in this worker, continuing its counts."""
        global _shared
        for number, taker in self._taken.items():
            if taker is worker:
                _shared = self
                _bind(self.part(number))

    def release(self, worker: object) -> None:
        """Release a dead worker's part; the next one continues its counts."""
        for number, taker in list(self._taken.items()):
            if taker is worker:
                self.part(number).reset_gauges()
                del self._taken[number]

    def part(self, number: int) -> Part:
        return Part(self._memory, number * PART_BYTES)

    def parts(self) -> Iterator[Part]:
        return (self.part(number) for number in range(self._workers))


_lock = threading.Lock()
_values: list[Value] = []
_part: Part | None = None
_shared: Shared | None = None


class Value:
    """A number of a metric, with the library's interface: local until the worker has a part."""

    _multiprocess = False

    def __init__(
        self,
        typ: str,
        metric_name: str,
        name: str,
        labelnames: Iterable[str],
        labelvalues: Iterable[str],
        help_text: str,
        multiprocess_mode: str = "",
        **_: Any,
    ) -> None:
        labels = dict(zip(labelnames, labelvalues, strict=True))
        self._key = json.dumps([typ, multiprocess_mode, metric_name, name, labels, help_text]).encode()
        self._number = 0.0
        self._place: int | None = None
        with _lock:
            _values.append(self)
            if _part is not None:
                self.bind(_part)

    def bind(self, part: Part) -> None:
        """Continue from the part's number; requires `_lock`."""
        self._place = part.place_of(self._key)
        if self._place is not None:
            self._number = part.read(self._place)

    def inc(self, amount: float) -> None:
        with _lock:
            self._write(self._number + amount)

    def set(self, value: float, timestamp: float | None = None) -> None:
        with _lock:
            self._write(value)

    def get(self) -> float:
        return self._number

    def set_exemplar(self, exemplar: Any) -> None:
        """Exemplars are not supported."""

    def get_exemplar(self) -> None:
        return None

    def _write(self, number: float) -> None:
        self._number = number
        if self._place is not None and _part is not None:
            _part.write(self._place, number)


def _bind(part: Part) -> None:
    global _part
    with _lock:
        _part = part
        for each in _values:
            each.bind(part)


def install() -> None:
    """Make all metrics created from here on store their numbers here."""
    values.ValueClass = Value


def registry() -> CollectorRegistry:
    """The metrics of all workers; of this process only if nothing is shared."""
    if _shared is None:
        return REGISTRY
    found = CollectorRegistry()
    found.register(_Sum(_shared))
    return found


class _Sum:
    """The workers' metrics, merged by the library's rules."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def collect(self) -> Iterable[Metric]:
        metrics: dict[str, Metric] = {}
        for number, part in enumerate(self._shared.parts()):
            for key, value in part.items():
                typ, mode, metric_name, name, labels, help_text = json.loads(key)
                metric = metrics.setdefault(metric_name, Metric(metric_name, help_text, typ))
                metric._multiprocess_mode = mode  # type: ignore[attr-defined]
                several = (("pid", str(number)),) if typ == "gauge" else ()
                metric.add_sample(name, (*sorted(labels.items()), *several), value)  # type: ignore[arg-type]
        return multiprocess.MultiProcessCollector._accumulate_metrics(metrics, True)  # type: ignore[no-any-return, no-untyped-call]
