"""The table of results, and the description of the machine they were taken on."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

_HEAD = ("what", "ours", "peer", "the peer's", "ratio", "goal", "met", "runs")
_SKIPPED = "Not measured here"
RESULTS = Path(__file__).with_name("RESULTS.md")


@dataclass(frozen=True)
class Line:
    """One row of the table; `ratio` is ours / peer, `good` is None without a goal."""

    name: str
    ours: str
    peer_name: str = ""
    peer: str = ""
    ratio: float | None = None
    goal: str = ""
    good: bool | None = None
    runs: int = 0

    def cells(self) -> list[str]:
        ratio = "" if self.ratio is None else f"{self.ratio:.2f}"
        verdict = {None: "", True: "yes", False: "no"}[self.good]
        return [self.name, self.ours, self.peer_name, self.peer, ratio, self.goal, verdict, str(self.runs or "")]


@dataclass
class Table:
    """The results of one run, and what was skipped, with the reason."""

    sections: dict[str, list[Line]] = field(default_factory=dict)
    skipped: list[str] = field(default_factory=list)

    def add(self, section: str, line: Line) -> None:
        self.sections.setdefault(section, []).append(line)

    def markdown(self) -> str:
        parts = ["# Results of `make bench`", "", machine(), ""]
        for section in self.sections:
            parts += [f"## {section}", "", self._lines(section), ""]
        if self.skipped:
            parts += [f"## {_SKIPPED}", "", *(f"- {each}" for each in sorted(set(self.skipped))), ""]
        return "\n".join(parts)

    def put_into(self, text: str, *, whole: bool) -> str:
        """An earlier `markdown` with this table's sections replaced, or only its lines in sections that are not
        `whole`."""
        blocks = text.split("\n## ")
        for section, lines in self.sections.items():
            cells = [each.cells() for each in lines]
            at = next((at for at, block in enumerate(blocks) if block.partition("\n")[0] == section), None)
            if at is None:
                last = next((at for at, block in enumerate(blocks) if block.startswith(_SKIPPED)), len(blocks))
                blocks.insert(last, f"{section}\n\n{_shown(cells)}\n")
                continue
            if whole:
                blocks[at] = f"{section}\n\n{_shown(cells)}\n"
                continue
            new = {(each[0], each[2]): each for each in cells}
            kept = [_cells(each) for each in blocks[at].splitlines() if each.startswith("| ")][1:]
            merged = [new.pop((each[0], each[2]), each) for each in kept]
            blocks[at] = f"{section}\n\n{_shown([*merged, *new.values()])}\n"
        return "\n## ".join(blocks)

    def _lines(self, section: str) -> str:
        return _shown([each.cells() for each in self.sections[section]])


def _cells(line: str) -> list[str]:
    return [each.strip() for each in line.strip().strip("|").split("|")]


def _shown(rows: Sequence[Sequence[str]]) -> str:
    every = [_HEAD, *rows]
    widths = [max(len(row[column]) for row in every) for column in range(len(_HEAD))]
    shown = ["| " + " | ".join(map(str.ljust, row, widths)) + " |" for row in every]
    return "\n".join([shown[0], "|" + "|".join("-" * (w + 2) for w in widths) + "|", *shown[1:]])


def machine() -> str:
    """The processor, memory, system and load, in one paragraph."""
    model = next(
        (x.partition(":")[2].strip() for x in Path("/proc/cpuinfo").read_text().splitlines() if x[:10] == "model name"),
        platform.machine(),
    )
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return (
        f"{len(os.sched_getaffinity(0))} cores of {model}, {memory:.0f} GB, {platform.system()} {platform.release()}, "
        f"Python {platform.python_version()}; load {os.getloadavg()[0]:.1f} when this was written. "
        "Every figure is the median of the runs named; ours and the peer's alternate. Trust the ratios."
    )
