"""Audio and video cost a credit per started minute, known before the work begins."""

from __future__ import annotations

from accounts.credits import ledger
from accounts.credits.payers import UserPayer
from conversions.models import Conversion
from conversions.work import offer
from engine.families.registry import CONVERTERS
from tests.conftest import Person
from tests.families.media import files

SLUG = "amr-to-aac"


def minute_and_more() -> bytes:
    return files.made("amr", "-f", "lavfi", "-i", "sine=440:d=61:r=8000", "-ac", "1", "-b:a", "4.75k")


def test_a_started_minute_is_charged_in_full(paying: Person) -> None:
    before = paying.account.credits
    data = paying.convert(SLUG, minute_and_more()).json()["data"]
    assert data["credits"] == 2
    assert paying.convert(SLUG, minute_and_more(), trimEnd="59").json()["data"]["credits"] == 1
    film = files.made("mp4", "-f", "lavfi", "-i", "color=c=red:s=64x48:r=1:d=90", "-c:v", "mpeg4")
    assert paying.convert("mp4-to-jpg", film, at="70").json()["data"]["credits"] == 1
    assert paying.convert("mp4-to-jpg", film, every="30").json()["data"]["credits"] == 2
    paying.account.refresh_from_db()
    assert paying.account.credits == before - 6


def test_no_conversion_starts_that_the_credits_do_not_cover(free: Person) -> None:
    ledger.charge(free.account, 99, reference=Conversion().id, reason="earlier")
    answer = free.convert(SLUG, minute_and_more())
    assert (answer.status_code, answer.json()["code"]) == (402, "PAYMENT_REQUIRED")
    assert answer.json()["meta"]["requiredCredits"] == 2
    free.account.refresh_from_db()
    assert (free.account.credits, Conversion.objects.count()) == (1, 0)
    assert UserPayer(free.account).failed_seconds > 0


def test_the_price_is_shown_in_advance(paying: Person) -> None:
    shown = paying.get(f"/converter/{SLUG}").json()["data"]
    assert (shown["credits"], shown["creditsPerMinute"]) == (1, 1)
    assert "creditsPerMinute" not in paying.get("/converter/csv-to-json").json()["data"]
    assert paying.convert(f"{SLUG}?dryRun=1", minute_and_more()).json()["data"]["credits"] == 2
    offered = offer.current()
    assert {slug for slug, each in offered.costs.items() if each.per_minute} == {
        slug for slug, each in CONVERTERS.items() if each.measure
    }


def test_an_unreadable_file_costs_nothing(paying: Person) -> None:
    before = paying.account.credits
    assert paying.convert("mp4-to-mp3", files.sample("mp4")[:600]).status_code == 422
    paying.account.refresh_from_db()
    assert paying.account.credits == before


def test_a_conversion_that_would_time_out_is_refused_in_advance_with_the_longest_that_fits(paying: Person) -> None:
    before = paying.account.credits
    hour = files.made("mp4", "-f", "lavfi", "-i", "color=c=red:s=64x48:r=0.2:d=3600", "-c:v", "mpeg4")
    answer = paying.convert("mp4-to-mp4", hour, width="1920", fps="60", videoCodec="h264")
    body = answer.json()
    assert (answer.status_code, body["code"], body["meta"]["reason"]) == (422, "UNSUPPORTED_FORMAT", "too_long")
    assert any(each.startswith(("height=", "trimEnd=")) for each in body["meta"]["suggestions"])
    paying.account.refresh_from_db()
    assert paying.account.credits == before
