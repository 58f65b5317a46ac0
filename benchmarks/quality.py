"""Measure the quality of output: text recognised from scans next to Tesseract's command, PDFs compressed next to
Ghostscript."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import shutil
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import picture_pdfs, processes
from benchmarks.engines import remove, shown
from benchmarks.processes import Cost
from benchmarks.sandbox import REST
from benchmarks.table import Line, Table

_TILTS = (-3.0, -1.5, 2.0, 3.5)
_WRONG, _SECONDS, _MEGABYTES, _GROWTH = 0.012, 1.1, 100, 5_000
_READ: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("png-to-txt", "txt", {}),
    ("pdf-to-txt", "txt", {}),
    ("png-to-pdf", "pdf", {"ocr": "auto"}),
    ("pdf-to-pdf", "pdf", {"ocr": "auto"}),
)
"""The converters that read scans, with the extension of their output and their options."""
_BYTES, _TIME, _ALIKE = 1.1, 0.8, 0.95
_COMPRESSED = ("gs", "-q", "-sDEVICE=pdfwrite", "-dPDFSETTINGS=/ebook", "-dNOPAUSE", "-dBATCH", "-o")


def measure(table: Table, folder: Path, *, runs: int) -> None:
    """Measure both; a part whose peer is not installed is named and skipped."""
    for peer, part in (("tesseract", _scans), ("gs", _smaller)):
        if shutil.which(peer) is None:
            table.skipped.append(f"quality, against {peer}: it is not installed")
            continue
        print(f"quality against {peer}", file=sys.stderr, flush=True)
        part(table, folder, runs)


def in_own_process(work: Callable[..., Any], *given: Any) -> Any:
    """The result of a function run in a separate process, whose memory is freed when it ends."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        return pool.apply(work, given)


def _scan(path: Path, tilt: float) -> None:
    from tests.families.ocr.vectors import saved, scan

    image = scan(tilt=tilt, noise=0.35)
    path.write_bytes(saved(image, "png"))
    image.save(path.with_suffix(".pdf"), resolution=200, quality=85)


def _wrong(path: Path) -> float:
    from tests.families.ocr.vectors import PROSE, errors

    if path.suffix == ".pdf":
        import pypdfium2

        found = "\n".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(path))
        return errors(PROSE, found)
    return errors(PROSE, path.read_text("utf-8"))


def _scans(table: Table, folder: Path, runs: int) -> None:
    """A4 pages at 200 pixels per inch, skewed and noisy, as pictures and on the pages of PDFs."""
    source, other = folder / "scan.png", folder / "other.txt"
    theirs: list[Cost] = []
    others: list[float] = []
    found = {slug: _Measured() for slug, _, _ in _READ}
    for tilt in _TILTS:
        in_own_process(_scan, source, tilt)
        for _ in range(runs):
            theirs.append(processes.run(["tesseract", str(source), str(other.with_suffix(""))]))
            others.append(in_own_process(_wrong, other))
            remove(other)
            for slug, kind, options in _READ:
                given, target, plain = source.with_suffix(f".{slug[:3]}"), folder / f"read.{kind}", folder / "off.pdf"
                read = found[slug]
                read.jobs.append(in_own_process(_as_job, slug, given, options))
                read.costs.append(processes.run(processes.convert(slug, given, target, json.dumps(options))))
                read.wrong.append(in_own_process(_wrong, target))
                if kind == "pdf":
                    processes.run(processes.convert(slug, given, plain, json.dumps(options | {"ocr": "off"})))
                    read.growth.append(target.stat().st_size - plain.stat().st_size)
                    remove(plain)
                remove(target)
    for slug, read in found.items():
        _add_read_lines(table, slug, read, theirs, others)


@dataclass(frozen=True)
class _Measured:
    """Measurements of one converter: processes, seconds of jobs, shares of wrong letters, bytes that PDFs grew by."""

    costs: list[Cost] = field(default_factory=list)
    jobs: list[float] = field(default_factory=list)
    wrong: list[float] = field(default_factory=list)
    growth: list[int] = field(default_factory=list)


def _add_read_lines(table: Table, slug: str, read: _Measured, theirs: list[Cost], others: list[float]) -> None:
    first, second, job = processes.median(read.costs), processes.median(theirs), statistics.median(read.jobs)
    grown = f", {max(read.growth) / 1000:.1f} KB a page" if read.growth else ""
    table.add(
        "What comes out",
        Line(
            name=f"{slug}: a tilted, noisy page at 200 pixels an inch" + (" made searchable" if read.growth else ""),
            ours=f"{max(read.wrong):.1%} wrong, {job:.2f} s as a job of the service ({first.cpu:.2f} s of processor as "
            f"a process), {shown(first)}{grown}",
            peer_name="tesseract" if slug.startswith("png") else "tesseract, from the picture",
            peer=f"{max(others):.1%} wrong, {second.cpu:.2f} s of processor, {shown(second)}",
            ratio=job / second.wall,
            goal=f"<= {_WRONG:.1%} wrong, <= {_SECONDS} s, <= {_MEGABYTES} MB"
            + (f", <= {_GROWTH / 1000:g} KB a page" if read.growth else ""),
            good=max(read.wrong) <= _WRONG
            and job <= _SECONDS
            and first.peak <= _MEGABYTES
            and max(read.growth, default=0) <= _GROWTH,
            runs=len(read.costs),
        ),
    )


def _smaller(table: Table, folder: Path, runs: int) -> None:
    ratios: list[float] = []
    alike: list[float] = []
    sizes, times, jobs = [0, 0, 0], [0.0, 0.0], [0.0, 0.0]
    larger = 0
    sources = in_own_process(picture_pdfs.write, folder)
    options = {"level": "screen"}
    for source in sources:
        target, other = folder / "ours.pdf", folder / "other.pdf"
        mine = processes.run(processes.convert("pdf-to-pdf", source, target, json.dumps(options)))
        theirs = processes.run([*_COMPRESSED, str(other), str(source)])
        job = in_own_process(_as_job, "pdf-to-pdf", source, options)
        before, after, others = (each.stat().st_size for each in (source, target, other))
        ratios.append(after / others)
        larger += after > before
        alike.append(in_own_process(_likeness, source, target))
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
    """The seconds of a job in a running sandbox, the second of two."""
    from benchmarks.convert import find
    from engine.sandbox.client import Zygote
    from engine.sandbox.limits import limits_for
    from engine.toolkit.options import describe

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
    """The structural similarity of the first pages in grey, at 100 pixels per inch."""
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
