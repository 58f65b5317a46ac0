"""Join the lines of format=flowed texts (RFC 3676) into their original paragraphs."""

from __future__ import annotations

SIGNATURE = "-- "


def joined(text: str, *, without_blank: bool) -> str:
    """Join each line that ends in a space with the next line of equal quote depth; `without_blank` means DelSp=yes."""
    lines: list[list[str]] = []
    open_depth = -1
    for line in text.split("\n"):
        quoted = len(line) - len(line.lstrip(">"))
        content = line[quoted:].removeprefix(" ")
        signature = content == SIGNATURE
        if quoted == open_depth and not signature:
            lines[-1].append(content)
        else:
            lines.append([f"{'>' * quoted} {content}" if quoted else content])
        open_depth = quoted if content.endswith(" ") and not signature else -1
        if open_depth >= 0 and without_blank:
            lines[-1][-1] = lines[-1][-1][:-1]
    return "\n".join(map("".join, lines))
