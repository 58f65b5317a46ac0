"""Tell which number styles of OpenDocument show in a cell (OpenDocument 1.3, part 3, 16.29)."""

from __future__ import annotations

from xml.etree.ElementTree import Element


def is_telling(format: Element) -> bool:
    """Whether a number format is none of dates, which are values, and not the general one."""
    kind = _local(format.tag)
    if kind in ("date-style", "time-style", "text-style", "boolean-style"):
        return False
    numbers = [each for each in format if _local(each.tag) == "number"]
    return (
        kind != "number-style"
        or len(format) != len(numbers)
        or any(_local(key) in ("decimal-places", "grouping") for each in numbers for key in each.attrib)
    )


def _local(name: str) -> str:
    return name.rpartition("}")[2]
