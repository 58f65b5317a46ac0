"""Every hostile file through the real service: an answer, no crash, no false charge, a good job afterwards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from accounts.models import CreditEntry, LimitOverride, User
from conversions.models import Conversion
from storage.models import StoredFile
from tests.conftest import make_user, with_key
from tests.hostile.inputs import HOSTILE, Hostile
from tests.hostile.service import send, still_works
from tests.server.conftest import Server

REFUSED = {
    400: {"UNSUPPORTED_FILE_TYPE", "UPLOAD_ERROR", "NO_FILE", "VALIDATION_ERROR"},
    413: {"FILE_TOO_LARGE"},
    422: {"UNSUPPORTED_FORMAT"},
}


@pytest.fixture
def client() -> Iterator[httpx.Client]:
    with httpx.Client() as made:
        yield made


def rounds() -> Iterator[tuple[Hostile, ...]]:
    """Each file once, by another of its conversions from file to file; all of all are for the soak."""
    files: dict[str, list[Hostile]] = defaultdict(list)
    for each in HOSTILE:
        if not each.slow:
            files[each.name.replace(each.slug, "")].append(each)
    chosen = [ways[number % len(ways)] for number, ways in enumerate(files.values())]
    for start in range(0, len(chosen), 8):
        yield tuple(chosen[start : start + 8])


@pytest.mark.parametrize("round_", [pytest.param(each, id=f"from {each[0].name}") for each in rounds()])
def test_hostile_files_get_an_answer_and_harm_nobody(
    server: Server, client: httpx.Client, round_: tuple[Hostile, ...]
) -> None:
    user = make_user("scale")
    LimitOverride.objects.create(user=user, requests_per_minute=10_000)
    headers = with_key(User.objects.get(pk=user.pk)).headers
    expected = 0
    for hostile in round_:
        verdict = send(client, server.url, hostile, headers)
        assert verdict.status == 201 or verdict.code in REFUSED.get(verdict.status, set()), verdict
        expected += verdict.status == 201
        charged = CreditEntry.objects.filter(kind="conversion").count()
        assert charged == StoredFile.objects.count() == Conversion.objects.filter(status="completed").count()
        assert charged == expected, verdict
        assert still_works(client, server.url, headers), verdict
        expected += 1
        assert not Path("/tmp/owned").exists(), verdict
