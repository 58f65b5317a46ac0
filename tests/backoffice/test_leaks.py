"""A leaked key: found by pasting it, shown with its owner, and revoked; its text is not stored."""

from __future__ import annotations

import json
import logging
import re
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accounts.models import User
from apikeys import secrets
from apikeys.models import ApiKey
from backoffice.models import AuditEntry
from tests.backoffice.conftest import client_of
from tests.conftest import make_user, with_key

FIND = "/admin/apikeys/apikey/find/"


def test_a_pasted_key_is_found_and_revoked_by_support(
    helper: User, customer: User, caplog: pytest.LogCaptureFixture, tmp_path: Any
) -> None:
    key, secret = ApiKey.issue(customer, name="build")
    program = Client()
    client = client_of(helper)
    assert "find/" in client.get("/admin/apikeys/apikey/").content.decode()
    with caplog.at_level(logging.DEBUG):
        answer = client.post(FIND, {"text": f"curl -H 'X-API-Key: {secret}' # oops"})
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "customer@example.org" in page
    assert "Never" in page
    assert 'value="Revoke it now"' in page
    kept = tmp_path / "everything.json"
    call_command("dumpdata", output=str(kept), verbosity=0)
    session = json.dumps(dict(client.session.items()))
    for place in (page, str(answer.headers), str(client.cookies), session, caplog.text, kept.read_text()):
        assert secret not in place
        assert secret[10:30] not in place
    assert program.get("/api/v1/account", headers={"X-API-Key": secret}).status_code == 200
    assert "Never" not in client.post(FIND, {"text": secret}).content.decode()
    revoked = client.post(FIND, {"key": str(key.pk)})
    assert (revoked.status_code, "It no longer works" in revoked.content.decode()) == (200, True)
    assert program.get("/api/v1/account", headers={"X-API-Key": secret}).status_code == 401
    entries = AuditEntry.objects.filter(model="apikeys.apikey").order_by("id")
    assert [(each.action, each.object_id) for each in entries] == [
        ("find_key", str(key.pk)), ("find_key", str(key.pk)), ("revoke_key", str(key.pk)),
    ]  # fmt: skip
    assert "It no longer works" in client.post(FIND, {"text": secret}).content.decode()


def test_a_malformed_key_and_an_unknown_key_get_different_messages(helper: User) -> None:
    client = client_of(helper)
    typo = secrets.new_secret()[:-1] + "!"
    for text in ("", "fc_", typo, "x" * 30_000):
        page = client.post(FIND, {"text": text}).content.decode()
        assert "errorlist" in page
        assert typo not in page
    assert "No customer has this key" in client.post(FIND, {"text": secrets.new_secret()}).content.decode()


def test_keys_of_the_staff_are_for_superusers(helper: User, boss: User) -> None:
    other = make_user("pro", "other-staff@example.org", is_staff=True)
    key, secret = ApiKey.issue(other, name="mine")
    mine, theirs = client_of(helper), client_of(boss)
    unknown = re.sub(r'value="[^"]*"', "", mine.post(FIND, {"text": secrets.new_secret()}).content.decode())
    assert re.sub(r'value="[^"]*"', "", mine.post(FIND, {"text": secret}).content.decode()) == unknown
    assert mine.post(FIND, {"key": str(key.pk)}).status_code == 403
    assert mine.post(FIND, {"key": "x"}).status_code == 403
    assert "other-staff@example.org" in theirs.post(FIND, {"text": secret}).content.decode()


def test_only_staff_who_may_revoke_keys_can_search_for_one(customer: User, boss: User) -> None:
    clerk = make_user("free", is_staff=True)
    person = with_key(customer)
    secret = person.headers["Authorization"].removeprefix("Bearer ")
    assert client_of(clerk).post(FIND, {"text": secret}).status_code == 403
    assert client_of(customer).post(FIND, {"text": secret}).status_code == 302
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(boss)
    assert strict.post(FIND, {"text": secret}).status_code == 403
    assert reverse("admin:apikeys_apikey_find") == FIND


def test_a_key_pasted_into_a_search_by_mistake_is_not_kept(boss: User) -> None:
    secret = secrets.new_secret()
    b"".join(client_of(boss).post(f"/admin/apikeys/apikey/export/?q={secret}").streaming_content)  # type: ignore[attr-defined]
    assert secret not in str(AuditEntry.objects.values_list("details", flat=True))
