"""History and usage pages: a year's heat map, search and bulk deletion, and usage by key."""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
import subprocess
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from apikeys.models import ApiKey
from conversions.models import Conversion, Usage
from conversions.pages.calendar import LEVELS, heat_map
from storage.models import StoredFile
from tests.conftest import Person, with_key
from tests.conversions.samples import PEOPLE, PEOPLE_CSV


def _in(person: Person) -> Client:
    client = Client()
    client.force_login(person.account)
    return client


def test_each_key_shows_its_usage(paying: Person, django_assert_num_queries: Any) -> None:
    first, second = with_key(paying.account), with_key(paying.account)
    first.convert("json-to-csv", PEOPLE)
    first.convert("html-to-pdf", b"<p>Hello")
    first.convert("json-to-csv", b"{")
    second.convert("json-to-csv", PEOPLE)
    paying.convert("json-to-csv", PEOPLE)
    client = _in(paying)
    client.get("/api-keys")
    with django_assert_num_queries(8):  # session, account, keys, their sums, what is owed, and the form in the session
        page = client.get("/api-keys")
    used = {key.last_four: sums for key, _, sums in page.context["keys"]}
    shown = {last: (sums.conversions, sums.failures, sums.credits) for last, sums in used.items()}
    secrets = [each.headers["Authorization"][-4:] for each in (first, second)]
    assert shown == {secrets[0]: (3, 1, 3), secrets[1]: (1, 0, 1)}
    report = paying.get("/converter/stats").json()["data"]
    assert report["totals"]["conversions"] == 5
    assert sum(each["conversions"] for each in report["bySlug"]) == 5
    old = Usage.objects.filter(span="key", slug=ApiKey.objects.get(last_four=secrets[1]).pk.hex)
    old.update(start=date.today() - timedelta(days=31))
    assert {last: sums for last, sums in _used(client).items() if sums is None} == {secrets[1]: None}


def _used(client: Client) -> dict[str, Any]:
    return {key.last_four: sums for key, _, sums in client.get("/api-keys").context["keys"]}


def test_the_history_is_searched_by_name(paying: Person, other: Person, django_assert_num_queries: Any) -> None:
    for name in ("Invoice 7.json", "people.json", "INVOICE-8.json"):
        paying.convert("json-to-csv", PEOPLE, name)
    other.convert("json-to-csv", PEOPLE, "invoice of another.json")
    client = _in(paying)
    with django_assert_num_queries(7):
        page = client.get("/history?name=invoice")
    assert [each.conversion.input_name for each in page.context["rows"]] == ["INVOICE-8.json", "Invoice 7.json"]
    assert b"2 conversions." in page.content
    assert [each.conversion.input_name for each in client.get("/history?name=7.CSV").context["rows"]] == [
        "Invoice 7.json"
    ]
    assert len(client.get("/history?name=%25").context["rows"]) == 0  # a sign of the database's patterns is a letter
    assert client.get("/history?name=" + "x" * 101).status_code == 400
    listed = paying.get("/converter/history?name=invoice&pageSize=1").json()
    assert (listed["meta"]["total"], listed["data"][0]["inputName"]) == (2, "INVOICE-8.json")
    assert paying.get("/converter/history?name=" + "x" * 101).json()["code"] == "VALIDATION_ERROR"


def test_selected_files_are_deleted_together_after_confirmation(paying: Person, other: Person) -> None:
    for person in (paying, paying, paying, other):
        person.convert("json-to-csv", PEOPLE)
    keys = list(Conversion.objects.filter(owner=paying.user).values_list("file_key", flat=True))
    foreign = Conversion.objects.get(owner=other.user).file_key
    client = _in(paying)
    chosen = [*keys[:2], foreign, "../x"]
    asked = client.post("/history/delete", {"file": chosen})
    assert {each.key for each in asked.context["files"]} == set(keys[:2])
    assert StoredFile.objects.count() == 4
    assert client.get("/history/delete").status_code == 405
    client.post("/history/delete", {"file": chosen, "sure": "1"})
    assert {each.key for each in StoredFile.objects.all()} == {keys[2], foreign}
    assert b"2 files deleted." in client.get("/history").content
    assert Conversion.objects.count() == 4
    assert b"Choose the files" in client.post("/history/delete", {"sure": "1"}, follow=True).content


