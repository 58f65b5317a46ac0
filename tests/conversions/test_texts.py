"""Text that some database can't keep: the same answer on all of them."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client

from conversions.models import Conversion
from conversions.texts import storable
from conversions.work import runner
from engine.toolkit.failures import Unreadable
from tests.conftest import PASSWORD, Person
from tests.conversions.test_history import record

BAD = "a\x00b\ud800c\udfff"
GOOD = "a\ufffdb\ufffdc\ufffd"


def test_only_what_cannot_be_stored_is_replaced() -> None:
    assert storable(BAD) == GOOD
    assert storable({BAD: [BAD, 1, None, {"x": (BAD,)}]}) == {GOOD: [GOOD, 1, None, {"x": [GOOD]}]}
    for kept in ("", "a", "ü\U0001f600\u200d\x01\x1f\x7f", 1, 1.5, None, True):
        assert storable(kept) is kept


def test_a_name_of_nul_in_a_warning_is_kept_with_a_replacement(program: Person) -> None:
    answer = program.convert("json-to-csv", b'[{"\\u0000":1,"\\u0000":2}]')
    assert answer.status_code == 201
    data = answer.json()["data"]
    (warning,) = [each for each in data["warnings"] if each["code"] == "DUPLICATE_KEY"]
    assert "\ufffd" in warning["message"]
    found = Conversion.objects.get(pk=data["id"])
    assert [{"code": each["code"], "message": each["message"]} for each in found.warnings] == data["warnings"]


def test_every_text_of_a_conversion_can_hold_anything(paying: Person) -> None:
    texts = ("input_name", "output_name", "options", "detected", "warnings")
    made = record(
        paying.user, input_name=BAD, output_name=BAD, options={BAD: BAD}, detected={BAD: BAD}, warnings=[{"m": BAD}]
    )
    before = {each: getattr(made, each) for each in texts}
    found = Conversion.objects.get(pk=made.pk)
    assert {each: getattr(found, each) for each in texts} == before
    assert (found.input_name, found.options, found.warnings) == (GOOD, {GOOD: GOOD}, [{"m": GOOD}])
    failed = record(paying.user, failed=True, error_message=BAD)
    assert Conversion.objects.get(pk=failed.pk).error_message == failed.error_message == GOOD
    Conversion.objects.update(input_name=BAD, options={"x": BAD})
    assert set(Conversion.objects.values_list("input_name", flat=True)) == {GOOD}
    assert Conversion.objects.filter(input_name=BAD).count() == 2


def test_an_error_s_message_can_hold_anything(paying: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreadable(*given: Any, **more: Any) -> runner.Outcome:
        raise Unreadable(f"No value at {BAD}.")

    monkeypatch.setattr(runner, "convert", unreadable)
    assert paying.convert("json-to-csv", b"[]").status_code == 422
    assert GOOD in Conversion.objects.get().error_message
    assert paying.get("/converter/history").json()["data"][0]["error"]["message"].count("\ufffd") == 3


@pytest.mark.parametrize("name", ["a\x00.json", "\x00.json"])
def test_a_file_s_name_can_hold_anything(program: Person, name: str) -> None:
    body = (
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="'
        + name.encode()
        + b'"\r\n\r\n[{"id": 1}]\r\n--x--\r\n'
    )
    answer: Any = program.client.generic(
        "POST",
        "/api/v1/converter/json-to-csv",
        body,
        content_type="multipart/form-data; boundary=x",
        headers=program.headers,
    )
    assert answer.status_code == 201, answer.content
    assert Conversion.objects.get().input_name == answer.json()["data"]["inputName"]
    assert program.download(answer.json()["data"]["downloadUrl"]) == b"id\r\n1\r\n"


@pytest.mark.parametrize("value", ["\x00", "a\x00b"])
def test_an_option_with_nul_is_refused_by_its_name(program: Person, value: str) -> None:
    for slug, option in (("json-to-csv", "delimiter"), ("html-to-pdf", "headerText")):
        answer = program.convert(slug, b"[]" if slug[0] == "j" else b"<p>a</p>", **{option: value})
        assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
        assert answer.json()["details"][0]["field"] == option


@pytest.mark.parametrize("name", ["slug", "status", "from", "to", "page", "pageSize"])
def test_a_parameter_with_nul_is_refused_by_its_name(paying: Person, name: str) -> None:
    answer = paying.get(f"/converter/history?{name}=%00")
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert answer.json()["details"][0]["field"] == name


def test_paths_and_forms_with_nul_never_cause_a_500(paying: Person, staff: Client) -> None:
    nul = quote("\x00")
    session = Client()
    session.force_login(paying.account)
    for client, path in [
        (paying.client, f"/api/v1/converter/history/{nul}"),
        (paying.client, f"/api/v1/files/{nul}"),
        (paying.client, f"/api/v1/converter/stats?days={nul}"),
        (session, f"/history?slug={nul}&status={nul}&from={nul}&to={nul}&page={nul}"),
        (session, f"/formats?q={nul}"),
        (session, f"/usage?days={nul}&page={nul}"),
        (session, f"/convert/json-to-csv?delimiter={nul}"),
        (session, f"/results/{nul}"),
    ]:
        answer = client.get(path, headers=paying.headers if client is paying.client else {})
        assert answer.status_code < 500, path
    assert session.post("/download-all", {"file": "\x00"}).status_code == 400
    for model in ("accounts/user", "conversions/conversion", "storage/storedfile"):
        for query in (f"q={nul}", f"slug={nul}", f"owner__id__exact={nul}", f"plan__id__exact={nul}", f"p={nul}"):
            assert staff.get(f"/admin/{model}/?{query}").status_code < 500, (model, query)


@pytest.mark.parametrize("text", ["\x00", "\ud800"], ids=["nul", "surrogate"])
def test_bodies_with_what_no_text_may_hold_name_the_field(paying: Person, guest: Person, text: str) -> None:
    for person, path, body, field in [
        (guest, "/auth/register", {"email": f"a{text}@example.org", "password": PASSWORD}, "email"),
        (guest, "/auth/register", {"email": "a@example.org", "password": PASSWORD + text}, "password"),
        (guest, "/auth/login", {"email": f"a{text}@example.org", "password": PASSWORD}, "email"),
        (paying, "/integrations/api-keys", {"name": f"a{text}"}, "name"),
    ]:
        answer: Any = person.client.generic(
            "POST", f"/api/v1{path}", json.dumps(body), content_type="application/json", headers=person.headers
        )
        assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR"), (path, answer.content)
        assert answer.json()["details"][0]["field"] == field
    form = {"email": f"a{text}@example.org", "username": f"a{text}@example.org", "password": PASSWORD}
    for path in ("/login", "/signup", "/password/forgot", "/admin/login/"):
        if text == "\x00":
            assert guest.client.post(path, form).status_code < 500, path
