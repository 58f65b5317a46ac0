"""API keys: created once, shown once, found by hash, refused after revocation."""

from __future__ import annotations

import hashlib
import re
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import LimitOverride, Plan, User
from apikeys import secrets
from apikeys.models import ApiKey
from tests.conftest import Person, make_user, with_key, with_token

RECORD = {"id", "name", "keyPrefix", "lastFour", "lastUsedAt", "expiresAt", "revokedAt", "createdAt", "scopes"}
KEYS = "/integrations/api-keys"


def test_creating_shows_the_full_key_once(paying: Person) -> None:
    answer = paying.post(KEYS, {"name": "build server"})
    assert answer.status_code == 201
    data = answer.json()["data"]
    assert data.keys() == RECORD | {"fullKey"}
    assert re.fullmatch(r"fc_[0-9A-Za-z]{40}", data["fullKey"])
    assert data["keyPrefix"] == data["fullKey"][:10]
    assert data["lastFour"] == data["fullKey"][-4:]
    assert data["expiresAt"] is data["revokedAt"] is data["lastUsedAt"] is None
    listed = paying.get(KEYS).json()["data"]
    assert [each.keys() for each in listed] == [RECORD]
    assert data["fullKey"] not in str(ApiKey.objects.values())
    assert ApiKey.objects.get().digest == hashlib.sha256(data["fullKey"].encode()).hexdigest()


@pytest.mark.parametrize("days", [1, 365])
def test_an_expiry_is_kept(paying: Person, days: int) -> None:
    data = paying.post(KEYS, {"name": "x", "expiresInDays": days}).json()["data"]
    key = ApiKey.objects.get(pk=data["id"])
    assert key.expires_at == key.created_at + timedelta(days=days)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "name"),
        ({"name": ""}, "name"),
        ({"name": "   "}, "name"),
        ({"name": "n" * 101}, "name"),
        ({"name": 5}, "name"),
        ({"name": None}, "name"),
        ({"name": "x", "expiresInDays": 0}, "expiresInDays"),
        ({"name": "x", "expiresInDays": 366}, "expiresInDays"),
        ({"name": "x", "expiresInDays": 1.5}, "expiresInDays"),
        ({"name": "x", "expiresInDays": "7"}, "expiresInDays"),
        ({"name": "x", "expiresInDays": True}, "expiresInDays"),
        ({"name": "x", "expiresInDays": 10**400}, "expiresInDays"),
        ({"name": "x", "scopes": []}, "scopes"),
        ({"name": "x", "scopes": "read"}, "scopes"),
        ({"name": "x", "scopes": ["write"]}, "scopes.0"),
        ({"name": "x", "scopes": ["read", "read", "read"]}, "scopes"),
    ],
)
def test_a_bad_body_names_the_field(paying: Person, body: dict[str, object], field: str) -> None:
    answer = paying.post(KEYS, body)
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert [each["field"] for each in answer.json()["details"]] == [field]


def test_a_name_of_a_hundred_characters_is_taken(paying: Person) -> None:
    assert paying.post(KEYS, {"name": "名" * 100}).status_code == 201


def test_a_plan_without_api_access_makes_no_key(free: Person) -> None:
    answer = free.post(KEYS, {"name": "x"})
    assert (answer.status_code, answer.json()["code"]) == (403, "API_KEYS_REQUIRE_PAID_PLAN")


def test_only_active_keys_count_against_the_allowance(db: None) -> None:
    user = make_user("starter")
    person = with_token(user)
    ids = [person.post(KEYS, {"name": f"k{number}"}).json()["data"]["id"] for number in range(3)]
    refused = person.post(KEYS, {"name": "one more"})
    assert (refused.status_code, refused.json()["code"]) == (403, "API_KEY_LIMIT_REACHED")
    assert refused.json()["meta"] == {"limit": 3, "plansUrl": "/plans"}
    person.post(f"{KEYS}/{ids[0]}/revoke")
    assert person.post(KEYS, {"name": "again"}).status_code == 201
    ApiKey.objects.filter(pk=ids[1]).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert person.post(KEYS, {"name": "again"}).status_code == 201
    assert person.post(KEYS, {"name": "again"}).status_code == 403


def test_an_override_of_the_allowance_counts(db: None) -> None:
    user = make_user("free")
    LimitOverride.objects.create(user=user, api_access=True, api_keys=1)
    person = with_token(User.objects.get(pk=user.pk))
    assert [person.post(KEYS, {"name": "x"}).status_code for _ in range(2)] == [201, 403]


def test_the_list_has_the_account_s_keys_newest_first_including_inactive_ones(paying: Person, other: Person) -> None:
    ids = [paying.post(KEYS, {"name": str(number)}).json()["data"]["id"] for number in range(3)]
    other.post(KEYS, {"name": "not yours"})
    paying.post(f"{KEYS}/{ids[1]}/revoke")
    assert [each["id"] for each in paying.get(KEYS).json()["data"]] == ids[::-1]


