"""The memory that jobs take, as the kernel measures it, and what running ones may still take."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterable

_PAGE = os.sysconf("SC_PAGE_SIZE")
_FADES = 8
"""A peak above those that follow fades by an eighth of the difference with each job."""

Kind = tuple[bool, bool]
"""Jobs of about the same size of input: whether it is quick, and whether it is small."""
_LARGE: Kind = (False, False)


class Peaks:
    """What jobs of a kind take at most, from those that have ended; until more is known, large ones take `large` bytes
    and others `usual` ones.

    Guests' files of 5 MB took from 0.3 to 1.7 GB in profiles whose usual jobs take 64 and 200 MB.
    """

    def __init__(self, usual: int, *, large: int) -> None:
        self._usual = usual
        self._of: dict[Kind, float] = {_LARGE: large}

    def expected(self, kind: Kind) -> int:
        """Bytes that a job of this kind may take."""
        return max(self._usual, int(self._of.get(kind, 0)))

    def ended(self, kind: Kind, peak: int) -> None:
        """Record the peak of an ended job, in bytes."""
        known = self._of.get(kind, 0.0)
        self._of[kind] = max(float(peak), known - (known - peak) / _FADES)

    def to_come(self, running: Iterable[tuple[Kind, int]]) -> int:
        """Bytes that running jobs, each with what it holds already, may still take."""
        return sum(max(0, self.expected(kind) - held) for kind, held in running)


def most(usage: resource.struct_rusage) -> int:
    """The most bytes that an ended child, or a program it waited for, has held beyond this process's own.

    A child is forked with the memory of this process, which it shares.
    """
    return max(0, usage.ru_maxrss * 1024 - _anonymous("self"))


def held(processes: Iterable[int]) -> int:
    """The bytes that a child's processes hold beyond this process's own."""
    return max(0, sum(map(_anonymous, processes)) - _anonymous("self"))


def _anonymous(process: int | str) -> int:
    """The resident bytes of a process that are of no file (proc_pid_statm(5)); 0 if it is gone."""
    try:
        with open(f"/proc/{process}/statm", "rb") as file:
            _, resident, shared, *_ = map(int, file.read().split())
            return (resident - shared) * _PAGE
    except OSError:
        return 0
