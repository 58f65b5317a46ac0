"""Rows of the documents: Markdown to HTML against markdown-it-py, as whole processes on one large file."""

from __future__ import annotations

from pathlib import Path

from benchmarks.row import Row

_SECTION = """\
## Section {n}: what was measured

The *quick* brown fox **jumps** over the lazy dog, see [page {n}](https://example.com/{n}) and `code_{n}`. Prose goes on
for a while, as it does in documents that people write, with an <https://example.com> and ~~a mistake~~ in between.

- first point of {n}
- second point
  - a nested one

| Region | Units | Share |
|:-------|------:|:-----:|
| North  | {n}   | 55 %  |
| South  | 950   | 45 %  |

```python
def section_{n}(x: int) -> int:
    return x * {n}
```

> A quotation, number {n}.

"""

_PEER = """\
import sys
from pathlib import Path
from markdown_it import MarkdownIt
reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
Path(sys.argv[2]).write_text(reader.render(Path(sys.argv[1]).read_text("utf-8")), "utf-8")
"""


def _handbook(path: Path) -> None:
    path.write_text("".join(_SECTION.format(n=n) for n in range(8_000)), "utf-8")


ROWS: tuple[Row, ...] = (
    Row(
        name="Markdown to HTML, 4 MB",
        input="handbook.md",
        make=_handbook,
        slug="markdown-to-html",
        peer_name="markdown-it-py",
        peer=("{python}", "-c", _PEER, "{input}", "{output}"),
        needs=("markdown_it",),
        goal=0.15,
    ),
)
