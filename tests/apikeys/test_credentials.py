"""Keys, access tokens and sessions: which takes precedence, where each is sent, and when it ends."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.login import tokens
from accounts.models import LimitOverride, Plan, User
from apikeys import secrets
from apikeys.models import ApiKey
from conversions.models import Conversion
from conversions.work import runner
from conversions.work.account_deletion import delete_account
from storage.models import StoredFile
from tests.conftest import Person, make_user, with_key, with_token
from tests.conversions.samples import PEOPLE

KEYS = "/integrations/api-keys"
MIXED = ["/account", "/converter/guest-quota", "/converter/formats", "/files/" + "0" * 32 + ".csv"]
"""Routes that read credentials; what they answer without any differs."""


def secret_of(person: Person) -> str:
    return person.headers["Authorization"].removeprefix("Bearer ")


def in_header(person: Person) -> Person:
    """The same key in a header of its own."""
    return Person(person.user, {"X-API-Key": secret_of(person)}, Client())


def with_session(user: User) -> Person:
    client = Client()
    client.force_login(user)
    return Person(user, {}, client)


def code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_a_key_in_its_own_header_converts_for_its_account_only(program: Person, guest: Person) -> None:
    person = in_header(program)
    made = person.convert("json-to-csv", PEOPLE)
    assert made.status_code == 201
    assert "X-Credits-Remaining" in made
    assert Conversion.objects.get().owner == StoredFile.objects.get().owner == program.user
    url = made.json()["data"]["downloadUrl"]
    assert person.download(url)
    assert code(guest.client.get(url)) == (401, "UNAUTHORIZED")


def test_the_key_header_and_the_bearer_token_are_equivalent(program: Person) -> None:
    both = Person(program.user, program.headers | in_header(program).headers, Client())
    assert both.get("/account").status_code == 200
    padded = {"X-API-Key": f"  {secret_of(program)} ", "Authorization": f"bEARER   {secret_of(program)}"}
    assert Client().get("/api/v1/account", headers=padded).status_code == 200


@pytest.mark.parametrize("path", MIXED)
def test_a_bad_key_in_the_header_is_never_a_guest(guest: Person, path: str) -> None:
    for bad in ("fc_nonsense", secrets.new_secret(), "", "nonsense", "fc_ä", f"{secrets.new_secret()}, fc_x"):
        answer = guest.get(path, X_API_Key=bad)
        assert code(answer) == (401, "UNAUTHORIZED")
        assert answer["WWW-Authenticate"] == "Bearer"
    assert code(guest.convert("json-to-csv", PEOPLE, headers={"X-API-Key": secrets.new_secret()}))[0] == 401
    assert not Conversion.objects.exists()


def test_an_access_token_in_the_header_of_keys_is_refused(paying: Person, guest: Person) -> None:
    assert code(guest.get("/account", X_API_Key=secret_of(paying))) == (401, "UNAUTHORIZED")


@pytest.mark.parametrize("second", ["another key", "a token", "a bad key"])
def test_two_credentials_that_differ_are_refused(program: Person, paying: Person, second: str) -> None:
    other = {"another key": with_key(paying.account), "a token": paying}.get(second)
    bearer = other.headers["Authorization"] if other else "Bearer " + secrets.new_secret()
    person = Person(program.user, in_header(program).headers | {"Authorization": bearer}, Client())
    for answer in (person.get("/account"), person.get(KEYS), person.convert("json-to-csv", PEOPLE)):
        assert code(answer) == (400, "VALIDATION_ERROR")
        assert [each["field"] for each in answer.json()["details"]] == ["X-API-Key"]
    assert not Conversion.objects.exists()


def test_a_key_takes_precedence_over_the_session(program: Person, other: Person) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(other.account)
    for headers in (program.headers, in_header(program).headers):
        answer = client.get("/api/v1/account", headers=headers)
        assert answer.json()["data"]["user"]["email"] == program.account.email
    assert client.get("/api/v1/account", headers={"X-API-Key": "fc_x"}).status_code == 401


@pytest.mark.parametrize("path", [KEYS, "/converter/history", "/converter/stats"])
def test_a_route_for_people_refuses_every_key_alike(program: Person, path: str) -> None:
    assert code(in_header(program).get(path)) == (401, "UNAUTHORIZED")
    User.objects.update(plan=Plan.objects.get(code="free"))
    for person in (program, in_header(program)):
        assert code(person.get(path)) == (401, "UNAUTHORIZED")


def test_a_key_in_its_own_header_takes_one_query(program: Person, django_assert_num_queries: Any) -> None:
    program.get("/account")
    person = in_header(program)
    with django_assert_num_queries(1):
        assert person.get("/account").status_code == 200
    with django_assert_num_queries(0):
        assert person.get("/account", X_API_Key="fc_mistyped").status_code == 401


@pytest.mark.parametrize("header", ["Bearer \xff", "Bearer a.b.c", "Bearer é", "\xff", "Bearer fc_\xff" + "x" * 39])
def test_malformed_credential_bytes_are_refused(guest: Person, header: str) -> None:
    assert code(guest.get("/account", Authorization=header)) == (401, "UNAUTHORIZED")


def test_a_key_works_until_exactly_its_expiry(program: Person, monkeypatch: Any) -> None:
    moment = timezone.now().replace(microsecond=0) + timedelta(days=1)
    ApiKey.objects.update(expires_at=moment)
    seen = []
    for now in (moment - timedelta(microseconds=1), moment, moment + timedelta(microseconds=1)):
        monkeypatch.setattr("apikeys.models.timezone.now", lambda now=now: now)
        seen.append((ApiKey.for_secret(secret_of(program)) is not None, ApiKey.objects.active().count()))
    # Used and counted alike.
    assert seen == [(True, 1), (False, 0), (False, 0)]


def test_a_downgrade_disables_keys_and_an_upgrade_enables_them(program: Person) -> None:
    url = program.convert("json-to-csv", PEOPLE).json()["data"]["downloadUrl"]
    User.objects.update(plan=Plan.objects.get(code="free"))
    for person in (program, in_header(program)):
        for answer in (
            person.get("/account"),
            person.convert("json-to-csv", PEOPLE),
            person.client.get(url, headers=person.headers),
        ):
            assert code(answer) == (403, "API_KEYS_REQUIRE_PAID_PLAN")
    assert Conversion.objects.count() == 1
    assert with_token(program.account).get("/account").status_code == 200
    User.objects.update(plan=Plan.objects.get(code="starter"))
    assert program.get("/account").status_code == 200


def test_a_revoked_or_expired_key_of_a_downgraded_account_is_refused_as_such(program: Person) -> None:
    User.objects.update(plan=Plan.objects.get(code="free"))
    ApiKey.objects.update(revoked_at=timezone.now())
    assert code(program.get("/account")) == (401, "UNAUTHORIZED")


@pytest.mark.parametrize("allowed", [True, False])
def test_an_override_of_api_access_takes_precedence_over_the_plan(program: Person, allowed: bool) -> None:
    User.objects.update(plan=Plan.objects.get(code="starter" if not allowed else "free"))
    LimitOverride.objects.create(user=program.account, api_access=allowed)
    assert program.get("/account").status_code == (200 if allowed else 403)


def test_a_smaller_plan_keeps_existing_keys_but_allows_no_new_ones(db: None) -> None:
    """All keys go on: which of a person's programs should stop is not the service's to choose."""
    user = make_user("pro")
    people = [with_key(user) for _ in range(5)]
    User.objects.update(plan=Plan.objects.get(code="starter"))
    assert [each.get("/account").status_code for each in people] == [200] * 5
    owner = with_token(User.objects.get(pk=user.pk))
    refused = owner.post(KEYS, {"name": "sixth"})
    assert code(refused) == (403, "API_KEY_LIMIT_REACHED")
    assert refused.json()["meta"] == {"limit": 3, "plansUrl": "/plans"}
    ids = list(ApiKey.objects.values_list("pk", flat=True))
    for number, expected in enumerate([403, 403, 201]):
        owner.post(f"{KEYS}/{ids[number]}/revoke")
        assert owner.post(KEYS, {"name": "again"}).status_code == expected


DOORS: dict[str, Callable[[User], Person]] = {
    "key": with_key,
    "key in its own header": lambda user: in_header(with_key(user)),
    "token": with_token,
    "session": with_session,
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("path", ["/account", "/converter/formats"])
def test_a_disabled_account_is_refused_with_every_credential(db: None, door: str, path: str) -> None:
    person = DOORS[door](make_user("pro"))
    assert person.get(path).status_code == 200
    User.objects.update(is_active=False)
    answer = person.get(path)
    assert code(answer) == (401, "UNAUTHORIZED")
    assert answer["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("change", ["disabled", "a new password"])
def test_an_expired_session_does_not_silently_convert_as_a_guest(db: None, change: str) -> None:
    user = make_user("pro")
    person = with_session(user)
    if change == "disabled":
        user.is_active = False
    else:
        user.set_password("another long private phrase")
    user.save()
    assert code(person.convert("json-to-csv", PEOPLE)) == (401, "UNAUTHORIZED")
    assert not Conversion.objects.exists()
    # Now that the browser knows, it is anybody's.
    assert person.convert("json-to-csv", PEOPLE).status_code == 201


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("how", ["disabled", "closed"])
def test_an_account_closed_during_a_job_gets_no_result_and_no_charge(
    db: None, monkeypatch: pytest.MonkeyPatch, door: str, how: str
) -> None:
    """The account ends after the credential was read and before the result is recorded."""
    user = make_user("pro")
    person = DOORS[door](user)
    before = user.credits
    convert = runner.convert

    def end_meanwhile(*args: Any, **named: Any) -> Any:
        outcome = convert(*args, **named)
        if how == "closed":
            delete_account(User.objects.get(pk=user.pk))
        else:
            User.objects.filter(pk=user.pk).update(is_active=False)
        return outcome

    monkeypatch.setattr(runner, "convert", end_meanwhile)
    answer = person.convert("json-to-csv", PEOPLE)
    assert code(answer) == (401, "UNAUTHORIZED")
    assert not StoredFile.objects.exists()
    assert not Conversion.objects.exists()
    assert User.objects.get(pk=user.pk).credits == before
    monkeypatch.undo()
    assert person.get("/account").status_code == 401


def test_an_account_closed_between_two_refreshes_gets_no_tokens(db: None, guest: Person) -> None:
    user = make_user()
    pair = tokens.issue(user)
    User.objects.update(is_active=False)
    for _ in range(2):
        assert code(guest.post("/auth/refresh", {"refreshToken": pair.refresh})) == (401, "UNAUTHORIZED")
