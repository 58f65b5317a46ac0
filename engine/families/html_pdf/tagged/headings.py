"""Number the headings of a structure tree without gaps (ISO 14289-1, 7.4.2)."""

from __future__ import annotations

from engine.families.html_pdf.tagged.nodes import HEADINGS, Node


def number(root: Node) -> list[str]:
    """Set the levels of headings to the depths of their nesting, and return the texts of those that changed."""
    changed: list[str] = []
    above: list[int] = []
    for node in root.within():
        if node.role in HEADINGS:
            level = int(node.role[1])
            while above and above[-1] >= level:
                above.pop()
            above.append(level)
            if len(above) != level:
                node.role = f"H{len(above)}"
                changed.append(node.text()[:60])
    return changed
