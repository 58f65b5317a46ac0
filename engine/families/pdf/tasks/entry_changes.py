"""Change entries of a PDF's dictionaries, and take the changes back."""

from __future__ import annotations

import pikepdf


class Changes:
    """What was changed, so that a document that pages are copied from is as it was afterwards."""

    def __init__(self) -> None:
        self._before: list[tuple[pikepdf.Object, str, object]] = []

    def set(self, holder: pikepdf.Object, key: str, value: pikepdf.Object) -> None:
        self._before.append((holder, key, holder.get(key)))
        holder[key] = value

    def drop(self, holder: pikepdf.Object, key: str) -> None:
        self._before.append((holder, key, holder[key]))
        del holder[key]

    def take_back(self) -> None:
        while self._before:
            holder, key, value = self._before.pop()
            if value is None:
                del holder[key]
            else:
                holder[key] = value
