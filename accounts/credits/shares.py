"""What members with a limit may take together of what their organisation has: the rest is left to the others."""

from __future__ import annotations


def half(whole: int) -> int:
    """Their part of a budget or a rate."""
    return max(1, whole // 2)


def all_but_one(whole: int) -> int:
    """Their part of job slots, of which small plans have too few to halve."""
    return max(1, whole - 1)
