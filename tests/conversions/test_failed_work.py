"""Failed work costs no credits, but its processor seconds count against the payer's daily budget."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from accounts.credits import budgets
from accounts.credits.payers import GuestPayer, Payer, UserPayer
from accounts.models import LimitOverride, Plan, User
from conversions.models import Conversion
from conversions.pages import result_preview
from conversions.work import pipeline, runner
from storage import files
from tests.conftest import Clock, Person, make_user, with_key, with_token
from tests.conversions.samples import PEOPLE, pdf
from tests.conversions.test_convert import SLUG, nothing_happened, refused
from tests.families.media import files as media

BROKEN = b"[" + b'{"a": 1, "b": [1, 2, 3]},' * 20_000
WIDE = b"[" + b",".join([b'{"a": 1, "b": 2}'] * 20_000) + b"]"
DAY = 24 * 60 * 60
AN_HOUR = 3_600_000.0
"""Milliseconds that pass for a job on a machine that is too busy for it."""


def payer_of(person: Person) -> Payer:
    return GuestPayer("127.0.0.1") if person.user is None else UserPayer(User.objects.get(pk=person.user.pk))


def used(person: Person) -> dict[str, Any]:
    if person.user is None:
        found: dict[str, Any] = person.get("/converter/guest-quota").json()["data"]["failedSeconds"]
        return found
    usage: dict[str, Any] = person.get("/account").json()["data"]["usage"]["failedSeconds"]
    return usage


def nearly_used_up(person: Person) -> None:
    """Leave the payer a budget of 1 second, of which a moment is left."""
    if person.user is None:
        Plan.objects.filter(code="guest").update(failed_seconds=1)
    else:
        LimitOverride.objects.create(user=person.account, failed_seconds=1)
    payer_of(person).count_failed(0.999)


@pytest.fixture(params=["guest", "free", "program"])
def person(request: pytest.FixtureRequest, db: None) -> Person:
    found: Person = request.getfixturevalue(request.param)
    return found


def test_only_failed_work_counts_against_the_budget(person: Person) -> None:
    assert used(person)["used"] == 0
    assert person.convert(SLUG, PEOPLE).status_code == 201
    assert used(person)["used"] == 0
    refused(person.convert(SLUG, BROKEN), 422, "UNSUPPORTED_FORMAT")
    first = used(person)
    assert 0 < first["used"] < 10
    assert first["remaining"] == pytest.approx(first["limit"] - first["used"])
    refused(person.convert(SLUG, BROKEN), 422, "UNSUPPORTED_FORMAT")
    assert used(person)["used"] > first["used"]


def test_the_record_of_a_failure_counts_however_short_its_work(person: Person) -> None:
    """Whoever sends what is refused at once would otherwise fill the database, for nothing."""
    for number in range(1, 4):
        refused(person.convert(SLUG, b"{,}"), 422, "UNSUPPORTED_FORMAT")
        assert Conversion.objects.count() == number
        assert used(person)["used"] >= number * pipeline.RECORD_SECONDS


def test_an_inspection_counts_if_the_conversion_after_it_fails(paying: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """A price by the minute takes a job of its own to find out, which a result pays for."""
    counted: list[float] = []
    monkeypatch.setattr(budgets, "_count", lambda payer, seconds: counted.append(seconds))
    assert paying.convert("wav-to-mp3", media.sample("wav")).status_code == 201
    assert counted == []
    assert paying.convert("wav-to-mp3", media.sample("wav"), audioCodec="opus").status_code == 400
    assert len(counted) == 2
    assert all(seconds > 0 for seconds in counted)


def test_a_verification_without_a_result_counts(paying: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second price is not charged where the comparison ends without an answer, but its work was done."""
    convert = runner.convert

    def undecided(*given: Any, **named: Any) -> runner.Outcome:
        outcome = convert(*given, **named)
        waited = replace(outcome, detected={"undecided": "too large"}, duration_ms=AN_HOUR)
        return waited if named.get("verify") else outcome

    monkeypatch.setattr(runner, "convert", undecided)
    content = json.dumps([{"a": number} for number in range(50_000)]).encode()
    assert paying.convert(f"{SLUG}?verify=1", content).json()["data"]["verified"]["ok"] is None
    assert 0 < used(paying)["used"] < 60


