"""The figures of reliability: what is promised, and the report of what was measured, written after every part."""

from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import json
import math
import os
import platform
import signal
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from engine.families.registry import CONVERTERS, FAMILIES, MISSING
from engine.toolkit.declaring import declared

SCALE = float(os.environ.get("SOAK_SCALE", "1"))
"""What the numbers of all parts are multiplied with: below 1 for a look at whether the parts work."""

REPORT = Path(os.environ.get("SOAK_REPORT") or Path(tempfile.gettempdir(), "soak.md"))
"""What `make soak` writes of all parts in full; of a look at some there is a report in the temporary folder."""


@dataclass(frozen=True)
class Figure:
    """One promise: `goal` says what must come of what is `tried`; the whole part ends after `minutes` at the latest."""

    number: int
    tried: str
    goal: str
    minutes: float = 5


def counted_as(module: str) -> str:
    """The family that a declaring module's conversions are tried with; those of data are many, and count one by one."""
    names = module.split(".")
    return names[-1] if names[0] == "data" else names[0]


FIGURES: Mapping[str, Figure] = {
    "hostile files": Figure(
        1,
        "at least 200 hostile files over HTTP, a good job after each",
        "no 5xx, no dead worker, each ends by its limit + 0.5 s",
        15,
    ),
    "bombs": Figure(
        1,
        "at least 150 files that grow, or take long, out of little, over HTTP, a good job after each",
        "no 5xx, no dead worker, each ends by its limit + 0.5 s",
        20,
    ),
    "escapes": Figure(
        2, "at least 35 escape attempts from inside a child, by user, family and Landlock", "none succeeds"
    ),
    "overhead text": Figure(3, "sandbox overhead of json-to-csv", "median <= 5 ms"),
    "overhead image": Figure(3, "sandbox overhead of png-to-jpg", "median <= 15 ms"),
    "overhead pdf": Figure(3, "sandbox overhead of html-to-pdf", "median <= 25 ms"),
    "zygotes": Figure(3, "start of each family's zygote", "<= 2 s"),
    "memory of zygotes": Figure(3, "memory of idle zygotes", "resident <= 20 MB text, <= 100 MB pdf"),
    "kills": Figure(
        4,
        "500 kill -9 of web workers, zygotes and children while converting",
        "no credit lost or invented, no completed conversion without its file, no process left after 2 s, "
        "slots free within their expiry, no orphaned bytes left by the sweep",
        15,
    ),
    "refresh": Figure(5, "100 rounds of 16 parallel refreshes of one token", "one winner a round"),
    "credits": Figure(5, "20 rounds of 200 parallel requests on 50 credits", "50 charged a round", 8),
    "idempotency": Figure(5, "one idempotency key 50 times in parallel", "one run"),
    "rate": Figure(5, "300 parallel requests on a rate of 100 a minute over 4 processes", "exactly 100"),
    "schema": Figure(
        6, "at least 10,000 requests made up from the OpenAPI document", "no 5xx, no answer outside the schema", 20
    ),
    "raw HTTP": Figure(6, "raw requests that are not quite HTTP", "no 5xx, JSON under /api/, the server goes on"),
    **{
        f"any input: {family}": Figure(
            6, f"at least 2,000 mutated or random inputs to {family}", "output or a typed refusal", 12
        )
        for family in sorted({counted_as(each) for each in FAMILIES} - {"libreoffice"})
    },
    "any input: libreoffice": Figure(
        6, "at least 600 mutated or random inputs to libreoffice", "output or a typed refusal", 9
    ),
    **{
        f"fuzz: {name}": Figure(
            6, f"our own parser of {name}, 5 minutes guided by its branches", "read or a typed refusal", 7
        )
        for name in ("biff", "css", "head", "json_csv", "multipart", "rtf", "xlsx", "xml", "yaml")
    },
    **{
        f"growth: {family}": Figure(
            6, f"inputs to {family} of twice the size, repeated and nested", "none takes four times as long", 3
        )
        for family in sorted({each.partition(".")[0] for each in FAMILIES})
    },
    "slow clients": Figure(7, "200 slow connections from one address", "another address's p99 < 1 s"),
    "crowd": Figure(
        7, "16 clients for 5 minutes after a minute of warm-up", "no 5xx, memory drift < 5 %, 429 has Retry-After", 9
    ),
    "bad logins": Figure(7, "100 bad logins a second", "p95 of conversions less than doubles"),
    "hostile guests": Figure(
        7,
        "8 guests who keep two conversions of a minute each under way",
        "others' p99: /healthz <= 50 ms, a page <= 300 ms, a conversion of 1 KB <= 1 s",
    ),
    "declared": Figure(8, "10 GB declared", "413 in < 50 ms"),
}


