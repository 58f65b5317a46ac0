"""The page of API keys."""

from __future__ import annotations

import re
import time
from typing import Any

from django.test import Client

from accounts.login import reauthentication
from accounts.models import User
from apikeys.models import ApiKey
from tests.conftest import PASSWORD, Person, with_key
from tests.teams.test_organisations import found


def _page(person: Person) -> Client:
    assert person.user is not None
    person.client.force_login(person.user)
    return person.client


def _send(client: Client, **form: Any) -> Any:
    name = client.get("/api-keys").context["form_name"]
    return client.post("/api-keys", {"form": name, **form})


def test_a_new_key_is_shown_once_and_works(paying: Person, guest: Person) -> None:
    client = _page(paying)
    answer = _send(client, name="Nightly", expires_in_days="30")
    assert answer.status_code == 201
    assert "no-store" in answer["Cache-Control"]
    (secret,) = set(re.findall(r"fc_\w{40}", answer.content.decode()))
    assert guest.get("/account", Authorization=f"Bearer {secret}").status_code == 200
    assert secret not in client.get("/api-keys").content.decode()


def test_resubmitting_a_form_creates_one_key(paying: Person) -> None:
    client = _page(paying)
    form = {"form": client.get("/api-keys").context["form_name"], "name": "Twice"}
    assert client.post("/api-keys", form).status_code == 201
    assert client.post("/api-keys", form).status_code == 302
    assert ApiKey.objects.count() == 1


def test_an_invalid_form_creates_no_key(paying: Person) -> None:
    assert _send(_page(paying), name="", expires_in_days="0").status_code == 400
    assert ApiKey.objects.count() == 0


def test_missing_access_and_a_full_quota_are_reported(free: Person, paying: Person) -> None:
    assert _send(_page(free), name="x").status_code == 403
    assert paying.user is not None
    for _ in range(10):
        with_key(paying.user)
    assert _send(_page(paying), name="x").status_code == 403
    assert ApiKey.objects.count() == 10


def test_only_one_s_own_key_can_be_revoked_and_only_by_post(paying: Person, other: Person) -> None:
    assert paying.user is not None
    key, _ = ApiKey.issue(paying.user, name="Mine")
    path = f"/api-keys/{key.pk}/revoke"
    assert _page(other).post(path).status_code == 404
    assert _page(paying).get(path).status_code == 200
    key.refresh_from_db()
    assert key.revoked_at is None
    assert paying.client.post(path).status_code == 302
    key.refresh_from_db()
    assert key.revoked_at is not None


def test_the_number_of_queries_does_not_grow_with_keys(paying: Person, django_assert_num_queries: Any) -> None:
    client = _page(paying)
    assert paying.user is not None
    client.get("/api-keys")
    ApiKey.issue(paying.user, name="One")
    with django_assert_num_queries(8):
        client.get("/api-keys")
    for _ in range(8):
        ApiKey.issue(paying.user, name="More")
    with django_assert_num_queries(8):
        client.get("/api-keys")


def test_an_open_session_without_recent_authentication_creates_no_key_by_the_api(paying: Person) -> None:
    own = found(paying)
    key, _ = ApiKey.issue(paying.account, name="Mine")
    browser = Person(paying.user, {}, _page(paying))
    session = browser.client.session
    session["sure_at"] = time.time() - reauthentication.LASTS
    session.save()
    calls = (
        ("POST", "/integrations/api-keys", {"name": "Theirs"}),
        ("POST", f"/integrations/api-keys/{key.pk}/move", {"organisation": str(own.organisation_id)}),
        ("DELETE", f"/organisations/{own.organisation_id}", None),
    )
    for each in calls:
        answer = browser.request(*each)
        assert (answer.status_code, answer.json()["code"]) == (403, "ACCESS_DENIED"), each
    assert [(each.pk, each.user_id) for each in ApiKey.objects.all()] == [(key.pk, paying.account.pk)]
    assert User.objects.get(pk=own.organisation_id).is_active
    # What ends access is done at once.
    assert browser.post(f"/integrations/api-keys/{key.pk}/revoke").status_code == 200
    browser.client.post("/account/confirm", {"password": PASSWORD})
    assert [browser.request(*each).status_code for each in (calls[0], calls[2])] == [201, 200]
    assert paying.post("/integrations/api-keys", {"name": "Of a program"}).status_code == 201


def test_the_states_and_times_of_keys_are_in_the_reader_s_language(paying: Person) -> None:
    client = _page(paying)
    key, secret = ApiKey.issue(paying.account, name="Nightly")
    client.get("/api/v1/account", headers={"Authorization": f"Bearer {secret}"})
    page = client.get("/api-keys", headers={"Accept-Language": "de"}).content.decode()
    assert '<span class="badge active">aktiv</span>' in page
    assert f">{key.created_at:%d.%m.%Y}" in page
