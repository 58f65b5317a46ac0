"""Views that wait for conversions, job owners in the queue, and responses when the queue is too long."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator

import pytest
from django.contrib.sessions.backends.base import SessionBase
from django.test import RequestFactory
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.credits.payers import GuestPayer, UserPayer, payer_for
from conversions.models import Conversion
from conversions.pages import converting
from conversions.work import dry_run, pipeline, runner, waiting
from conversions.work.job_owner import owner_of
from tests.conftest import Person, make_user
from tests.conversions.samples import PEOPLE
from tests.conversions.test_convert import refused

WAYS_IN = (pipeline, dry_run, converting)
"""Modules whose functions wait for the sandbox, beside the runner itself."""
CONVERTING = {
    ("POST", "/"),
    ("POST", "/compress-pdf"),
    ("POST", "/convert/json-to-csv"),
    ("POST", "/thumbnails"),
    ("GET", "/glimpse/00000000000000000000000000000000.pdf"),
    ("POST", "/mcp"),
    ("POST", "/account/export"),
    ("GET", "/login/openid"),
    ("GET", "/login/openid/back"),
    ("POST", "/account/identities/add"),
    ("POST", "/plans/buy/1"),
    ("POST", "/plans/credits/1"),
    ("POST", "/plans/manage"),
    ("POST", "/kept"),
    ("POST", "/history/delete"),
    ("POST", "/history/00000000-0000-0000-0000-000000000000/delete"),
    ("POST", "/api/v1/billing/stripe"),
    ("GET", "/api/v1/schema"),
    ("HEAD", "/api/v1/schema"),
    ("POST", "/api/v1/converter/json-to-csv"),
    ("POST", "/api/v1/converter/no-such-one"),
}
OTHERS = {
    ("GET", "/"),
    ("GET", "/convert/json-to-csv"),
    ("GET", "/api/v1/converter/json-to-csv"),
    ("GET", "/api/v1/converter/formats"),
    ("GET", "/api/v1/files/00000000000000000000000000000000.pdf"),
    ("POST", "/api/v1/auth/login"),
    ("GET", "/account/export"),
    ("GET", "/plans"),
    ("GET", "/healthz"),
    ("GET", "/nothing"),
}
CHECKS = {"config.health"}
"""Modules with views that have threads of their own beside those for conversions."""


@pytest.mark.parametrize(("method", "path"), sorted(CONVERTING))
def test_a_request_that_converts_waits(method: str, path: str) -> None:
    assert waiting.waits(method, path)


@pytest.mark.parametrize(("method", "path"), sorted(OTHERS))
def test_any_other_request_does_not(method: str, path: str) -> None:
    assert not waiting.waits(method, path)


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_a_file_in_s3_is_waited_for(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "is_remote", lambda: True)
    assert waiting.waits(method, "/api/v1/files/00000000000000000000000000000000.pdf")
    assert not waiting.waits("GET", "/api/v1/converter/formats")


def views(patterns: list[URLPattern | URLResolver]) -> Iterator[object]:
    for each in patterns:
        if isinstance(each, URLResolver):
            yield from views(each.url_patterns)
        else:
            yield each.callback


def test_every_view_beside_a_way_into_the_sandbox_is_marked() -> None:
    """Pages that don't convert are in modules of their own. The views of the API are listed above."""
    ways = {runner, *WAYS_IN}
    found = set()
    for view in views(get_resolver().url_patterns):
        module = sys.modules[inspect.unwrap(view).__module__]  # type: ignore[arg-type]
        if ways & {each for each in vars(module).values() if inspect.ismodule(each)} and module.__name__ not in CHECKS:
            cls = getattr(view, "cls", None)
            if cls is None:
                assert getattr(view, "slow", None), view
                found.add(module.__name__)
    assert {"conversions.pages.convert", "conversions.pages.result_preview", "conversions.pages.tasks.page"} <= found


def test_the_queue_sees_neither_account_nor_address(free: Person) -> None:
    for payer, names in ((UserPayer(free.account), [str(free.account.pk)]), (GuestPayer("192.0.2.77"), ["192.0.2"])):
        owner = owner_of(payer)
        assert not any(name in f"{owner.block} {owner.payer}" for name in names)
        assert owner == owner_of(payer)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.7", "192.0.2.200", True),
        ("192.0.2.7", "192.0.3.7", False),
        ("2001:db8:1:2::/64", "2001:db8:1:ff::/64", True),
        ("2001:db8:1:2::/64", "2001:db8:2:2::/64", False),
    ],
)
def test_guests_of_neighbouring_addresses_are_a_block(db: None, one: str, other: str, same: bool) -> None:
    first, second = (owner_of(GuestPayer(each)) for each in (one, other))
    assert (first.block == second.block) is same
    assert first.payer != second.payer


@pytest.mark.parametrize(("plan", "apart"), [("free", False), ("starter", True)])
def test_accounts_that_pay_nothing_are_one_block_with_the_guests_of_their_network(
    db: None, rf: RequestFactory, plan: str, apart: bool
) -> None:
    blocks, payers = set(), set()
    for number in range(3):
        request = rf.post("/")
        request.client_network = f"192.0.2.{number}"  # type: ignore[attr-defined]
        request.user, request.session = make_user(plan), SessionBase()
        owner = owner_of(payer_for(request))
        blocks.add(owner.block)
        payers.add(owner.payer)
    assert len(payers) == 3
    assert len(blocks) == (3 if apart else 1)
    assert (owner_of(GuestPayer("192.0.2.77")).block in blocks) is not apart


def test_a_request_that_cannot_start_soon_gets_a_retry_after(paying: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    def convert(*args: object, **kwargs: object) -> None:
        raise runner.Busy(12.2)

    monkeypatch.setattr(runner, "convert", convert)
    answer = paying.convert("json-to-csv", PEOPLE)
    refused(answer, 503, "SERVICE_UNAVAILABLE")
    assert answer["Retry-After"] == "13"
    assert not Conversion.objects.exists()
