"""Pages of other origins may call the API where they are named, with a key or a token and without cookies."""

from __future__ import annotations

from django.test import Client, override_settings

from tests.conftest import Person
from tests.conversions.samples import PEOPLE

THERE = {"Origin": "https://app.example"}


def test_only_listed_origins_are_allowed(guest: Person) -> None:
    assert "Access-Control-Allow-Origin" not in guest.convert("json-to-csv", PEOPLE, headers=THERE).headers


@override_settings(CORS_ALLOWED_ORIGINS=["https://app.example"])
def test_a_listed_origin_is_allowed_without_cookies(program: Person) -> None:
    asked = program.client.options(
        "/api/v1/converter/json-to-csv",
        headers=THERE
        | {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,idempotency-key"},
    )
    assert asked.status_code == 200
    assert asked["Access-Control-Allow-Origin"] == "https://app.example"
    assert {"authorization", "idempotency-key"} <= set(asked["Access-Control-Allow-Headers"].split(", "))
    answer = program.convert("json-to-csv", PEOPLE, headers=THERE)
    assert answer["Access-Control-Allow-Origin"] == "https://app.example"
    assert {"X-Conversion-Id", "Location", "Retry-After"} <= set(answer["Access-Control-Expose-Headers"].split(", "))
    assert "Access-Control-Allow-Credentials" not in answer


@override_settings(CORS_ALLOWED_ORIGINS=["https://app.example"])
def test_pages_and_other_origins_stay_closed(db: None) -> None:
    assert "Access-Control-Allow-Origin" not in Client().get("/login", headers=THERE).headers
    other = Client().get("/api/v1/converter/formats", headers={"Origin": "https://app.example.evil"})
    assert "Access-Control-Allow-Origin" not in other.headers
