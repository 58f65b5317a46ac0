"""Pages that convert and look back: the API's path, told in words, at a cost that does not grow with the rows."""

from __future__ import annotations

import csv
import io
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import models
from django.test import Client
from django.utils import timezone

from accounts.models import CreditEntry, GuestDay, Plan, User
from apikeys.models import ApiKey
from conversions.models import Conversion
from conversions.pages.chart import bars, round_up
from conversions.work.account_deletion import delete_account
from engine.families.registry import CONVERTERS
from engine.toolkit.options import describe
from storage import files
from storage.models import StoredFile
from tests.conftest import PASSWORD, Person
from tests.conversions.samples import PEOPLE, PEOPLE_CSV
from tests.conversions.test_history import record


class _Unreadable(io.RawIOBase):
    def read(self, size: int = -1) -> bytes:
        raise AssertionError("the body was read")


def _log_in(person: Person) -> Client:
    assert person.user is not None
    client = Client()
    client.force_login(person.user)
    return client


def _send(client: Client, path: str, content: bytes = PEOPLE, name: str = "people.json", **fields: Any) -> Any:
    return client.post(path, {"file": SimpleUploadedFile(name, content), **fields})


def _bytes(response: Any) -> bytes:
    return b"".join(response.streaming_content)


def test_a_guest_is_redirected_to_a_private_result(guest: Person, other: Person) -> None:
    answer = _send(guest.client, "/convert/json-to-csv", delimiter=";", header="true")
    assert answer.status_code == 302
    assert answer["Location"] == f"/results/{Conversion.objects.get().pk}"
    page = guest.client.get(answer["Location"])
    assert page.status_code == 200
    assert _bytes(guest.client.get(page.context["row"].download_url)) == PEOPLE_CSV.replace(b",", b";")
    assert Client().get(answer["Location"]).status_code == 404
    assert _log_in(other).get(answer["Location"]).status_code == 404


def test_the_front_page_finds_the_conversion_by_name_and_target(guest: Person) -> None:
    answer = _send(guest.client, "/", target="csv")
    assert answer.status_code == 302
    assert Conversion.objects.get().slug == "json-to-csv"


@pytest.mark.parametrize(
    ("path", "name", "content", "fields", "status"),
    [
        ("/", "people.json", PEOPLE, {"target": "nonsense"}, 404),
        ("/", "people.exe", b"MZ", {"target": "csv"}, 400),
        ("/", "people.json", PEOPLE, {"target": "png"}, 422),
        ("/convert/json-to-csv", "people.csv", b"a,b", {}, 422),
        ("/convert/json-to-csv", "people.json", b"{,}", {}, 422),
        ("/convert/json-to-csv", "people.json", PEOPLE, {"delimiter": "long"}, 400),
        ("/convert/json-to-csv", "people.json", PEOPLE, {"noSuchOption": "1"}, 400),
    ],
)
def test_a_refusal_is_shown_in_the_form_with_the_api_s_status(
    guest: Person, path: str, name: str, content: bytes, fields: dict[str, str], status: int
) -> None:
    answer = _send(guest.client, path, content, name, **fields)
    assert answer.status_code == status
    assert answer.context["refusal"].message
    assert not GuestDay.objects.filter(used__gt=0).exists()


@pytest.mark.usefixtures("one_window")
def test_quota_credits_size_and_rate_are_refused_with_their_status(guest: Person, free: Person) -> None:
    client = _log_in(free)
    Plan.objects.filter(code="guest").update(credits=0)
    assert _send(guest.client, "/convert/json-to-csv").status_code == 403
    User.objects.update(monthly_credits=0)
    assert _send(client, "/convert/json-to-csv").status_code == 402
    Plan.objects.update(max_file_bytes=10)
    assert _send(client, "/convert/json-to-csv").status_code == 413
    Plan.objects.update(requests_per_minute=1)
    _send(client, "/convert/json-to-csv")
    answer = _send(client, "/convert/json-to-csv")
    assert answer.status_code == 429
    assert int(answer["Retry-After"]) >= 1


