"""The time, memory, disk and process limits of each profile."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from dataclasses import dataclass

from engine.sandbox import machine
from engine.toolkit.declaring import Profile

MB = 1_000_000
GB = 1_000 * MB


@dataclass(frozen=True)
class Limits:
    """The limits of one job of a profile; times in seconds, sizes in bytes.

    `wall` is elapsed time and `cpu` processor time; `memory` is address space per process (RLIMIT_AS); `output` is the
    size of the result and of any single file; `scratch` of all files in the job's folder; `files` is the number of
    descriptors. At most `spares` idle children are kept and at most `jobs` run at once; others queue for at most `wait`
    seconds, also if less memory is available than the `usual` job takes, or than jobs like them took and two usual ones
    take. After `rest` seconds without a job the zygote ends; the next job starts a new one.
    """

    wall: float
    cpu: int
    memory: int
    output: int
    scratch: int
    files: int = 128
    spares: int = 2
    jobs: int = 8
    wait: float = 20
    usual: int = 200 * MB
    rest: float = 600


LIMITS: Mapping[Profile, Limits] = {
    # The largest upload is 250 MB, and a record format may triple it. polars reserves far more address space than it
    # touches, and does not work in 1 GB.
    "text": Limits(wall=60, cpu=60, memory=2 * GB, output=1 * GB, scratch=3 * GB, spares=4, usual=64 * MB),
    # A picture of 100 megapixels takes 400 MB decoded, and a filter holds two copies.
    "image": Limits(wall=30, cpu=60, memory=2 * GB, output=300 * MB, scratch=1 * GB),
    # A table of 3,300 rows takes xhtml2pdf about 50 s; anything slower is more often an attack than a document.
    "pdf": Limits(wall=60, cpu=60, memory=2 * GB, output=300 * MB, scratch=1 * GB),
    # pandoc fits its heap into the available address space; below 1 GB large documents fail.
    "office": Limits(wall=60, cpu=90, memory=3 * GB, output=300 * MB, scratch=1 * GB, files=256, jobs=4),
    # LibreOffice reserves 0.5 GB of address space and holds 250 MB before it reads anything, so few may run at once.
    # Starting takes a second of processor time, and 400,000 cells took 7 s; few files take longer.
    "libreoffice": Limits(
        wall=60, cpu=60, memory=3 * GB, output=300 * MB, scratch=1 * GB, files=256, jobs=2, usual=300 * MB
    ),
    # A picture of 100 megapixels takes as much as elsewhere; recognising it, with the model, a tenth of that.
    "ocr": Limits(wall=60, cpu=60, memory=2 * GB, output=300 * MB, scratch=1 * GB, jobs=4),
    # ffmpeg holds a dozen frames in memory, and its encoders a second or two of video. `wall` is the limit that films
    # are estimated against before they start; two threads may use all of it.
    "media": Limits(
        wall=80, cpu=160, memory=4 * GB, output=500 * MB, scratch=1_500 * MB, files=128, jobs=2, usual=300 * MB
    ),
}

SMALL = 2 * MB
"""Jobs with inputs of up to this many bytes are tried in memory first."""

MEMORY_FOLDER = "/dev/shm"  # noqa: S108  # each zygote makes a folder of its own in it
"""A folder in memory (shm_overview(7)); without it all jobs are on disk."""


def in_memory(limits: Limits) -> Limits:
    """The limits of a small job while its files are in memory: sixteen such jobs take half a gigabyte."""
    return dataclasses.replace(limits, output=min(limits.output, 16 * MB), scratch=min(limits.scratch, 32 * MB))


PROCESSES_BEYOND = 512
"""Processes and threads a job may add to those its user already has: a limit on fork bombs."""

NOT_PRELOADED: Mapping[Profile, frozenset[str]] = {
    # Keep the text zygote small: forking it is most of the overhead of a small conversion, so jobs import large modules
    # when they need them. polars must not be loaded in a process that forks either: it may start threads.
    "text": frozenset({"polars", "charset_normalizer", "python_calamine"}),
    "image": frozenset({"polars"}),
    "pdf": frozenset({"polars"}),
    "office": frozenset({"polars"}),
    "libreoffice": frozenset({"polars"}),
    "ocr": frozenset({"polars"}),
    "media": frozenset({"polars"}),
}

TOGETHER: Mapping[Profile, int] = {"image": 125 * MB, "pdf": 325 * MB, "office": 370 * MB}
"""Profiles that share one zygote because they import mostly the same; each child keeps the limits of its own profile.
The values are bytes of address space that a zygote of that profile alone has; what the shared one has beyond is not
counted against the job."""


def limits_for(profile: Profile, overrides: Mapping[str, Mapping[str, float]] | None = None) -> Limits:
    """The limits of a profile on this machine, with `overrides` such as `{"pdf": {"wall": 20}}`.

    Raises TypeError for the name of a limit that does not exist.
    """
    return dataclasses.replace(_on_this_machine(profile), **(overrides or {}).get(profile, {}))  # type: ignore[arg-type]


@functools.cache
def _on_this_machine(profile: Profile) -> Limits:
    """Scale `jobs`, declared for two processors, to those here, within half of the memory."""
    limits = LIMITS[profile]
    jobs = min(int(limits.jobs * max(1.0, machine.processors() / 2)), machine.memory() // (2 * limits.usual))
    return dataclasses.replace(limits, jobs=max(1, jobs))
