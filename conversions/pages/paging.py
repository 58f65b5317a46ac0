"""Which part of a long list a page shows."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest

SIZE = 20


@dataclass(frozen=True)
class Page:
    """Page `number` (from 1) of a list of `total` rows."""

    number: int
    total: int

    @classmethod
    def read(cls, request: HttpRequest, total: int) -> Page:
        """The page that `?page=` asks for, or the nearest one that there is."""
        text = request.GET.get("page", "")
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 8 else 1
        return cls(min(max(1, number), max(1, -(-total // SIZE))), total)

    @property
    def last(self) -> int:
        return max(1, -(-self.total // SIZE))

    @property
    def start(self) -> int:
        return (self.number - 1) * SIZE

    @property
    def end(self) -> int:
        return self.start + SIZE

    @property
    def previous(self) -> int | None:
        return self.number - 1 if self.number > 1 else None

    @property
    def next(self) -> int | None:
        return self.number + 1 if self.number < self.last else None