def test_an_upload_without_the_token_is_received_but_not_converted(free: Person) -> None:
    assert free.user is not None
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(free.user)
    assert _send(strict, "/convert/json-to-csv").status_code == 403
    assert Conversion.objects.count() == 0
    token = strict.get("/convert/json-to-csv").context["csrf_token"]
    assert _send(strict, "/convert/json-to-csv", csrfmiddlewaretoken=str(token)).status_code == 302


def test_an_upload_that_declares_too_much_is_refused_unread(guest: Person) -> None:
    unread: dict[str, Any] = {
        "CONTENT_TYPE": "multipart/form-data; boundary=x",
        "CONTENT_LENGTH": str(10**10),
        "wsgi.input": _Unreadable(),
    }
    answer = guest.client.generic("POST", "/convert/json-to-csv", **unread)
    assert answer.status_code == 413


def _each_part_once() -> list[Any]:
    """All slugs; the soak alone has those that bring no form, no format on either side and no engine of their own."""
    met: set[Any] = set()
    slugs = []
    for slug, each in CONVERTERS.items():
        # Most conversions have a class of options of their own, whose form is that of others.
        form = repr(describe(each.options))
        own = {form, ("from", each.input.id), ("to", each.output.id), each.engine.distribution} - met
        met |= own
        slugs.append(pytest.param(slug, marks=() if own else pytest.mark.soak))
    return slugs


@pytest.mark.parametrize("slug", _each_part_once())
def test_every_conversion_has_its_page_with_its_options(guest: Person, slug: str) -> None:
    page = guest.client.get(f"/convert/{slug}")
    assert page.status_code == 200
    for control in page.context["controls"]:
        assert f'name="{control.option.name}"'.encode() in page.content


@pytest.mark.parametrize(
    ("spoken", "model"), [("de-AT,de;q=0.9,en;q=0.5", "deu"), ("xx, en;q=0.5, de;q=0.3", "eng"), ("", "eng")]
)
def test_text_in_pictures_is_taken_for_the_language_that_the_visitor_reads(
    guest: Person, spoken: str, model: str
) -> None:
    for page in ("/convert/png-to-txt", "/convert/png-to-txt/options"):
        answer = guest.client.get(page, headers={"Accept-Language": spoken})
        chosen = {each.option.name: each.value for each in answer.context["controls"]}
        assert chosen["language"] == model
    answer = guest.client.get("/convert/png-to-txt?language=eng", headers={"Accept-Language": spoken})
    assert {each.option.name: each.value for each in answer.context["controls"]}["language"] == "eng"


def test_other_spellings_redirect_to_the_page(guest: Person) -> None:
    assert guest.client.get("/convert/md-to-pdf")["Location"] == "/convert/markdown-to-pdf"
    assert guest.client.get("/convert/json-to-nothing").status_code == 404


def test_options_in_the_address_fill_the_form_and_the_examples(guest: Person) -> None:
    page = guest.client.get("/convert/json-to-csv?delimiter=%3B&unknown=1")
    assert "--form-string 'delimiter=;'" in page.context["examples"].curl
    assert next(each for each in page.context["controls"] if each.option.name == "delimiter").value == ";"
    assert guest.client.get("/convert/json-to-csv/example?delimiter=%3B").context["examples"].curl.count(";") == 1
    assert guest.client.get("/convert/json-to-csv/options").status_code == 200


def test_the_formats_page_lists_all_and_finds_some(guest: Person) -> None:
    assert guest.client.get("/formats").content.count(b"data-text") == len(CONVERTERS)
    assert guest.client.get("/formats?q=JSON+to+csv").context["found"] < len(CONVERTERS)
    assert guest.client.get("/formats?q=zzz").context["found"] == 0


