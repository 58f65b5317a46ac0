"""Generate the table in docs/losses.md of the kinds counted by each family; run the module to update it."""

from __future__ import annotations

import importlib
from pathlib import Path

from engine.families.auditing import COUNTED
from engine.toolkit.census import LOSSES

DOCUMENT = Path(__file__).parents[2] / "docs" / "losses.md"
_BEGIN, _END = "<!-- counted: python -m engine.families.counted -->\n", "<!-- end of what is counted -->\n"


def table() -> str:
    """Kinds by families in Markdown, with the formats in which each is counted; a star marks those of sources alone."""
    formats = {each: importlib.import_module(f"engine.families.{each}.census").COUNTINGS for each in COUNTED}
    families = {each: each.replace(".", " ").replace("_", " ") for each in COUNTED}
    rows = [f"| Kind | {' | '.join(families.values())} |", f"|---|{'---|' * len(families)}"]
    for kind in LOSSES:
        cells = [
            ", ".join(
                f"`{format.id}`" if kind in counting.kinds | counting.result_only else f"`{format.id}`\\*"
                for format, counting in formats[each].items()
                if kind in counting.kinds | counting.result_only | counting.source_only
            )
            for each in families
        ]
        if any(cells):
            rows.append(f"| {kind} | {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def document() -> str:
    """Return docs/losses.md with the current table. Raises ValueError if the document lacks the markers around it."""
    text = DOCUMENT.read_text("utf-8")
    begin, end = text.index(_BEGIN) + len(_BEGIN), text.index(_END)
    return f"{text[:begin]}\n{table()}\n{text[end:]}"


if __name__ == "__main__":
    DOCUMENT.write_text(document(), "utf-8")
