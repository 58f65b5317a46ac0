"""The API of history, single conversions and statistics."""

from __future__ import annotations

import itertools
import uuid
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from conversions.models import Conversion, Usage
from conversions.work import listing, statistics
from tests.conftest import Person, make_user
from tests.conversions.samples import PEOPLE


def record(owner: User | None, *, days_ago: float = 0, failed: bool = False, **fields: Any) -> Conversion:
    result: dict[str, Any] = {"error_code": "UNSUPPORTED_FORMAT", "error_message": "Bad."} if failed else {
        "file_key": f"{uuid.uuid4().hex}.csv", "output_bytes": 20, "credits": 1, "output_name": "a.csv",
        "expires_at": timezone.now() + timedelta(days=1),
    }  # fmt: skip
    made = Conversion.objects.create(
        **{
            "owner": owner, "plan": "pro", "slug": "json-to-csv", "status": "failed" if failed else "completed",
            "input_name": "a.json", "input_bytes": 10, "duration_ms": 100,
            "created_at": timezone.now() - timedelta(days=days_ago), **result, **fields,
        }
    )  # fmt: skip
    statistics.count(made)
    return made


def ids(answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.json()
    return [each["id"] for each in answer.json()["data"]]


def test_history_has_only_the_account_s_conversions_newest_first(paying: Person, other: Person) -> None:
    made = [record(paying.user, days_ago=days) for days in (3, 1, 2)]
    record(other.user)
    record(None)
    assert ids(paying.get("/converter/history")) == [str(made[at].pk) for at in (1, 2, 0)]


def test_a_failed_conversion_has_its_error_instead_of_a_file(paying: Person) -> None:
    paying.convert("json-to-csv", b"{")
    shown = paying.get("/converter/history").json()["data"][0]
    assert shown["status"] == "failed"
    assert shown["error"]["code"] == "UNSUPPORTED_FORMAT"
    assert not {"outputName", "outputBytes", "contentType", "sha256", "expiresAt", "downloadUrl"} & shown.keys()


def test_history_shows_what_the_conversion_answered(paying: Person) -> None:
    answered = paying.convert("json-to-csv", PEOPLE, delimiter=";").json()["data"]
    assert paying.get("/converter/history").json()["data"] == [answered]
    assert paying.get(f"/converter/history/{answered['id']}").json()["data"] == answered


def test_pages(paying: Person) -> None:
    made = [str(record(paying.user, days_ago=number).pk) for number in range(5)]
    first = paying.get("/converter/history?pageSize=2")
    assert first.json()["meta"] == {"page": 1, "pageSize": 2, "total": 5, "totalPages": 3}
    pages = [ids(paying.get(f"/converter/history?pageSize=2&page={page}")) for page in (1, 2, 3, 4)]
    assert pages == [made[:2], made[2:4], made[4:], []]


@pytest.mark.parametrize("size", [1, 2, 3, 4, 9])
def test_pages_together_are_the_whole_list_in_order(paying: Person, size: int) -> None:
    made = [paying.convert("json-to-csv", PEOPLE).json()["data"]["id"] for _ in range(7)]
    pages = [paying.get(f"/converter/history?pageSize={size}&page={number}").json() for number in range(1, 9)]
    assert [each["id"] for page in pages for each in page["data"]] == made[::-1]
    assert all(len(page["data"]) <= size for page in pages)


def test_filters(paying: Person) -> None:
    today = timezone.now().astimezone(UTC).date()
    old = record(paying.user, created_at=datetime(2026, 1, 31, 23, 59, 59, tzinfo=UTC))
    bad = record(paying.user, failed=True)
    pdf = record(paying.user, slug="html-to-pdf")
    wanted = {
        "status=failed": [bad],
        "slug=html-to-pdf": [pdf],
        "slug=htm-to-pdf": [pdf],
        "from=2026-01-31&to=2026-01-31": [old],
        "to=2026-01-30": [],
        f"from={today}": [pdf, bad],
        "to=2026-02-01T00:00:00Z": [old],
        "from=2026-01-31T23:59:59Z&to=2026-01-31T23:59:59.5Z": [old],
        "from=2026-02-01T00:59:59%2B01:00&to=2026-02-01": [old],
        "slug=html-to-pdf&status=failed": [],
    }
    for query, expected in wanted.items():
        answer = paying.get(f"/converter/history?{query}")
        assert ids(answer) == [str(each.pk) for each in expected], query
        assert answer.json()["meta"]["total"] == len(expected), query


@pytest.mark.parametrize(
    "query", ["slug=no-to-where", "status=done", "from=yesterday", "to=2026-02-30", "from=9999-99-99", "to=9999-12-31"]
)
def test_a_bad_filter_names_the_parameter(paying: Person, query: str) -> None:
    answer = paying.get(f"/converter/history?{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert answer.json()["details"][0]["field"] == query.partition("=")[0]


def test_another_account_s_conversion_is_not_found(paying: Person, other: Person) -> None:
    theirs = record(other.user)
    for id in (theirs.pk, uuid.uuid4(), "no-uuid", record(None).pk):
        answer = paying.get(f"/converter/history/{id}")
        assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND")


def test_statistics_sum_up_by_slug_and_by_day(paying: Person, other: Person) -> None:
    for number in range(10):
        record(paying.user, duration_ms=100 * (number + 1))
    record(paying.user, failed=True, duration_ms=99_999)
    record(paying.user, days_ago=1, slug="html-to-pdf", credits=2, duration_ms=50)
    record(paying.user, days_ago=40)
    record(other.user)
    data = paying.get("/converter/stats").json()["data"]
    assert len(data["byDay"]) == 30
    totals = data["totals"]
    assert (totals["conversions"], totals["failures"], totals["credits"]) == (12, 1, 12)
    assert (totals["bytesIn"], totals["bytesOut"]) == (120, 220)
    by_slug = {each["slug"]: each for each in data["bySlug"]}
    assert by_slug.keys() == {"json-to-csv", "html-to-pdf"}
    assert by_slug["json-to-csv"]["medianMs"] == pytest.approx(500, rel=0.05)
    assert by_slug["json-to-csv"]["p95Ms"] == pytest.approx(1_000, rel=0.05)
    assert [each["conversions"] for each in data["byDay"][-2:]] == [1, 11]
    assert data["byDay"][0]["medianMs"] is None
    assert paying.get("/converter/stats?days=365").json()["data"]["totals"]["conversions"] == 13


@pytest.mark.django_db
def test_statistics_of_any_number_of_days_have_the_conversions_of_these_days() -> None:
    user = make_user()
    noon = timezone.now().replace(hour=12)
    for number in range(0, 100, 3):
        record(user, created_at=noon - timedelta(days=number), slug=f"json-to-{number % 5}")
    for days in range(1, 101):
        report = statistics.report(user, days=days)
        expected = len(range(0, days, 3))
        assert report.totals.conversions == expected, days
        assert sum(each.conversions for each in report.slugs.values()) == expected, days
        assert [each.conversions for each in report.days.values()] == [int(n % 3 == 0) for n in range(days)][::-1], days


@pytest.mark.parametrize("days", ["0", "366", "-1", "x", "1.5", ""])
def test_a_bad_number_of_days(paying: Person, days: str) -> None:
    answer = paying.get(f"/converter/stats?days={days}")
    assert (answer.status_code, answer.json()["details"][0]["field"]) == (400, "days")


@pytest.mark.django_db
def test_the_sums_have_a_day_s_and_a_month_s_row_a_slug_and_one_for_the_whole_day() -> None:
    user = make_user()
    for number in range(50):
        record(user, duration_ms=10 * number)
    assert sorted(Usage.objects.values_list("span", "slug", "conversions")) == [
        ("day", "", 50),
        ("day", "json-to-csv", 50),
        ("month", "json-to-csv", 50),
    ]


@pytest.mark.ci
@pytest.mark.django_db
def test_conversions_between_any_two_days_are_counted_correctly() -> None:
    user = make_user()
    last = datetime(2026, 3, 31, 23, 59, tzinfo=UTC)
    for number in range(0, 130, 3):
        record(user, created_at=last - timedelta(days=number), failed=number % 2 == 1)
    days = [date(2025, 11, 20) + timedelta(days=number) for number in range(0, 140, 7)]
    days += [
        date(2025, 12, 1),
        date(2026, 2, 1),
        date(2026, 2, 28),
        date(2026, 3, 1),
        date(2026, 3, 31),
        date(2026, 4, 1),
    ]
    for since, end in itertools.product([*days, None, date.min, date(9999, 12, 31)], repeat=2):
        for status in (None, "failed", "completed"):
            counted = Conversion.objects.filter(owner=user)
            counted = counted.filter(status=status) if status else counted
            counted = counted.filter(created_at__date__gte=since) if since else counted
            counted = counted.filter(created_at__date__lt=end) if end else counted
            number = statistics.number_of_conversions(user, slug=None, status=status, since=since, end=end)
            assert number == counted.count(), (since, end, status)


def test_filters_at_the_ends_of_time_are_answered(paying: Person) -> None:
    record(paying.user)
    for query, number in (
        ("from=9999-12-31", 0),
        ("to=0001-01-01", 0),
        ("to=0001-01-01T00:00:00Z", 0),
        ("from=0001-01-01", 1),
    ):
        answer = paying.get(f"/converter/history?{query}")
        assert (answer.status_code, answer.json()["meta"]["total"]) == (200, number), query


def test_formats_are_listed_with_their_options_and_an_etag(guest: Person) -> None:
    answer = guest.get("/converter/formats")
    data = answer.json()["data"]
    slugs = [each["slug"] for each in data["conversions"]]
    assert slugs == sorted(slugs)
    assert {"html-to-pdf", "json-to-csv"} <= set(slugs)
    known = {each["id"] for each in data["formats"]}
    assert [(kind["id"], each) for kind in data["kinds"] for each in kind["formats"]] == [
        (kind["id"], each["id"]) for kind in data["kinds"] for each in data["formats"] if each["kind"] == kind["id"]
    ]
    assert {each for kind in data["kinds"] for each in kind["formats"]} == known
    kinds = {each["id"]: each["kind"] for each in data["formats"]}
    assert (kinds["csv"], kinds["pdf"], kinds["png"], kinds["eml"]) == ("data", "documents", "pictures", "mail")
    assert (kinds["zip"], kinds["woff"], kinds["geojson"], kinds["srt"]) == ("archives", "fonts", "geo", "video")
    for each in data["conversions"]:
        assert {each["input"], each["output"]} <= known
        assert each["credits"] == (2 if each["output"] == "pdf" else 1)
        assert each["summary"]
        for option in each["options"]:
            assert {"name", "type", "default", "description"} <= option.keys()
    csv = next(each for each in data["conversions"] if each["slug"] == "json-to-csv")
    delimiter = next(each for each in csv["options"] if each["name"] == "delimiter")
    assert (delimiter["default"], delimiter["minLength"], delimiter["maxLength"]) == (",", 1, 1)
    again = guest.get("/converter/formats", If_None_Match=answer["ETag"])
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", answer["ETag"])


SHORT = 60_000
"""Bytes of the list without options, compressed: what a client loads to offer conversions."""


def test_formats_without_options_are_the_same_list_and_short(guest: Person) -> None:
    whole, short = guest.get("/converter/formats"), guest.get("/converter/formats?options=no")
    left = whole.json()["data"]
    for each in left["conversions"]:
        del each["options"]
    assert short.json()["data"] == left
    packed = guest.get("/converter/formats?options=no", Accept_Encoding="gzip")
    assert packed["Content-Encoding"] == "gzip"
    assert len(packed.content) <= SHORT
    assert guest.get("/converter/formats?options=yes").content == whole.content
    assert short["ETag"] != whole["ETag"]
    again = guest.get("/converter/formats?options=no", If_None_Match=short["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    assert guest.get("/converter/formats?options=no", If_None_Match=whole["ETag"]).status_code == 200
    refused = guest.get("/converter/formats?options=few")
    assert (refused.status_code, refused.json()["details"][0]["field"]) == (400, "options")


def test_the_list_is_made_once_and_not_for_each_request(guest: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    guest.get("/converter/formats?options=no")
    guest.get("/converter/formats")
    monkeypatch.setattr(listing, "document", None)
    for path in ("/converter/formats", "/converter/formats?options=no", "/converter/json-to-csv"):
        assert guest.get(path).status_code == 200
