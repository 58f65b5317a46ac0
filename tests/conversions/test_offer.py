"""The offer: prices and restrictions from the database, applied in API, pages and agents alike."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, transaction
from django.test import Client

from accounts.models import CreditEntry, Plan
from conversions.models import Conversion, Price, Restriction
from conversions.pages.tasks.search import search
from conversions.work import offer
from engine.families.registry import CONVERTERS
from tests.conftest import Person
from tests.conversions.samples import PEOPLE
from tests.conversions.test_convert import refused


def test_today_s_prices_are_the_rows_that_are_installed(guest: Person) -> None:
    costs = offer.current().costs
    assert costs.keys() == CONVERTERS.keys()
    for slug, each in CONVERTERS.items():
        minute = each.measure is not None
        assert (costs[slug].credits, costs[slug].per_minute) == (2 if each.output.id == "pdf" else 1, minute), slug


def test_a_new_price_applies_from_the_next_conversion_on_everywhere(paying: Person) -> None:
    before, etag = paying.account.credits, paying.get("/converter/formats")["ETag"]
    Price.objects.create(scope="family", name="data", credits=3)
    Price.objects.create(scope="slug", name="json-to-csv", credits=7)
    done = paying.convert("json-to-csv", PEOPLE)
    assert (done.json()["data"]["credits"], done["X-Credits-Remaining"]) == (7, str(before - 7))
    assert CreditEntry.objects.filter(kind="conversion").get().amount == -7
    assert paying.convert("json-to-yaml", PEOPLE).json()["data"]["credits"] == 3
    answer = paying.client.post(
        "/api/v1/converter/json-to-csv?dryRun=1&verify=1",
        {"file": SimpleUploadedFile("a.json", PEOPLE)},
        headers=paying.headers,
    )
    assert answer.json()["data"]["credits"] == 14
    assert paying.get("/converter/json-to-csv").json()["data"]["credits"] == 7
    assert paying.get("/converter/formats")["ETag"] != etag
    operation = Client().get("/api/v1/schema?part=json").json()["paths"]["/api/v1/converter/json-to-csv"]["post"]
    assert "Costs 7 credits." in operation["description"]
    page = Client().get("/convert/json-to-csv").content.decode()
    assert 'data-credits="7"' in page
    assert "7 credits per file" in page


def test_minutes_are_paid_for_where_the_row_says_so(paying: Person) -> None:
    Price.objects.filter(scope="family", name="media").update(per_minute=False, credits=4)
    shown = paying.get("/converter/mp4-to-mp3").json()["data"]
    assert (shown["credits"], "creditsPerMinute" in shown) == (4, False)
    Price.objects.create(scope="output", name="csv", credits=5, per_minute=True)
    shown = paying.get("/converter/json-to-csv").json()["data"]
    assert (shown["credits"], "creditsPerMinute" in shown) == (5, False)  # nobody can know minutes of it


@pytest.mark.parametrize(
    "fields",
    [
        {"scope": "slug", "name": "a", "credits": 0},
        {"scope": "slug", "name": "a", "credits": 1_000_001},
        {"scope": "slug", "name": "", "credits": 1},
        {"scope": "all", "name": "x", "credits": 1},
        {"scope": "output", "name": "pdf", "credits": 1},
    ],
)
def test_the_database_refuses_prices_that_make_no_sense(db: None, fields: dict[str, Any]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Price.objects.create(**fields)


@pytest.mark.parametrize(("scope", "name"), [("slug", "json-to-csv"), ("format", "csv"), ("format", "json")])
def test_a_disabled_conversion_is_offered_nowhere(program: Person, scope: str, name: str) -> None:
    assert program.convert("json-to-csv", PEOPLE).status_code == 201
    done = Conversion.objects.get()
    Restriction.objects.create(scope=scope, name=name)
    client = program.client
    gone = program.convert("json-to-csv", PEOPLE)
    refused(gone, 404, "UNKNOWN_CONVERSION")
    assert "json-to-csv" not in gone.json().get("meta", {}).get("alternatives", [])
    assert program.get("/converter/json-to-csv").status_code == 404
    listed = program.get("/converter/formats").json()["data"]
    assert "json-to-csv" not in {each["slug"] for each in listed["conversions"]}
    assert scope == "slug" or name not in {each["id"] for each in listed["formats"]}
    for path in ("/convert/json-to-csv", "/convert/json-to-csv/options", "/docs/json-to-csv", "/json-to-csv"):
        assert client.get(path).status_code == 404, path
    for path in ("/formats", "/sitemap.xml", "/tasks", "/search?q=json+to+csv", "/docs?q=json+to+csv"):
        answer = client.get(path)
        assert (answer.status_code, "/json-to-csv" in answer.content.decode()) == (200, False), path
    assert not [each for each in search("json to csv") if each.address.endswith("/json-to-csv")]
    if scope == "slug":
        schema = client.get("/api/v1/schema?part=json").json()
        assert "/api/v1/converter/json-to-csv" not in schema["paths"]
        assert "/api/v1/converter/json-to-yaml" in schema["paths"]
    called = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    arguments = {"name": "describe", "arguments": {"slug": "json-to-csv"}}
    answer = client.post(
        "/mcp", json.dumps({**called, "params": arguments}), "application/json",
        headers={**program.headers, "accept": "application/json, text/event-stream"},
    )  # fmt: skip
    assert "There is no conversion" in answer.content.decode()
    assert program.get("/converter/history").status_code in (200, 401)
    assert done.slug == "json-to-csv"
    Restriction.objects.all().delete()
    assert program.convert("json-to-csv", PEOPLE).status_code == 201


def test_previews_do_not_use_disabled_conversions(paying: Person) -> None:
    address = paying.convert("csv-to-xlsx", b"a,b\r\n1,2\r\n").json()["data"]["downloadUrl"].rpartition("/")[2]
    client = Client()
    client.force_login(paying.account)
    assert client.get(f"/glimpse/{address}").content.split() == [b"a,b", b"1,2"]
    Restriction.objects.create(scope="slug", name="xlsx-to-csv")
    assert client.get(f"/glimpse/{address}").status_code == 404


def test_disabling_a_family_hides_its_tasks(guest: Person) -> None:
    assert guest.client.get("/video-to-mp3").status_code == 200
    Restriction.objects.create(scope="family", name="media")
    assert guest.client.get("/video-to-mp3").status_code == 404
    assert guest.client.get("/").status_code == 200
    assert guest.convert("mp4-to-mp3", b"x").status_code == 404
    assert guest.convert("json-to-csv", PEOPLE).status_code == 201
    wrong = guest.convert("json-to-csv", PEOPLE, "film.mp4")
    refused(wrong, 400, "UNSUPPORTED_FILE_TYPE")  # nothing takes it any more


def test_a_conversion_limited_to_plans_names_them(guest: Person, free: Person, paying: Person) -> None:
    for code in ("pro", "scale"):
        Restriction.objects.create(scope="slug", name="json-to-csv", plan=Plan.objects.get(code=code))
    assert guest.get("/converter/json-to-csv").json()["data"]["plans"] == ["pro", "scale"]
    for person in (guest, free):
        answer = person.convert("json-to-csv", PEOPLE)
        refused(answer, 403, "ACCESS_DENIED")
        assert answer.json()["meta"]["plans"] == ["pro", "scale"]
    assert not Conversion.objects.exists()
    assert paying.convert("json-to-csv", PEOPLE).status_code == 201
    page = guest.client.post("/convert/json-to-csv", {"file": SimpleUploadedFile("a.json", PEOPLE)})
    assert page.status_code == 403
    Restriction.objects.create(scope="format", name="json", plan=Plan.objects.get(code="scale"))
    assert paying.convert("json-to-csv", PEOPLE).status_code == 403  # both rules have to let it
    Restriction.objects.create(scope="format", name="json")
    assert paying.convert("json-to-csv", PEOPLE).status_code == 404


def test_prices_and_restrictions_are_edited_in_the_admin(staff: Client, paying: Person) -> None:
    path = "/admin/conversions/price/add/"
    wrong = staff.post(path, {"scope": "slug", "name": "json-to-nothing", "credits": "2"})
    assert b"There is none with this name" in wrong.content
    assert staff.post(path, {"scope": "slug", "name": "json-to-csv", "credits": "9"}).status_code == 302
    assert paying.convert("json-to-csv", PEOPLE).json()["data"]["credits"] == 9
    base = Price.objects.get(scope="all")
    assert staff.post(f"/admin/conversions/price/{base.pk}/delete/", {"post": "yes"}).status_code == 403
    off = {"scope": "slug", "name": "json-to-csv", "plan": ""}
    assert staff.post("/admin/conversions/restriction/add/", off).status_code == 302
    assert b"already turned off" in staff.post("/admin/conversions/restriction/add/", off).content
    assert paying.convert("json-to-csv", PEOPLE).status_code == 404
    assert b"to nobody" in staff.get("/admin/conversions/restriction/").content


def test_saving_a_plan_does_not_restore_an_old_offer(db: None) -> None:
    plan = Plan.objects.get(code="pro")
    Restriction.objects.create(scope="slug", name="json-to-csv")
    plan.position = 7
    plan.save()
    assert Plan.objects.get(code="pro").offer_version == Plan.objects.get(code="guest").offer_version > 0
