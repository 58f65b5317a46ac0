"""Count the bytes stored for an account, or for all guests of a network, and predict when they expire."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet, Sum
from django.utils import timezone

from storage.models import StoredFile

_MAX_FILES = 1_000


@dataclass(frozen=True)
class QuotaHolder:
    """Whoever a quota of stored bytes belongs to: an account, or the guests of a network (`block`)."""

    owner: Any = None
    block: str | None = None

    @property
    def _files(self) -> QuerySet[StoredFile]:
        """The files that can be downloaded; an expired file does not count, even if not yet purged."""
        mine = {"block": self.block} if self.owner is None else {"owner": self.owner}
        return StoredFile.objects.filter(**mine, expires_at__gt=timezone.now())

    @property
    def stored_bytes(self) -> int:
        """The number of bytes stored now."""
        return int(self._files.aggregate(kept=Sum("size", default=0))["kept"])

    def freed_at(self, number: int) -> datetime | None:
        """When this many bytes will have expired; None if that takes more than the next thousand files."""
        files = self._files.order_by("expires_at").values_list("size", "expires_at")[:_MAX_FILES]
        for size, expires_at in files:
            number -= size
            if number <= 0:
                return expires_at
        return None