def test_pages_say_when_a_result_s_file_is_gone(paying: Person) -> None:
    for path, word in (("deleted", "deleted"), ("expired", "expired")):
        data = paying.convert("json-to-csv", PEOPLE).json()["data"]
        found = Conversion.objects.get(pk=data["id"])
        if path == "deleted":
            files.delete(StoredFile.objects.get(key=found.file_key))
        else:
            Conversion.objects.filter(pk=found.pk).update(expires_at=timezone.now())
        client = _log_in(paying)
        page = client.get(f"/results/{found.pk}").content.decode()
        assert f"has {'been ' if path == 'deleted' else ''}{word}" in page
        assert data["downloadUrl"] not in page
        listed = client.get("/history").content.decode()
        assert f'<span class="badge">{word}</span>' in listed
        assert data["downloadUrl"] not in listed
        assert client.get(f"/history/{found.pk}/delete").context["row"].available is False


def test_history_shows_deletes_and_filters(paying: Person, other: Person) -> None:
    paying.convert("json-to-csv", PEOPLE)
    paying.convert("json-to-csv", b"{")
    other.convert("json-to-csv", PEOPLE)
    client = _log_in(paying)
    assert client.get("/history").context["page"].paginator.count == 2
    (failed,) = client.get("/history?status=failed&slug=json-to-csv").context["rows"]
    assert not failed.available
    assert client.get("/history?from=2001-01-01&to=2001-01-02").context["page"].paginator.count == 0
    refused = client.get("/history?from=nonsense")
    assert refused.status_code == 400
    assert "<p>Send a date such as 2026-01-31" in refused.content.decode()
    done = Conversion.objects.get(owner=paying.user, status="completed")
    assert _log_in(other).post(f"/history/{done.pk}/delete").status_code == 404
    assert client.get(f"/history/{done.pk}/delete").status_code == 200
    assert StoredFile.objects.filter(key=done.file_key).exists()
    client.post(f"/history/{done.pk}/delete")
    assert not StoredFile.objects.filter(key=done.file_key).exists()
    assert client.get("/history").context["downloads"] == 0
    assert client.get(f"/results/{done.pk}").status_code == 200


def _many(person: Person, number: int) -> None:
    assert person.user is not None
    (one,) = Conversion.objects.filter(owner=person.user, status="completed")[:1]
    for count in range(number):
        key = f"{count:032x}.csv"
        one.pk, one._state.adding, one.file_key = None, True, key
        one.pk = Conversion._meta.pk.get_default()
        one.created_at -= timedelta(days=1)
        one.save(force_insert=True)
        StoredFile.objects.create(
            key=key, name="x.csv", content_type="text/csv", size=1, sha256="0" * 64, owner=person.user,
            expires_at=timezone.now() + timedelta(days=1),
        )  # fmt: skip
        CreditEntry.objects.create(user=person.user, kind="grant", amount=1, balance=1)


@pytest.mark.parametrize(("path", "queries"), [("/history", 7), ("/usage?days=365", 6)])
def test_the_number_of_queries_does_not_grow_with_the_rows(
    paying: Person, django_assert_num_queries: Any, path: str, queries: int
) -> None:
    paying.convert("json-to-csv", PEOPLE)
    client = _log_in(paying)
    with django_assert_num_queries(queries):
        client.get(path)
    _many(paying, 15)
    with django_assert_num_queries(queries):
        client.get(path)


@pytest.mark.parametrize(("path", "queries"), [("/", 3), ("/convert/json-to-csv", 3), ("/formats", 0), ("/plans", 2)])
def test_what_a_guests_page_asks_of_the_database(
    guest: Person, django_assert_num_queries: Any, path: str, queries: int
) -> None:
    with django_assert_num_queries(queries):
        guest.client.get(path)


@pytest.mark.parametrize(
    ("asked", "number", "shown"),
    [("", 1, 20), ("?page=2", 2, 20), ("?page=3", 3, 5), ("?page=99", 3, 5), ("?page=x", 1, 20), ("?page=1e9", 1, 20)],
)
def test_a_long_history_is_shown_in_pages(paying: Person, asked: str, number: int, shown: int) -> None:
    for _ in range(45):
        record(paying.user)
    answer = _log_in(paying).get(f"/history{asked}")
    assert (answer.context["page"].number, len(answer.context["rows"])) == (number, shown)
    assert f"Page {number} of 3".encode() in answer.content
    assert (b'rel="prev"' in answer.content, b'rel="next"' in answer.content) == (number > 1, number < 3)