def test_daily_usage_can_be_downloaded_as_csv(paying: Person, other: Person) -> None:
    paying.convert("json-to-csv", PEOPLE)
    with_key(paying.account).convert("json-to-csv", PEOPLE)
    paying.convert("html-to-pdf", b"<p>Hello")
    other.convert("json-to-csv", PEOPLE)
    Usage.objects.filter(owner=paying.user, slug="html-to-pdf").update(start=date.today() - timedelta(days=40))

    def rows(days: int) -> list[dict[str, str]]:
        answer: Any = _in(paying).get(f"/usage/days.csv?days={days}")
        assert answer["Content-Disposition"] == f'attachment; filename="usage-{days}-days.csv"'
        return list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode())))

    assert [(each["conversion"], each["conversions"], each["credits"]) for each in rows(30)] == [
        ("json-to-csv", "2", "2")
    ]
    assert [each["conversion"] for each in rows(90)] == ["html-to-pdf", "json-to-csv"]
    assert Client().get("/usage/days.csv").status_code == 302


def test_a_year_is_a_map_whose_rows_are_days_of_the_week_and_whose_levels_are_quarters() -> None:
    first = date(2026, 1, 1)  # a Thursday
    days = {first + timedelta(days=number): 0 for number in range(365)}
    busy = [first + timedelta(days=number) for number in range(8)]
    days |= {day: number + 1 for number, day in enumerate(busy)}
    days[busy[-1]] = 10_000
    year = heat_map(days)
    assert len(year.cells) == 365
    assert [each.level for each in year.cells[:9]] == [1, 1, 2, 2, 3, 3, LEVELS, LEVELS, 0]
    assert {(each.y - year.cells[4].y) // 14 for each in year.cells if each.day.weekday() == 0} == {0}
    assert (year.active, year.busiest and year.busiest.day) == (8, busy[-1])
    assert [day.month for day, _ in year.months] == list(range(1, 13))
    assert year.cells[3].x < year.cells[4].x  # from Sunday to Monday
    assert heat_map({first: 0}).busiest is None


def test_the_usage_page_shows_the_year_whatever_else_is_asked_for(paying: Person) -> None:
    paying.convert("json-to-csv", PEOPLE)
    Usage.objects.filter(owner=paying.user).update(start=date.today() - timedelta(days=200))
    page = _in(paying).get("/usage?days=30")
    assert page.context["year"].total == 1
    assert page.context["report"].totals.conversions == 0
    assert page.content.count(b'class="heat-') == 365 + 6  # with the legend's five, and its line


@pytest.mark.parametrize(("language", "file", "command"), [
    ("typescript", "convert.mjs", ["node"]), ("java", "Convert.java", ["java"]),
])  # fmt: skip
def test_the_examples_of_a_page_give_the_file_when_run(
    live_server: Any, tmp_path: Path, paying: Person, language: str, file: str, command: list[str]
) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"no {command[0]}")
    _, secret = ApiKey.issue(paying.account, name="Example")
    host = live_server.url.removeprefix("http://")
    page = _in(paying).get("/convert/json-to-csv", {"delimiter": ";"}, headers={"host": host})
    (text,) = [each.text for each in page.context["examples"].all if each.name == language]
    assert re.search(rf'id="example-{language}"', page.content.decode())
    (tmp_path / file).write_text(text)
    (tmp_path / "input.json").write_bytes(PEOPLE)
    environment = {"PATH": os.environ["PATH"], "API_KEY": secret}
    subprocess.run([*command, file], cwd=tmp_path, env=environment, check=True, timeout=120)
    assert (tmp_path / "input.csv").read_bytes() == PEOPLE_CSV.replace(b",", b";")
    assert Conversion.objects.get().owner == paying.user