NOTES = (
    "The figures of 7 are taken with their clients on the same processors. Memory that may not grow is that without",
    "mapped files, as SQLite maps its database, which grows with its records. Resident memory is all of a process;",
    "PSS divides what several map by their number, USS is what one has for itself: the pages of a zygote are those of",
    "its waiting children, too. A figure that is missed by a measurement is said to be missed and nothing else; a rule",
    "that is broken (an answer 5xx, a lost credit, an escape) fails the run as well.",
)


BY_HAND = "\n## Measured one by one\n"
"""The heading of what was measured beside a run of all parts."""


@dataclass
class Part:
    """What came of one figure: `held` is None until it is known."""

    measured: str = "the run ended before it"
    held: bool | None = None
    began: float = 0.0
    """Seconds since the epoch, 0 before it has."""
    seconds: float = 0.0

    def say(self, measured: str, *, held: bool) -> None:
        self.measured, self.held = measured, held


class OverTime(BaseException):
    """A part that takes longer than it may; nothing that catches Exception can go on with it."""


@dataclass
class Report:
    """All figures with what was measured; the file says at any moment what is known so far."""

    database: str
    known: Path
    """What is known so far, as JSON: of this process and of those beside it, which have other parts."""
    parts: dict[str, Part] = field(default_factory=lambda: {name: Part() for name in FIGURES})

    @contextlib.contextmanager
    def part(self, name: str) -> Iterator[Part]:
        """Measure one figure: what is said is reported, and so is an error that ends the part before."""
        figure, part, started = FIGURES[name], self.parts[name], time.monotonic()
        part.began = time.time()
        try:
            with _within(figure.minutes * 60):
                yield part
        except BaseException as error:
            if part.held is None:
                words = " ".join(str(error).split())[:200].replace("|", "/")
                part.say(f"broke off: {type(error).__name__} {words}", held=False)
            raise
        finally:
            part.seconds = time.monotonic() - started
            self.write(name)

    def write(self, name: str) -> None:
        """Add a part to what is known, and write the table anew; what stands behind BY_HAND stays."""
        with self.known.open("a+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            parts = {**json.loads(file.read() or "{}"), name: dataclasses.asdict(self.parts[name])}
            self.parts.update({each: Part(**said) for each, said in parts.items()})
            file.truncate(0)
            json.dump(parts, file)
            file.flush()
            before = REPORT.read_text() if REPORT.exists() else ""
            _, heading, rest = before.partition(BY_HAND)
            REPORT.write_text(self.markdown() + heading + rest)

    def markdown(self) -> str:
        machine = (
            f"{os.cpu_count()} processors, {platform.system()} {platform.release()}, "
            f"Python {platform.python_version()}, {self.database}"
        )
        taken = time.time() - min((each.began for each in self.parts.values() if each.began), default=time.time())
        lines = [
            "# What was tried to break it",
            "",
            f"`make soak` on {machine}: {taken / 60:.0f} minutes.",
            *([f"Only a look: all numbers times {SCALE:g}."] if not math.isclose(SCALE, 1) else []),
            "",
            "| | Tried | Goal | Came of it | | Seconds |",
            "|---|---|---|---|---|---|",
        ]
        for name, part in self.parts.items():
            figure = FIGURES[name]
            measured = part.measured if part.began or not _lacking(name) else "its libraries are extras, not installed"
            held = {True: "held", False: "**missed**", None: "not run"}[part.held]
            lines.append(
                f"| {figure.number} | {figure.tried} | {figure.goal} | {measured} | {held} | {part.seconds:.0f} |"
            )
        return "\n".join([*lines, "", *NOTES]) + "\n"


def _lacking(name: str) -> bool:
    """Whether a figure is of a family of which nothing is installed."""
    here = {each.declared_in for each in CONVERTERS.values()}
    lacking = {each.declared_in for each in declared() if each.slug in MISSING} - here
    return name.partition(": ")[2] in {each.split(".")[2] for each in lacking}


@contextlib.contextmanager
def _within(seconds: float) -> Iterator[None]:
    def ring(signum: int, frame: FrameType | None) -> None:
        raise OverTime(f"not done within {seconds / 60:g} minutes")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def scaled(number: int, *, least: int = 1) -> int:
    """How many of `number` to do in this run."""
    return max(least, round(number * SCALE))
