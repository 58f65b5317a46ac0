"""Scopes of API keys: what a key may do, made and shown by each door."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models.sql import InsertQuery
from django.test import Client

from apikeys.models import ACCESS, ApiKey
from conversions.models import Conversion
from tests.apikeys.test_pages import _page, _send
from tests.conftest import Person, with_key
from tests.conversions.samples import PEOPLE
from tests.teams.test_organisations import found, member_of

KEYS = "/integrations/api-keys"
RECORDS = "/converter/conversions"


def code(answer: Any) -> tuple[int, str, str]:
    body = answer.json()
    return answer.status_code, body.get("code", ""), body.get("meta", {}).get("requiredScope", "")


def converted(person: Person, **more: Any) -> str:
    answer = person.convert("json-to-csv", PEOPLE, **more)
    assert answer.status_code == 201
    return str(answer.json()["data"]["id"])


def test_a_key_converts_and_reads_nothing_unless_told(paying: Person) -> None:
    made = paying.post(KEYS, {"name": "x"}).json()["data"]
    assert made["scopes"] == ["convert"]
    key = Person(paying.user, {"Authorization": f"Bearer {made['fullKey']}"}, Client())
    id = converted(key)
    for path in (RECORDS, f"{RECORDS}/{id}", f"{RECORDS}/{id}/receipt"):
        assert code(key.get(path)) == (403, "ACCESS_DENIED", "read")
        assert key.get(path, X_API_Key=made["fullKey"]).status_code == 403


def test_a_key_with_both_scopes_converts_and_reads_what_the_account_converts(paying: Person) -> None:
    made = paying.post(KEYS, {"name": "x", "scopes": ["read", "convert"]}).json()["data"]
    assert made["scopes"] == ["convert", "read"]
    key = Person(paying.user, {"Authorization": f"Bearer {made['fullKey']}"}, Client())
    ids = [converted(paying), converted(key)]
    answer = key.get(f"{RECORDS}?pageSize=1")
    assert answer.json()["meta"] == {"page": 1, "pageSize": 1, "total": 2, "totalPages": 2}
    assert [each["id"] for each in key.get(RECORDS).json()["data"]] == ids[::-1]
    assert key.get(RECORDS).json() == paying.get("/converter/history").json() == paying.get(RECORDS).json()
    assert key.get(f"{RECORDS}/{ids[0]}").json() == paying.get(f"/converter/history/{ids[0]}").json()
    receipt = key.get(f"{RECORDS}/{ids[0]}/receipt")
    assert receipt.json()["data"]["receipt"]["id"] == ids[0]
    assert receipt["Cache-Control"] == "private, no-store"


def test_a_key_that_only_reads_changes_nothing(paying: Person) -> None:
    id = converted(paying, headers={"X-Progress-Id": "chosen-by-me-0001"})
    key = with_key(paying.account, "read")
    assert key.get(f"{RECORDS}/{id}").status_code == 200
    assert code(key.convert("json-to-csv", PEOPLE)) == (403, "ACCESS_DENIED", "convert")
    assert code(key.client.post("/mcp", "{}", content_type="application/json", headers=key.headers))[0] == 403
    file = Conversion.objects.get().download_url
    assert code(key.client.delete(file, headers=key.headers)) == (403, "ACCESS_DENIED", "convert")
    assert key.download(file)
    assert key.get("/converter/progress/chosen-by-me-0001").json()["data"]["state"] == "done"
    assert key.get("/account").status_code == 200
    assert Conversion.objects.count() == 1


def test_a_key_that_only_reads_does_not_take_a_file_that_can_be_downloaded_once(paying: Person) -> None:
    assert paying.convert("json-to-csv?retention=0", PEOPLE).status_code == 201
    url = Conversion.objects.get().download_url
    key = with_key(paying.account, "read")
    assert code(key.client.get(url, headers=key.headers)) == (403, "ACCESS_DENIED", "convert")
    assert key.client.head(url, headers=key.headers).status_code == 200
    assert with_key(paying.account, "convert").download(url)
    assert code(key.client.get(url, headers=key.headers)) == (404, "NOT_FOUND", "")


@pytest.mark.parametrize("scopes", [["convert"], ["convert", "read"], ["read"]])
def test_routes_for_people_refuse_keys_of_all_scopes(paying: Person, scopes: list[str]) -> None:
    id = converted(paying)
    key = with_key(paying.account, *scopes)
    for path in ("/converter/history", f"/converter/history/{id}", f"/converter/history/{id}/receipt"):
        assert code(key.get(path)) == (401, "UNAUTHORIZED", "")
    assert code(key.get("/converter/stats")) == code(key.get(KEYS)) == (401, "UNAUTHORIZED", "")


def test_conversions_of_others_are_not_found(paying: Person, other: Person, guest: Person) -> None:
    key = with_key(paying.account, "read")
    for id in (converted(other), converted(guest), "00000000-0000-0000-0000-000000000000", "nothing"):
        for path in (f"{RECORDS}/{id}", f"{RECORDS}/{id}/receipt"):
            assert code(key.get(path)) == (404, "NOT_FOUND", "")
    assert key.get(RECORDS).json()["data"] == []


@pytest.mark.parametrize("path", [RECORDS, f"{RECORDS}/00000000-0000-0000-0000-000000000000"])
def test_guests_have_no_list(guest: Person, path: str) -> None:
    assert code(guest.get(path)) == (401, "UNAUTHORIZED", "")


def test_a_key_of_an_organisation_reads_what_its_members_convert_and_nothing_of_theirs(paying: Person) -> None:
    own = found(paying)
    colleague, membership = member_of(own)
    theirs = converted(colleague)
    alone = converted(paying)
    organisation = own.organisation
    organisation.acted_by = membership
    key = with_key(organisation, "read")
    assert [each["id"] for each in key.get(RECORDS).json()["data"]] == [theirs]
    assert code(key.get(f"{RECORDS}/{alone}")) == (404, "NOT_FOUND", "")


def test_a_key_of_before_there_were_scopes_converts(paying: Person) -> None:
    """One that a process of the earlier release makes during an update has what the database gives it."""
    key = with_key(paying.account)
    row = ApiKey.objects.get()
    ApiKey.objects.all().delete()
    query = InsertQuery(ApiKey)
    query.insert_values([each for each in ApiKey._meta.concrete_fields if each.name != "scope"], [row])
    query.get_compiler("default").execute_sql()
    assert ApiKey.objects.get().scopes == ["convert"]
    assert converted(key)


@pytest.mark.parametrize(
    ("chosen", "scopes"),
    [({}, ["convert"]), ({"scope": "convert read"}, ["convert", "read"]), ({"scope": "read"}, ["read"])],
)
def test_the_page_makes_and_shows_scopes(paying: Person, chosen: dict[str, str], scopes: list[str]) -> None:
    client = _page(paying)
    assert _send(client, name="x", **chosen).status_code == 201
    assert ApiKey.objects.get().scopes == scopes
    shown = client.get("/api-keys").content.decode()
    assert f"{ACCESS[' '.join(scopes)]}</td>" in shown
    assert _send(client, name="x", scope="everything").status_code == 400


def test_the_admin_shows_scopes(paying: Person, staff: Client) -> None:
    with_key(paying.account, "convert", "read")
    assert "convert read" in staff.get("/admin/apikeys/apikey/").content.decode()
