"""What comes out: letters read from scans beside Tesseract's command, PDFs made smaller beside Ghostscript."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import shutil
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks import pictured, processes
from benchmarks.engines import remove, shown
from benchmarks.processes import Cost
from benchmarks.sandbox import REST
from benchmarks.table import Line, Table

_TILTS = (-3.0, -1.5, 2.0, 3.5)
_WRONG, _SECONDS, _MEGABYTES = 0.012, 1.1, 100
_BYTES, _TIME, _ALIKE = 1.1, 0.8, 0.95
_SHRUNK = ("gs", "-q", "-sDEVICE=pdfwrite", "-dPDFSETTINGS=/ebook", "-dNOPAUSE", "-dBATCH", "-o")


def measure(table: Table, folder: Path, *, runs: int) -> None:
    """Measure both; a part whose peer is not installed is named and left out."""
    for peer, part in (("tesseract", _scans), ("gs", _smaller)):
        if shutil.which(peer) is None:
            table.skipped.append(f"quality, against {peer}: it is not installed")
            continue
        print(f"quality against {peer}", file=sys.stderr, flush=True)
        part(table, folder, runs)


def _apart(work: Callable[..., Any], *given: Any) -> Any:
    """What a function returns that runs in a process of its own, whose memory is gone with it."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        return pool.apply(work, given)


def _scan(path: Path, tilt: float) -> None:
    from tests.converters.cases.recognised import saved, scan

    path.write_bytes(saved(scan(tilt=tilt, noise=0.35), "png"))


def _wrong(path: Path) -> float:
    from tests.converters.cases.recognised import PROSE, errors

    return errors(PROSE, path.read_text("utf-8"))


def _scans(table: Table, folder: Path, runs: int) -> None:
    """Pages of A4 at 200 pixels an inch, tilted and noisy."""
    mine: list[Cost] = []
    theirs: list[Cost] = []
    wrong: list[float] = []
    others: list[float] = []
    jobs: list[float] = []
    for tilt in _TILTS:
        source, target, other = (folder / name for name in ("scan.png", "read.txt", "other.txt"))
        _apart(_scan, source, tilt)
        jobs += [_apart(_as_job, "png-to-txt", source, {}) for _ in range(runs)]
        for _ in range(runs):
            mine.append(processes.run(processes.convert("png-to-txt", source, target)))
            theirs.append(processes.run(["tesseract", str(source), str(other.with_suffix(""))]))
            wrong.append(_apart(_wrong, target))
            others.append(_apart(_wrong, other))
            remove(target)
            remove(other)
    first, second, job = processes.median(mine), processes.median(theirs), statistics.median(jobs)
    table.add(
        "What comes out",
        Line(
            name="png-to-txt: a tilted, noisy page at 200 pixels an inch",
            ours=f"{max(wrong):.1%} wrong, {job:.2f} s as a job of the service ({first.cpu:.2f} s of processor as a "
            f"process), {shown(first)}",
            peer_name="tesseract",
            peer=f"{max(others):.1%} wrong, {second.cpu:.2f} s of processor, {shown(second)}",
            ratio=job / second.wall,
            goal=f"<= {_WRONG:.1%} wrong, <= {_SECONDS} s, <= {_MEGABYTES} MB",
            good=max(wrong) <= _WRONG and job <= _SECONDS and first.peak <= _MEGABYTES,
            runs=len(mine),
        ),
    )


def _smaller(table: Table, folder: Path, runs: int) -> None:
    ratios: list[float] = []
    alike: list[float] = []
    sizes, times, jobs = [0, 0, 0], [0.0, 0.0], [0.0, 0.0]
    larger = 0
    sources = _apart(pictured.write, folder)
    options = {"level": "screen"}
    for source in sources:
        target, other = folder / "ours.pdf", folder / "other.pdf"
        mine = processes.run(processes.convert("pdf-to-pdf", source, target, json.dumps(options)))
        theirs = processes.run([*_SHRUNK, str(other), str(source)])
        job = _apart(_as_job, "pdf-to-pdf", source, options)
        before, after, others = (each.stat().st_size for each in (source, target, other))
        ratios.append(after / others)
        larger += after > before
        alike.append(_apart(_likeness, source, target))
        sizes = [total + each for total, each in zip(sizes, (before, after, others), strict=True)]
        times = [times[0] + mine.cpu, times[1] + theirs.cpu]
        jobs = [jobs[0] + job, jobs[1] + theirs.wall]
        remove(target)
        remove(other)
    within = sum(each <= _BYTES for each in ratios)
    ratio = sizes[1] / sizes[2]
    table.add(
        "What comes out",
        Line(
            name=f"pdf-to-pdf: {len(ratios)} PDFs with a picture of each kind for the screen, {sizes[0] / 1e6:.1f} MB",
            ours=f"{sizes[1] / 1e6:.2f} MB, {jobs[0]:.1f} s as jobs of the service ({times[0]:.1f} s of processor as "
            f"processes), SSIM >= {min(alike):.3f}, {larger} larger",
            peer_name="Ghostscript /ebook",
            peer=f"{sizes[2] / 1e6:.2f} MB, {jobs[1]:.1f} s ({times[1]:.1f} s of processor); "
            f"{within} within {_BYTES}x of it, median {statistics.median(ratios):.2f}x",
            ratio=ratio,
            goal=f"bytes <= {_BYTES}x, time <= {_TIME}x, SSIM >= {_ALIKE}, none larger",
            good=ratio <= _BYTES and jobs[0] <= _TIME * jobs[1] and min(alike) >= _ALIKE and not larger,
            runs=1,
        ),
    )


def _as_job(slug: str, source: Path, options: dict[str, Any]) -> float:
    """Seconds that a job of a running sandbox takes, the second of two."""
    from benchmarks.convert import find
    from conversions.sandbox.client import Zygote
    from conversions.sandbox.limits import limits_for
    from conversions.toolkit.options import describe

    converter = find(slug)
    values = {each.name: each.default for each in describe(converter.options)} | options
    taken = 0.0
    with (
        contextlib.closing(Zygote(converter.profile, limits_for(converter.profile))) as zygote,
        source.open("rb") as file,
    ):
        for _ in range(2):
            time.sleep(REST)
            started = time.perf_counter()
            zygote.convert(slug, values, file.fileno()).output.close()
            taken = time.perf_counter() - started
    return taken


def _likeness(one: Path, other: Path) -> float:
    """The structural similarity of the first pages at 100 pixels an inch, in grey."""
    import numpy
    import pypdfium2

    left, right = (
        numpy.asarray(pypdfium2.PdfDocument(each)[0].render(scale=100 / 72, grayscale=True).to_pil(), numpy.float64)
        for each in (one, other)
    )

    def mean(values: Any, side: int = 8) -> Any:
        sums = numpy.pad(values, ((1, 0), (1, 0))).cumsum(0).cumsum(1)
        return (sums[side:, side:] - sums[:-side, side:] - sums[side:, :-side] + sums[:-side, :-side]) / side**2

    x, y = mean(left), mean(right)
    spread = mean(left * left) - x * x + mean(right * right) - y * y
    shared = mean(left * right) - x * y
    flat, still = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    return float(numpy.mean((2 * x * y + flat) * (2 * shared + still) / ((x * x + y * y + flat) * (spread + still))))
