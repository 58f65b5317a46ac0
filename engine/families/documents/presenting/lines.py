"""Lines of text with HTML's white space collapsed and equal runs merged."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.families.documents.presenting.blocks import Block, Code, Formatting, Line, Run, Table

_BLANK = re.compile(r"[ \t\r\n\f]+")


def lines(blocks: list[Block]) -> Iterator[Line]:
    """The blocks as lines of text, for places that can hold nothing else."""
    for each in blocks:
        if isinstance(each, Line):
            yield each
        elif isinstance(each, Code):
            yield Line((Run("\n".join(each.lines), Formatting(mono=True)),))
        elif isinstance(each, Table):
            for row in each.rows:
                text = " | ".join(" ".join(line.text for line in cell.lines) for cell in row)
                yield Line((Run(text, Formatting()),))


def collapsed(runs: list[Run]) -> tuple[Run, ...]:
    """Runs with white space collapsed as in HTML, trimmed, and equal neighbours merged."""
    found: list[tuple[Formatting, list[str]]] = []
    open_space = True
    for run in runs:
        text, formatting = run.text, run.formatting
        if formatting.link == "\n":
            formatting = formatting._replace(link="")
            if found:
                found[-1][1][-1] = found[-1][1][-1].rstrip(" ")
            open_space = True
        else:
            text = _BLANK.sub(" ", text)
            text = text[1:] if open_space and text.startswith(" ") else text
            open_space = text.endswith(" ") if text else open_space
        if not text:
            continue
        if found and found[-1][0] == formatting:
            found[-1][1].append(text)
        else:
            found.append((formatting, [text]))
    made = [Run("".join(parts), formatting) for formatting, parts in found]
    while made and not made[-1].text.strip(" \n"):
        made.pop()
    start = next((at for at, each in enumerate(made) if each.text.strip(" \n")), len(made))
    made = made[start:]
    if made:
        made[-1] = made[-1]._replace(text=made[-1].text.rstrip(" \n"))
        made[0] = made[0]._replace(text=made[0].text.lstrip(" \n"))
    return tuple(each for each in made if each.text)
