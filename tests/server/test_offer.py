"""A change of what is offered reaches every worker without a restart."""

from __future__ import annotations

import time
from typing import Any

import httpx

from conversions.models import Price, Restriction
from tests.conftest import make_user, with_key
from tests.conversions.samples import PEOPLE
from tests.server.conftest import Server


def test_a_disabled_conversion_is_refused_by_every_worker_from_the_next_request_on(server: Server) -> None:
    person = with_key(make_user("scale"))

    def convert() -> Any:
        # A connection each, which any of the workers may take.
        return httpx.post(
            f"{server.url}/api/v1/converter/json-to-csv",
            files={"file": ("a.json", PEOPLE)}, headers=person.headers, timeout=60,
        )  # fmt: skip

    def listed() -> set[int]:
        answers = [httpx.get(f"{server.url}/api/v1/converter/json-to-csv", timeout=60) for _ in range(8)]
        return {each.status_code for each in answers}

    assert {convert().status_code for _ in range(8)} == {201}
    Price.objects.create(scope="slug", name="json-to-csv", credits=5)
    assert {convert().json()["data"]["credits"] for _ in range(8)} == {5}
    off = Restriction.objects.create(scope="slug", name="json-to-csv")
    assert {convert().status_code for _ in range(8)} == {404}
    _until(lambda: listed() == {404})
    off.delete()
    _until(lambda: listed() == {200})
    _until(lambda: {convert().status_code for _ in range(8)} == {201})


def _until(holds: Any) -> None:
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.1)
