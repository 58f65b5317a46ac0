"""Reorder the fields of SubStation Alpha files whose `Format:` lines differ from the standard order."""

from __future__ import annotations

_USUAL = {
    "[v4+ styles]": (
        "Name", "Fontname", "Fontsize", "PrimaryColour", "SecondaryColour", "OutlineColour", "BackColour", "Bold",
        "Italic", "Underline", "StrikeOut", "ScaleX", "ScaleY", "Spacing", "Angle", "BorderStyle", "Outline", "Shadow",
        "Alignment", "MarginL", "MarginR", "MarginV", "Encoding",
    ),
    "[v4 styles]": (
        "Name", "Fontname", "Fontsize", "PrimaryColour", "SecondaryColour", "TertiaryColour", "BackColour", "Bold",
        "Italic", "BorderStyle", "Outline", "Shadow", "Alignment", "MarginL", "MarginR", "MarginV", "AlphaLevel",
        "Encoding",
    ),
    "[events]": ("Layer", "Start", "End", "Style", "Name", "MarginL", "MarginR", "MarginV", "Effect", "Text"),
}  # fmt: skip
_UNSAID = {
    "fontname": "Arial", "fontsize": "20", "primarycolour": "&H00FFFFFF", "scalex": "100", "scaley": "100",
    "borderstyle": "1", "outline": "2", "shadow": "2", "alignment": "2", "encoding": "1", "start": "0:00:00.00",
    "end": "0:00:00.00", "style": "Default", "name": "", "effect": "", "text": "",
}  # fmt: skip
"""Defaults of fields that a file lacks; 0 for all others."""
_ALIKE = {"actor": "name", "marked": "layer"}
_LINES = ("Style:", "Dialogue:", "Comment:")


def ordered(text: str) -> str:
    """Return the file with all fields in the order that players assume; unchanged if they are in it."""
    lines: list[str] = []
    usual: tuple[str, ...] = ()
    given: list[str] | None = None
    for line in text.split("\n"):
        start = line.strip()
        if start.startswith("["):
            usual, given = _USUAL.get(start.lower(), ()), None
        elif usual and start.lower().startswith("format:"):
            names = [each.strip().lower() for each in start[7:].split(",")]
            names = [_ALIKE.get(each, each) for each in names]
            given = names if names != [each.lower() for each in usual] else None
            line = f"Format: {', '.join(usual)}" if given else line
        elif given and start.startswith(_LINES):
            kind, _, fields = start.partition(":")
            if kind == "Style" and fields.count(",") == len(usual) - 1:  # already in the section's order
                lines.append(line)
                continue
            values = dict(zip(given, fields.strip().split(",", len(given) - 1), strict=False))
            put = (values.get(name := each.lower(), _UNSAID.get(name, "0")) for each in usual)
            line = f"{kind}: {','.join(each if at == len(usual) - 1 else each.strip() for at, each in enumerate(put))}"
        lines.append(line)
    return "\n".join(lines)
