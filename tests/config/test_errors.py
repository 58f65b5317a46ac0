"""Every error under /api/ has the same body, whoever raised it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client

from errors import PublicError, declared
from tests.conftest import Person
from tests.conversions.samples import PEOPLE

SHAPE = {"success", "code", "message", "requestId"}


def _shape(answer: object, status: int, code: str) -> dict[str, object]:
    body: dict[str, object] = answer.json()  # type: ignore[attr-defined]
    assert (answer.status_code, body["code"]) == (status, code)  # type: ignore[attr-defined]
    assert body.keys() - {"details", "meta"} == SHAPE
    assert body["success"] is False
    assert answer["Content-Type"].startswith("application/json")  # type: ignore[index]
    assert answer["X-Request-Id"] == body["requestId"]  # type: ignore[index]
    if code == "VALIDATION_ERROR":
        details = body["details"]
        assert isinstance(details, list)
        assert details
        assert all({"field", "message"} <= each.keys() for each in details)
    return body


def test_an_unknown_route(guest: Person) -> None:
    _shape(guest.get("/nowhere"), 404, "NOT_FOUND")


def test_a_route_is_the_same_with_a_slash_at_its_end(guest: Person) -> None:
    assert guest.get("/converter/formats/").content == guest.get("/converter/formats").content
    assert guest.convert("json-to-csv/", PEOPLE).status_code == 201
    _shape(guest.get("/converter/formats//"), 404, "NOT_FOUND")
    _shape(guest.get(f"/files/{'0' * 32}.csv/"), 400, "INVALID_FILE_KEY")


@pytest.mark.parametrize(
    ("method", "path"), [("DELETE", "/account"), ("GET", "/auth/login"), ("PUT", "/converter/formats")]
)
def test_a_wrong_method_names_the_right_ones(paying: Person, method: str, path: str) -> None:
    answer = paying.request(method, path)
    _shape(answer, 405, "METHOD_NOT_ALLOWED")
    assert answer["Allow"]


DEEP = '{"email": ' + "[" * 900 + "]" * 900 + "}"


@pytest.mark.parametrize(
    "body", ["", "{", "[]", '"x"', "null", "1", "[" * 100_000, '{"a":' * 50_000, DEEP, "\xff", "NaN"]
)
def test_a_json_body_that_is_no_object(guest: Person, body: str) -> None:
    answer = guest.client.post("/api/v1/auth/login", body.encode("latin-1"), content_type="application/json")
    _shape(answer, 400, "VALIDATION_ERROR")


def test_a_json_body_that_is_nested_deeply_is_refused_as_such(guest: Person) -> None:
    answer = guest.client.post("/api/v1/auth/login", DEEP, content_type="application/json")
    assert _shape(answer, 400, "VALIDATION_ERROR")["message"] == "The JSON body is nested too deeply."


@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "nonsense"],
)
def test_a_content_type_that_the_route_does_not_take(guest: Person, content_type: str) -> None:
    answer = guest.client.generic("POST", "/api/v1/auth/login", b"{}", content_type=content_type)
    _shape(answer, 400, "VALIDATION_ERROR")


def test_a_body_that_is_too_large(guest: Person) -> None:
    body = json.dumps({"email": "x" * 1_100_000, "password": "x"})
    answer = guest.client.post("/api/v1/auth/login", body, content_type="application/json")
    _shape(answer, 413, "FILE_TOO_LARGE")


def test_a_disallowed_host(db: None) -> None:
    _shape(Client(headers={"Host": "evil.example"}).get("/api/v1/account"), 400, "VALIDATION_ERROR")


def test_a_crash_does_not_reveal_its_cause(guest: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conversions.views._LISTED", {True: lambda: 1 / 0})
    body = _shape(guest.get("/converter/formats"), 500, "INTERNAL_ERROR")
    assert "division" not in str(body)


def test_a_database_that_can_not_be_reached(guest: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object) -> None:
        raise OperationalError("could not connect to server at 10.0.0.1")

    monkeypatch.setattr("accounts.credits.guests.used", fail)
    answer = guest.get("/converter/guest-quota")
    body = _shape(answer, 503, "SERVICE_UNAVAILABLE")
    assert "10.0.0.1" not in str(body)
    assert int(answer["Retry-After"]) >= 1


def test_a_database_that_can_not_be_reached_before_a_converter_is_found(
    guest: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise OperationalError("could not connect to server at 10.0.0.1")

    monkeypatch.setattr("conversions.urls.current", fail)
    answer = guest.post("/converter/json-to-csv")
    body = _shape(answer, 503, "SERVICE_UNAVAILABLE")
    assert "10.0.0.1" not in str(body)
    assert int(answer["Retry-After"]) >= 1


@pytest.mark.parametrize("given", ["abc-123_X.y", "x" * 128])
def test_a_request_id_of_the_caller_is_kept(guest: Person, given: str) -> None:
    assert guest.get("/converter/formats", X_Request_Id=given)["X-Request-Id"] == given


@pytest.mark.parametrize("given", ["", "x" * 129, "a b", "a;b", "ü"])
def test_any_other_request_id_is_replaced(guest: Person, given: str) -> None:
    made = guest.get("/converter/formats", X_Request_Id=given)["X-Request-Id"]
    assert made != given
    assert len(made) == 32


@pytest.mark.parametrize(
    "query", ["page=0", "page=x", "page=-1", "pageSize=0", "pageSize=101", "pageSize=1e2", "page=١"]
)
def test_a_bad_page_names_the_parameter(paying: Person, query: str) -> None:
    body = _shape(paying.get(f"/converter/history?{query}"), 400, "VALIDATION_ERROR")
    assert body["details"][0]["field"] == query.partition("=")[0]  # type: ignore[index]


def test_an_error_outside_the_api_is_a_page(db: None) -> None:
    answer = Client().get("/nowhere")
    assert answer.status_code == 404
    assert answer["Content-Type"].startswith("text/html")


def test_every_code_of_the_interface_has_its_status() -> None:
    table = {
        "VALIDATION_ERROR": 400, "UNSUPPORTED_FILE_TYPE": 400, "NO_FILE": 400,
        "UNEXPECTED_FILE": 400, "UPLOAD_ERROR": 400,
        "INVALID_FILE_KEY": 400, "UNAUTHORIZED": 401, "PAYMENT_REQUIRED": 402, "API_KEYS_REQUIRE_PAID_PLAN": 403,
        "API_KEY_LIMIT_REACHED": 403, "GUEST_QUOTA_EXCEEDED": 403, "ACCESS_DENIED": 403, "NOT_FOUND": 404,
        "UNKNOWN_CONVERSION": 404, "FILE_TOO_LARGE": 413, "GUEST_FILE_TOO_LARGE": 413, "UNSUPPORTED_FORMAT": 422,
        "TOO_MANY_REQUESTS": 429, "INTERNAL_ERROR": 500,
    }  # fmt: skip
    assert table.items() <= {code: kind.status_code for code, kind in declared().items()}.items()


def test_a_code_is_declared_by_one_class() -> None:
    with pytest.raises(TypeError, match="NOT_FOUND"):
        type("Second", (PublicError,), {"default_code": "NOT_FOUND"})
    below: Any = type("Below", (declared()["NOT_FOUND"],), {"default_detail": "It is gone."})
    assert (below.default_code, below.status_code) == ("NOT_FOUND", 404)


def test_no_error_code_is_repeated_as_a_literal() -> None:
    """Neither where an operation is documented nor where an error is answered, nor by pages and their scripts."""
    root = Path(__file__).resolve().parents[2]
    written: dict[str, list[str]] = {code: [] for code in declared()}
    for folder in ("errors.py", "config", "accounts", "apikeys", "storage", "conversions", "backoffice"):
        for path in [root / folder] if folder.endswith(".py") else sorted((root / folder).rglob("*.py")):
            for code in re.findall(r'"([A-Z]+(?:_[A-Z]+)+|UNAUTHORIZED)"', path.read_text()):
                if code in written:
                    written[code].append(str(path.relative_to(root)))
    assert {code: places for code, places in written.items() if len(places) != 1} == {}
    pages = [path for kind in ("templates/**/*.html", "static/*.js") for path in root.glob(kind)]
    assert len(pages) > 20
    quoted = re.compile(r"[\"'](?:" + "|".join(declared()) + r")[\"']")
    assert [path.name for path in pages if quoted.search(path.read_text())] == []


def test_no_python_file_names_a_path_of_one_machine() -> None:
    root = Path(__file__).resolve().parents[2]
    for folder in ("config", "accounts", "apikeys", "storage", "conversions", "backoffice"):
        for path in (root / folder).rglob("*.py"):
            assert str(root) not in path.read_text(), path


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/integrations/api-keys", {"name": "key", "scopes": ["\ud800"]}, "scopes.0"),
        ("/organisations/{team}/invitations", {"email": "a@example.org", "role": "\ud800"}, "role"),
    ],
)
def test_a_message_that_quotes_a_lone_surrogate_is_sent_without_it(
    paying: Person, path: str, body: dict[str, Any], field: str
) -> None:
    team = paying.post("/organisations", {"name": "Team"}).json()["data"]["id"]
    answer = paying.post(path.format(team=team), body)
    shown = _shape(answer, 400, "VALIDATION_ERROR")
    assert "\N{REPLACEMENT CHARACTER}" in str(shown["message"])
    assert shown["details"][0]["field"] == field  # type: ignore[index]
