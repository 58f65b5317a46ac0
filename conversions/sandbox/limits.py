"""Limits: how much time, memory and disk a conversion of each profile may take, and how many processes wait for it."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from dataclasses import dataclass

from conversions.sandbox import machine
from conversions.toolkit.declaring import Profile

MB = 1_000_000
GB = 1_000 * MB


@dataclass(frozen=True)
class Limits:
    """What one job of a profile may use; times in seconds, sizes in bytes.

    `wall` is elapsed and `cpu` is processor time, `memory` is address space per process (RLIMIT_AS), `output` is the
    size of the result and of any file written on the way to it, `scratch` of all files in the job's folder together,
    `files` of descriptors. At most `spares` processes wait for a job and at most `jobs` work at once; more wait in
    line, and so they do where less memory is left than the `usual` job takes.
    All are given up, with what they have imported, when none has come for `rest` seconds; the next waits for a start.
    """

    wall: float
    cpu: int
    memory: int
    output: int
    scratch: int
    files: int = 128
    spares: int = 2
    jobs: int = 8
    usual: int = 200 * MB
    rest: float = 600


LIMITS: Mapping[Profile, Limits] = {
    # The largest upload is 250 MB, and a record format may triple it. polars reserves far more address space than it
    # touches, and does not work in 1 GB.
    "text": Limits(wall=60, cpu=60, memory=2 * GB, output=1 * GB, scratch=3 * GB, spares=4, usual=64 * MB),
    # A picture of 100 megapixels is 400 MB decoded, and a filter holds it twice.
    "image": Limits(wall=30, cpu=60, memory=2 * GB, output=300 * MB, scratch=1 * GB),
    # A table of 3,300 rows takes xhtml2pdf about 50 s; what takes longer is a bomb more often than a document.
    "pdf": Limits(wall=60, cpu=60, memory=2 * GB, output=300 * MB, scratch=1 * GB),
    # pandoc fits its heap into the address space it is given; below 1 GB large documents fail.
    "office": Limits(wall=60, cpu=90, memory=3 * GB, output=300 * MB, scratch=1 * GB, files=256, jobs=4),
    # The suite reserves 0.5 GB of address space, and holds 250 MB of memory, before it has read anything: few may run
    # at once. Its start takes a second of processor time, and 400,000 cells took 7: what takes longer is seldom drawn.
    "libreoffice": Limits(
        wall=60, cpu=60, memory=3 * GB, output=300 * MB, scratch=1 * GB, files=256, jobs=2, usual=300 * MB
    ),
    # A picture of 100 megapixels is decoded as elsewhere; what is read of it, with its model, takes a tenth of that.
    "ocr": Limits(wall=60, cpu=60, memory=2 * GB, output=300 * MB, scratch=1 * GB, jobs=4),
    # ffmpeg holds a dozen pictures of a film in memory, and its encoders a second or two of it. The wall is the one
    # that films are measured against before they start; two threads may use it up.
    "media": Limits(
        wall=80, cpu=160, memory=4 * GB, output=500 * MB, scratch=1_500 * MB, files=128, jobs=2, usual=300 * MB
    ),
}

SMALL = 2 * MB
"""Bytes of an input up to which its job is tried in memory first."""

MEMORY_FOLDER = "/dev/shm"  # noqa: S108  # each zygote makes a folder of its own in it
"""Where files are in memory (shm_overview(7)); where there is no such folder all jobs are on disk."""


def in_memory(limits: Limits) -> Limits:
    """The limits of a small job as long as its files are in memory: sixteen of them take half a gigabyte."""
    return dataclasses.replace(limits, output=min(limits.output, 16 * MB), scratch=min(limits.scratch, 32 * MB))


PROCESSES_BEYOND = 512
"""How many processes and threads a job may add to those that its user id already has: a bound on fork bombs."""

NOT_PRELOADED: Mapping[Profile, frozenset[str]] = {
    # The text zygote is to stay small, as its fork time is most of a small conversion's overhead: what is large is
    # imported by the job that needs it. polars must not be in a process that forks either: it may have threads.
    "text": frozenset({"polars", "charset_normalizer", "python_calamine"}),
    "image": frozenset({"polars"}),
    "pdf": frozenset({"polars"}),
    "office": frozenset({"polars"}),
    "libreoffice": frozenset({"polars"}),
    "ocr": frozenset({"polars"}),
    "media": frozenset({"polars"}),
}

TOGETHER: Mapping[Profile, int] = {"image": 125 * MB, "pdf": 325 * MB, "office": 370 * MB}
"""Profiles that have one zygote between them, as most of what they import is the same: each child has the limits of its
own. Bytes of address space that a zygote of the one profile has: what it has beyond is the others', and not counted."""


def limits_for(profile: Profile, overrides: Mapping[str, Mapping[str, float]] | None = None) -> Limits:
    """The limits of a profile on this machine, with those replaced that `overrides` names for it, such as
    `{"pdf": {"wall": 20}}`.

    Raises TypeError for a name that is no limit.
    """
    return dataclasses.replace(_on_this_machine(profile), **(overrides or {}).get(profile, {}))  # type: ignore[arg-type]


@functools.cache
def _on_this_machine(profile: Profile) -> Limits:
    """`jobs` are what two processors do at once: more do more, and no more than fit into half of the memory."""
    limits = LIMITS[profile]
    jobs = min(int(limits.jobs * max(1.0, machine.processors() / 2)), machine.memory() // (2 * limits.usual))
    return dataclasses.replace(limits, jobs=max(1, jobs))
