"""One table of figures, and the description of the machine that they were taken on."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass, field
from pathlib import Path

RESULTS = Path(__file__).with_name("RESULTS.md")


@dataclass(frozen=True)
class Line:
    """One row of the table; `ratio` is ours / peer, `good` is None where nothing was promised."""

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
    """All that was measured in one run, and what was left out, with the reason."""

    sections: dict[str, list[Line]] = field(default_factory=dict)
    skipped: list[str] = field(default_factory=list)

    def add(self, section: str, line: Line) -> None:
        self.sections.setdefault(section, []).append(line)

    def markdown(self) -> str:
        parts = ["# Results of `make bench`", "", machine(), ""]
        for section in self.sections:
            parts += [f"## {section}", "", self._lines(section), ""]
        if self.skipped:
            parts += ["## Not measured here", "", *(f"- {each}" for each in sorted(set(self.skipped))), ""]
        return "\n".join(parts)

    def put_into(self, text: str) -> str:
        """An earlier `markdown` with this table's figures in the sections that both have."""
        blocks = text.split("\n## ")
        for number, block in enumerate(blocks):
            section = block.partition("\n")[0]
            if section in self.sections:
                blocks[number] = f"{section}\n\n{self._lines(section)}\n"
        return "\n## ".join(blocks)

    def _lines(self, section: str) -> str:
        head = ["what", "ours", "peer", "the peer's", "ratio", "goal", "met", "runs"]
        rows = [head, *(each.cells() for each in self.sections[section])]
        widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
        shown = ["| " + " | ".join(map(str.ljust, row, widths)) + " |" for row in rows]
        return "\n".join([shown[0], "|" + "|".join("-" * (w + 2) for w in widths) + "|", *shown[1:]])


def machine() -> str:
    """Processor, memory, system and load, in one paragraph."""
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
