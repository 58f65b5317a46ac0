"""Secret options: the service records that a password or redaction was given, never its value."""

from __future__ import annotations

import io
import json
from typing import Any

from django.core import serializers
from django.test import Client
from reportlab.pdfgen.canvas import Canvas

from conversions.models import Conversion, IdempotencyKey
from conversions.work import idempotency
from engine.families.registry import CONVERTERS
from engine.toolkit.options import build, describe
from storage.models import StoredFile
from tests.conftest import Person
from tests.conversions.test_convert import refused

NAME = "Ada Lovelace"
PATTERN = "[Ll]ovelace"


def pdf_of(text: str) -> bytes:
    canvas = Canvas(file := io.BytesIO())
    canvas.drawString(100, 700, text)
    canvas.save()
    return file.getvalue()


def redact(person: Person, **options: Any) -> Any:
    return person.convert("pdf-to-pdf", pdf_of(f"{NAME} wrote notes."), operation="redact", **options)


def test_redacted_terms_appear_in_no_response_and_no_table(paying: Person) -> None:
    key = {"Idempotency-Key": "one"}
    shown = redact(paying, redactText=NAME, redactPattern=PATTERN, headers=key).json()["data"]
    assert (shown["options"]["redactText"], shown["options"]["redactPattern"]) == (True, True)
    failed = paying.convert("pdf-to-pdf", b"%PDF-1.7", operation="redact", redactText=NAME)
    refused(failed, 422, "UNSUPPORTED_FORMAT")
    client = Client()
    client.force_login(paying.account)
    pages = [client.get(path).content.decode() for path in (f"/results/{shown['id']}", "/history")]
    answers = [
        json.dumps(paying.get(path).json())
        for path in ("/converter/history", f"/converter/history/{shown['id']}/receipt", "/converter/stats")
    ]
    dry = json.dumps(redact_dry(paying))
    rows = serializers.serialize(
        "json", [*Conversion.objects.all(), *IdempotencyKey.objects.all(), *StoredFile.objects.all()]
    )
    assert Conversion.objects.count() == 2
    assert IdempotencyKey.objects.count() == 1
    for text in (*pages, *answers, dry, rows, json.dumps(shown)):
        assert NAME not in text
        assert PATTERN not in text
    assert "&amp;redactText=" not in pages[1]  # the form is not filled with what nobody knows


def redact_dry(person: Person) -> Any:
    answer = person.convert(
        "pdf-to-pdf?dryRun=1", pdf_of(f"{NAME} wrote notes."), operation="redact", redactText=NAME
    ).json()["data"]
    assert answer["options"]["redactText"] is True
    return answer


def test_a_secret_that_was_not_given_is_not_there(paying: Person) -> None:
    shown = paying.convert("pdf-to-pdf", pdf_of("Nothing to hide.")).json()["data"]
    secret = {each.name for each in describe(CONVERTERS["pdf-to-pdf"].options) if each.secret}
    assert not secret & shown["options"].keys()


def test_a_record_stays_small_whatever_is_given(free: Person) -> None:
    """Failed conversions are recorded, too: a picture in each filled a database with 8 GB a day from one account."""
    failed = free.convert("pdf-to-pdf", b"%PDF-1.7", operation="stamp", picture="A" * 99_000)
    refused(failed, 422, "UNSUPPORTED_FORMAT")
    assert Conversion.objects.get().options["picture"] is True


def test_a_fingerprint_of_a_secret_depends_on_the_service_s_key(settings: Any) -> None:
    declared = CONVERTERS["pdf-to-pdf"].options

    def fingerprint(**options: Any) -> str:
        return idempotency.fingerprint("pdf-to-pdf", "0" * 64, build(declared, options))

    known, plain = fingerprint(redactText=NAME), fingerprint(operation="compress")
    assert known == fingerprint(redactText=NAME) != fingerprint(redactText="Ada")
    settings.SECRET_KEY = "another key of the service, long enough to be one"
    assert fingerprint(redactText=NAME) != known
    assert fingerprint(operation="compress") == plain