def test_work_whose_result_is_refused_counts(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the balance used up by another request during the work, the result is refused, and nobody pays for it."""
    convert = runner.convert

    def meanwhile(*given: Any, **named: Any) -> runner.Outcome:
        outcome = convert(*given, **named)
        payer = payer_of(person)
        left = 10 if person.user is None else payer_of(person).owner.credits  # type: ignore[union-attr]
        for cost in [1] * left if person.user is None else [left]:
            with transaction.atomic():
                payer.charge(cost, reference=uuid4(), reason="another")
        return replace(outcome, duration_ms=AN_HOUR)

    monkeypatch.setattr(runner, "convert", meanwhile)
    assert person.convert(SLUG, WIDE).status_code in (402, 403)
    assert Conversion.objects.count() == 0
    assert 0 < used(person)["used"] < 60


def test_a_verification_whose_result_is_refused_counts(paying: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """So does an inspection: nobody pays for either."""
    counted: list[float] = []
    monkeypatch.setattr(budgets, "_count", lambda payer, seconds: counted.append(seconds))
    taken = {"detect_only": 100.0, "verify": 1_000.0}
    convert = runner.convert

    def meanwhile(*given: Any, **named: Any) -> runner.Outcome:
        outcome = convert(*given, **named)
        kind = next((each for each in taken if named.get(each)), None)
        if kind == "verify":
            payer = payer_of(paying)
            with transaction.atomic():
                payer.charge(payer.owner.credits, reference=uuid4(), reason="another")  # type: ignore[union-attr]
        return replace(outcome, processor_seconds=taken.get(kind or "", 10.0))

    monkeypatch.setattr(runner, "convert", meanwhile)
    assert paying.convert(f"{SLUG}?verify=1", PEOPLE).status_code == 402
    assert counted == [pytest.approx(1_010)]


def test_work_whose_result_is_too_large_to_keep_counts(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    Plan.objects.update(stored_bytes=1)
    convert = runner.convert

    def slowly(*given: Any, **named: Any) -> runner.Outcome:
        return replace(convert(*given, **named), duration_ms=AN_HOUR)

    monkeypatch.setattr(runner, "convert", slowly)
    assert person.convert(SLUG, WIDE).status_code == 422
    assert 0 < used(person)["used"] < 60


def test_a_budget_that_is_used_up_is_a_429_until_midnight(person: Person, clock: Clock) -> None:
    nearly_used_up(person)
    refused(person.convert(SLUG, BROKEN), 422, "UNSUPPORTED_FORMAT")
    answer = person.convert(SLUG, PEOPLE)
    body = refused(answer, 429, "TOO_MANY_REQUESTS")
    assert body["meta"]["limit"] == 1
    assert body["meta"]["resetsAt"].endswith("T00:00:00Z")
    assert 1 <= int(answer["Retry-After"]) <= DAY
    assert used(person)["remaining"] == 0
    refused(person.convert(f"{SLUG}?dryRun=1", PEOPLE), 429, "TOO_MANY_REQUESTS")
    assert nothing_happened()
    assert Conversion.objects.count() == 1
    clock.set(days=1)
    if person.user is not None:
        person = with_token(person.user)  # the first one's token has expired
    assert used(person)["used"] == 0
    assert person.convert(SLUG, PEOPLE).status_code == 201


def test_a_key_counts_on_its_account_and_on_nobody_else(paying: Person, other: Person, guest: Person) -> None:
    nearly_used_up(paying)
    refused(with_key(paying.account).convert(SLUG, BROKEN), 422, "UNSUPPORTED_FORMAT")
    refused(paying.convert(SLUG, PEOPLE), 429, "TOO_MANY_REQUESTS")
    assert other.convert(SLUG, PEOPLE).status_code == 201
    assert guest.convert(SLUG, PEOPLE).status_code == 201


def dry_run(person: Person) -> Any:
    return person.convert(f"{SLUG}?dryRun=1", BROKEN)


def glimpse(person: Person, content: bytes = b"%PDF-1.7 and nothing more") -> Any:
    stored = files.put(io.BytesIO(content), extension="pdf")
    expires_at = timezone.now() + timedelta(hours=1)
    files.row(stored, owner=None, name="a.pdf", content_type="application/pdf", expires_at=expires_at).save()
    return person.client.get(f"/glimpse/{stored.key}")


def thumbnails(person: Person, content: bytes = b"%PDF-1.7 and nothing more") -> Any:
    return person.client.post("/thumbnails", {"file": SimpleUploadedFile("a.pdf", content)})


def mcp(person: Person) -> Any:
    call = {"name": "convert", "arguments": {"slug": SLUG, "text": BROKEN.decode()}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    return person.client.post("/mcp", body, content_type="application/json")


@pytest.mark.parametrize("door", [dry_run, glimpse, thumbnails, mcp])
def test_failed_work_counts_in_api_pages_and_agents_alike(guest: Person, door: Callable[[Person], Any]) -> None:
    door(guest)
    assert used(guest)["used"] > 0


@pytest.mark.parametrize(
    "door",
    [
        lambda person: person.convert(f"{SLUG}?dryRun=1", WIDE),
        lambda person: glimpse(person, pdf(1)),
        lambda person: thumbnails(person, pdf(24)),
    ],
)
def test_successful_work_that_is_free_counts_too(guest: Person, door: Callable[[Person], Any]) -> None:
    assert door(guest).status_code == 200
    assert used(guest)["used"] > 0


@pytest.mark.parametrize("door", [glimpse, thumbnails])
def test_pictures_are_shown_up_to_a_size(
    guest: Person, monkeypatch: pytest.MonkeyPatch, door: Callable[[Person, bytes], Any]
) -> None:
    whole = door(guest, pdf(1))
    assert whole.status_code == 200
    monkeypatch.setattr(result_preview, "MOST_BYTES", len(whole.content))
    assert door(guest, pdf(1)).content == whole.content
    monkeypatch.setattr(result_preview, "MOST_BYTES", len(whole.content) - 1)
    assert door(guest, pdf(1)).status_code == 422


def test_credits_are_asked_for_before_the_budget(guest: Person) -> None:
    nearly_used_up(guest)
    payer_of(guest).count_failed(1)
    Plan.objects.filter(code="guest").update(credits=0)
    refused(guest.convert(SLUG, PEOPLE), 403, "GUEST_QUOTA_EXCEEDED")


def test_a_copy_of_an_account_that_is_saved_later_does_not_put_the_count_back(free: Person) -> None:
    copy = User.objects.get(pk=free.account.pk)
    payer_of(free).count_failed(2.5)
    copy.name = "Ada"
    copy.save()
    assert payer_of(free).failed_seconds == 2.5


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("plan", [None, "free"])
def test_concurrent_failures_are_all_counted(plan: str | None) -> None:
    user = make_user(plan) if plan else None

    def fail(_: int) -> None:
        try:
            payer = GuestPayer("192.0.2.1") if user is None else UserPayer(User.objects.get(pk=user.pk))
            payer.count_failed(0.25)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(fail, range(40)))
    payer = GuestPayer("192.0.2.1") if user is None else UserPayer(User.objects.get(pk=user.pk))
    assert payer.failed_seconds == 10


def test_the_account_s_page_shows_it(paying: Person) -> None:
    LimitOverride.objects.create(user=paying.account, failed_seconds=77)
    payer_of(paying).count_failed(12.3)
    client = Client()
    client.force_login(paying.account)
    assert "12 of 77 seconds" in client.get("/account").content.decode()
    assert paying.get("/account").json()["data"]["plan"]["failedSecondsPerDay"] == 77


def test_staff_edit_the_budget_of_a_plan(staff: Client) -> None:
    plan = Plan.objects.get(code="starter")
    assert plan.failed_seconds == 1_200
    assert "failed_seconds" in staff.get(f"/admin/accounts/plan/{plan.pk}/change/").content.decode()
