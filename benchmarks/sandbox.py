"""Measure the sandbox: `python -m benchmarks.sandbox` prints start time, memory and overhead of each profile's
zygote."""

from __future__ import annotations

import contextlib
import io
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PIL import Image

from engine.families.registry import CONVERTERS
from engine.sandbox.client import Zygote
from engine.sandbox.limits import limits_for
from engine.toolkit.declaring import Profile
from engine.toolkit.options import describe

JOBS = 60
REST = 0.05
"""Seconds between two jobs, in which a new idle child is started, as between the requests of two users."""


def _picture() -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (64, 64), "teal").save(buffer, "PNG")
    return buffer.getvalue()


CASES: tuple[tuple[Profile, str, Callable[[], bytes], float], ...] = (
    ("text", "json-to-csv", lambda: b'[{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]', 5),
    ("image", "png-to-jpg", _picture, 15),
    ("pdf", "html-to-pdf", lambda: b"<h1>Invoice</h1><p>One line of it.</p>", 25),
)


def resident(pid: int) -> tuple[float, float]:
    """The resident and proportional memory of a process in MB."""
    values = {}
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]:
        name, value, _ = line.split()
        values[name] = int(value) * 1024 / 1e6
    return values["Rss:"], values["Pss:"]


def main() -> None:
    for profile, slug, make, goal in CASES:
        converter = CONVERTERS[slug]
        values = {each.name: each.default for each in describe(converter.options)}
        with contextlib.closing(Zygote(profile, limits_for(profile))) as zygote, tempfile.TemporaryFile() as source:
            source.write(make())
            source.flush()
            started = time.perf_counter()
            report = zygote.canary()
            start = time.perf_counter() - started
            overheads, own = [], []
            for _ in range(JOBS):
                time.sleep(REST)
                started = time.perf_counter()
                answer = zygote.convert(slug, values, source.fileno())
                answer.output.close()
                own.append(answer.milliseconds)
                overheads.append((time.perf_counter() - started) * 1000 - answer.milliseconds)
            assert zygote.pid is not None
            rss, pss = resident(zygote.pid)
            print(
                f"{slug}: overhead {statistics.median(overheads):.1f} ms (goal {goal}, quietest {min(overheads):.1f}), "
                f"the converter {statistics.median(own):.1f} ms, start {start:.2f} s, "
                f"resident {rss:.0f} MB ({pss:.0f} MB of its own share), confined: {report.confined}"
            )


if __name__ == "__main__":
    main()