def test_a_revoked_key_is_refused_from_the_next_request_on(paying: Person, program: Person) -> None:
    key = ApiKey.objects.get()
    assert program.get("/account").status_code == 200
    first = paying.post(f"{KEYS}/{key.pk}/revoke")
    assert first.status_code == 200
    assert first.json()["data"]["revokedAt"].endswith("Z")
    assert program.get("/account").status_code == 401
    second = paying.post(f"{KEYS}/{key.pk}/revoke")
    assert (second.status_code, second.json()["data"]["revokedAt"]) == (200, first.json()["data"]["revokedAt"])


@pytest.mark.parametrize("id", ["0b5c1a52-6f0e-4f58-9d2c-6a1f4d1c2b3a", "no-uuid", "1", "%00", "x" * 400])
def test_revoking_an_unknown_key_is_not_found(paying: Person, id: str) -> None:
    answer = paying.post(f"{KEYS}/{id}/revoke")
    assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND")


def test_another_account_s_key_is_not_found_and_stays(other: Person, program: Person) -> None:
    answer = other.post(f"{KEYS}/{ApiKey.objects.get().pk}/revoke")
    assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND")
    assert program.get("/account").status_code == 200


@pytest.mark.parametrize(
    "path", [KEYS, "/converter/history", "/converter/stats", "/converter/history/0b5c1a52-6f0e-4f58-9d2c-6a1f4d1c2b3a"]
)
def test_a_key_is_refused_where_a_jwt_is_required(program: Person, path: str) -> None:
    answer = program.get(path)
    assert (answer.status_code, answer.json()["code"]) == (401, "UNAUTHORIZED")


@pytest.mark.parametrize("path", [KEYS, "/converter/history", "/converter/stats", "/account"])
def test_guests_cannot_manage_keys(guest: Person, path: str) -> None:
    assert guest.get(path).status_code == 401


def test_an_expired_key_is_refused(program: Person) -> None:
    ApiKey.objects.update(expires_at=timezone.now())
    assert program.get("/account").status_code == 401


def test_the_key_of_an_inactive_account_is_refused(program: Person) -> None:
    User.objects.update(is_active=False)
    assert program.get("/account").status_code == 401


def test_a_key_of_an_account_without_a_paid_plan_gets_its_own_error(program: Person) -> None:
    User.objects.update(plan=Plan.objects.get(code="free"))
    answer = program.get("/account")
    assert (answer.status_code, answer.json()["code"]) == (403, "API_KEYS_REQUIRE_PAID_PLAN")


def test_last_use_is_written_once_a_minute(program: Person, django_assert_num_queries: object) -> None:
    program.get("/account")
    first = ApiKey.objects.get().last_used_at
    assert first is not None
    program.get("/account")
    assert ApiKey.objects.get().last_used_at == first
    ApiKey.objects.update(last_used_at=first - timedelta(seconds=61))
    program.get("/account")
    latest = ApiKey.objects.get().last_used_at
    assert latest is not None
    assert latest > first - timedelta(seconds=61)


@pytest.mark.django_db
def test_a_mistyped_key_costs_no_query(django_assert_num_queries: object, guest: Person) -> None:
    secret = secrets.new_secret()
    mistyped = [secret[:-1], secret + "0", secret[:-1] + ("0" if secret[-1] != "0" else "1"), "fc_" + "é" * 40]
    swapped = next(at for at in range(4, 36) if secret[at] != secret[at + 1])
    mistyped.append(secret[:swapped] + secret[swapped + 1] + secret[swapped] + secret[swapped + 2 :])
    with django_assert_num_queries(0):  # type: ignore[operator]
        assert [ApiKey.for_secret(each) for each in mistyped] == [None] * 5


@pytest.mark.django_db
def test_checking_a_key_is_one_query(django_assert_num_queries: object) -> None:
    _, secret = ApiKey.issue(make_user("pro"), name="x")
    with django_assert_num_queries(1):  # type: ignore[operator]
        key = ApiKey.for_secret(secret)
        assert key is not None
        assert (key.user.plan.code, hasattr(key.user, "override")) == ("pro", False)


def test_keys_are_all_different_and_pass_their_own_check() -> None:
    made = {secrets.new_secret() for _ in range(1_000)}
    assert len(made) == 1_000
    assert all(secrets.is_secret(each) and re.fullmatch(r"fc_[0-9A-Za-z]{40}", each) for each in made)


def test_a_key_sees_nothing_of_other_accounts(program: Person, other: Person) -> None:
    theirs = with_key(other.account)
    assert theirs.get("/account").json()["data"]["user"]["email"] == "other@example.org"
    assert program.get("/account").json()["data"]["user"]["email"] == "paying@example.org"