def test_usage_draws_every_day_and_hands_out_the_ledger(paying: Person, other: Person) -> None:
    paying.convert("json-to-csv", PEOPLE)
    other.convert("json-to-csv", PEOPLE)
    client = _log_in(paying)
    for days in (30, 90, 365):
        chart = client.get(f"/usage?days={days}").context["conversions"]
        assert [each.value for each in chart.bars] == [0] * (days - 1) + [1]
    assert client.get("/usage?days=nonsense").context["days"] == 30
    answer = client.get("/usage/ledger.csv")
    lines = list(csv.DictReader(io.StringIO(_bytes(answer).decode())))
    assert [(each["kind"], each["amount"]) for each in lines] == [("top_up", "10000"), ("conversion", "-1")]
    assert lines[1]["conversion"] == str(Conversion.objects.get(owner=paying.user).pk)


def test_a_charts_bars_fit_its_scale() -> None:
    day = timezone.now().date()
    chart = bars([(day, 0, 0), (day, 7, 2), (day, 3, 0)])
    assert chart.top == 8
    assert [each.height for each in chart.bars] == [0, 175, 75]
    assert chart.bars[-1].x + chart.bars[-1].width <= chart.width
    assert [round_up(each) for each in (1, 3, 9, 11, 61, 801)] == [1, 4, 10, 20, 80, 1000]


def test_closing_an_account_requires_the_password(paying: Person) -> None:
    client = _log_in(paying)
    assert client.post("/account/delete", {"password": "wrong"}).status_code == 400
    assert paying.get("/account").status_code == 200
    assert client.post("/account/delete", {"password": PASSWORD}).status_code == 302
    assert paying.get("/account").status_code == 401
    assert client.get("/history").status_code == 302


def test_a_deleted_account_leaves_statistics_but_no_personal_data(paying: Person, guest: Person) -> None:
    user = paying.user
    assert user is not None
    _, secret = ApiKey.issue(user, name="Mine")
    url = paying.convert("json-to-csv", PEOPLE, "my diary.json", delimiter=";").json()["data"]["downloadUrl"]
    entries = list(CreditEntry.objects.filter(user=user).values_list("amount", "balance"))
    delete_account(user)
    delete_account(user)
    assert guest.client.get(url).status_code == 404
    assert guest.get("/account", Authorization=f"Bearer {secret}").status_code == 401
    assert guest.post("/auth/login", {"email": "paying@example.org", "password": PASSWORD}).status_code == 401
    kept = Conversion.objects.get(owner=user)
    assert (kept.input_name, kept.output_name, kept.options, kept.credits) == ("", "", {}, 1)
    assert list(CreditEntry.objects.filter(user=user).values_list("amount", "balance")) == entries
    assert (
        guest.post("/auth/register", {"email": "paying@example.org", "password": "a private phrase"}).status_code == 201
    )


def test_of_a_closed_accounts_conversions_only_numbers_and_kinds_stay(paying: Person) -> None:
    user = paying.user
    assert user is not None
    paying.convert("json-to-csv", PEOPLE, "my diary.json", delimiter=";")
    assert paying.convert("json-to-csv", b'{"diary": unquoted}', "my diary.json").status_code == 422
    assert Conversion.objects.exclude(error_parts=None).count() == 1
    delete_account(user)
    kinds = {"plan", "slug", "status", "content_type", "engine", "file_key", "error_code"}
    written = (models.CharField, models.TextField, models.JSONField)
    personal = [each.name for each in Conversion._meta.fields if isinstance(each, written) and each.name not in kinds]
    assert [value for row in Conversion.objects.values_list(*personal) for value in row if value] == []


@pytest.mark.django_db
def test_a_missing_result_and_a_bundle_of_missing_files_are_pages(client: Client) -> None:
    for answer in (
        client.get("/results/0b5c1a52-6f0e-4f58-9d2c-6a1f4d1c2b3a"),
        client.post("/download-all", {"file": ["0" * 32 + ".csv"]}),
    ):
        assert (answer.status_code, answer["Content-Type"]) == (404, "text/html; charset=utf-8")
