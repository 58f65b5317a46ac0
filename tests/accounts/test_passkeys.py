"""Passkeys: added after reauthentication, used to log in and as a second factor; copies and replays are refused."""

from __future__ import annotations

import io
import json
import re
import zipfile
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections
from django.test import Client

from accounts import deactivation
from accounts.login import factors
from accounts.login.devices import BrowserSession
from accounts.login.factors import RecoveryCode
from accounts.login.passkeys import LASTS, MAX_PASSKEYS, Passkey
from accounts.models import User
from backoffice.models import AuditEntry
from conversions.work import exporting
from tests.accounts.authenticator import Authenticator, asked
from tests.accounts.test_ends_of_logins import reset_by_mail
from tests.conftest import PASSWORD, make_user

ADA = "ada@example.org"
ADD, ENTER, STEP, CONFIRM = "/account/passkeys/add", "/login/passkey", "/login/key", "/account/confirm/passkey"
LOGIN = {"username": ADA, "password": PASSWORD, "next": "/plans"}
CODES = re.compile(r"\b[a-z2-9]{5}-[a-z2-9]{5}\b")


@pytest.fixture
def ada(transactional_db: None) -> User:
    return make_user("pro", ADA)


def at_home(user: User) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def add(browser: Client, key: Authenticator, name: str = "Phone") -> Any:
    return browser.post(ADD, {"name": name, "answer": key.made(asked(browser, ADD))})


@pytest.fixture
def key(ada: User) -> Authenticator:
    """One that counts, and that Ada's account knows."""
    key = Authenticator(step=1)
    add(at_home(ada), key)
    return key


def show(browser: Client, key: Authenticator, path: str, **more: Any) -> Any:
    return browser.post(path, {"answer": key.shown(asked(browser, path)), **more})


def is_in(browser: Client) -> bool:
    return bool(browser.get("/account").status_code == 200)


def test_the_first_passkey_comes_with_recovery_codes_and_is_required_after_the_password(ada: User) -> None:
    browser, key = at_home(ada), Authenticator()
    page = add(browser, key).content.decode()
    codes = CODES.findall(page.partition("<main")[2])
    assert len(codes) == RecoveryCode.objects.count() == 10
    assert add(browser, Authenticator(), "Second")["Location"] == "/account/factor"
    stranger = Client()
    assert stranger.post("/login", LOGIN)["Location"] == STEP
    assert not is_in(stranger)
    assert show(stranger, key, STEP)["Location"] == "/plans"
    assert is_in(stranger)
    other = Client()
    other.post("/login", LOGIN)
    assert other.post("/login/code", {"code": codes[0]})["Location"] == "/plans"


def test_a_user_verifying_passkey_logs_in_without_a_password(ada: User, key: Authenticator) -> None:
    browser = Client()
    assert show(browser, key, ENTER, next="/plans")["Location"] == "/plans"
    assert is_in(browser)
    key.verifies = False
    other = Client()
    assert show(other, key, ENTER).status_code == 200
    assert not is_in(other)
    other.post("/login", LOGIN)
    assert show(other, key, STEP)["Location"] == "/plans"


def test_someone_who_signed_up_with_another_s_address_keeps_no_access(ada: User, key: Authenticator) -> None:
    reset_by_mail(ada)
    browser = Client()
    assert show(browser, key, ENTER).status_code == 200
    assert not is_in(browser)
    kept = Authenticator()
    add(at_home(User.objects.get()), kept)
    reset_by_mail(ada)
    assert show(browser, kept, ENTER).status_code == 302


def test_a_passkey_response_works_once_and_only_for_its_challenge(ada: User, key: Authenticator) -> None:
    browser = Client()
    answer = key.shown(asked(browser, ENTER))
    kept = browser.cookies["sessionid"].value
    assert browser.post(ENTER, {"answer": answer}).status_code == 302
    other = Client()
    other.cookies["sessionid"] = kept
    assert other.post(ENTER, {"answer": answer}).status_code == 200
    asked(other, ENTER)
    assert other.post(ENTER, {"answer": answer}).status_code == 200
    other.post("/login", LOGIN)
    assert other.post(STEP, {"answer": key.shown(asked(other, ENTER))}).status_code == 200
    assert not is_in(other)


def test_of_parallel_uses_of_one_response_exactly_one_succeeds(ada: User) -> None:
    key = Authenticator()  # one that does not count, as those of phones
    add(at_home(ada), key)
    browser = Client()
    answer, session = key.shown(asked(browser, ENTER)), browser.cookies["sessionid"].value

    def use(_: int) -> bool:
        mine = Client()
        mine.cookies["sessionid"] = session
        try:
            return bool(mine.post(ENTER, {"answer": answer}).status_code == 302)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(use, range(6))) == 1


def test_a_passkey_submitted_twice_in_parallel_is_stored_once(ada: User) -> None:
    browser, key = at_home(ada), Authenticator()
    answer = key.made(asked(browser, ADD))
    session = browser.cookies["sessionid"].value

    def send(_: int) -> int:
        mine = Client()
        mine.cookies["sessionid"] = session
        try:
            page: str = mine.post(ADD, {"name": "Phone", "answer": answer}).content.decode()
            return len(CODES.findall(page.partition("<main")[2]))
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(send, range(6))) == [0, 0, 0, 0, 0, 10]
    assert Passkey.objects.count() == 1
    other = make_user("free", "eve@example.org")
    assert add(at_home(other), key).status_code == 200
    assert Passkey.objects.count() == 1


@pytest.mark.parametrize("origin", ["http://evil.example", "https://testserver", "http://testserver:81", "", "null"])
def test_a_response_for_another_site_is_rejected(ada: User, key: Authenticator, origin: str) -> None:
    browser = Client()
    assert browser.post(ENTER, {"answer": key.shown(asked(browser, ENTER), origin)}).status_code == 200
    assert not is_in(browser)
    mine = at_home(ada)
    assert mine.post(ADD, {"name": "x", "answer": Authenticator().made(asked(mine, ADD), origin)}).status_code == 200
    assert Passkey.objects.count() == 1


def test_a_trusted_origin_is_accepted(ada: User, settings: Any) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://testserver"]
    mine, key = at_home(ada), Authenticator()
    answer = key.made(asked(mine, ADD), "https://testserver")
    assert mine.post(ADD, {"name": "x", "answer": answer}).status_code == 200
    assert Passkey.objects.count() == 1


def test_a_cloned_key_is_detected_by_its_counter(ada: User, key: Authenticator) -> None:
    copy = Authenticator(count=0, step=1, owner=key.owner, name=key.name, key=key.key)
    for _ in range(2):
        assert show(Client(), key, ENTER).status_code == 302
    browser = Client()
    assert show(browser, copy, ENTER).status_code == 200
    copy.step = copy.count = 0
    assert show(browser, copy, ENTER).status_code == 200
    assert not is_in(browser)
    assert show(browser, key, ENTER).status_code == 302


def test_a_wrong_key_signature_owner_or_site_is_rejected(ada: User, key: Authenticator) -> None:
    eve = make_user("free", "eve@example.org")
    hers = Authenticator()
    add(at_home(eve), hers)
    browser = Client()
    for wrong in (
        Authenticator(name=key.name, owner=key.owner),
        Authenticator(name=key.name, owner=key.owner, key=key.key, host="evil.example"),
        Authenticator(name=key.name, owner=eve.pk.bytes, key=key.key),
        Authenticator(),
    ):
        wrong.count = 99
        assert show(browser, wrong, ENTER).status_code == 200
    assert not is_in(browser)
    browser.post("/login", LOGIN)
    assert show(browser, hers, STEP).status_code == 200
    assert not is_in(browser)


def test_malformed_passkey_responses_are_refused(ada: User, key: Authenticator) -> None:
    nested = "A" + "gYGBgYGB" * 1500
    broken = ["", "[]", "{", "null", "[" * 5000, "x" * 30_000, '{"rawId": 5}', '{"rawId": "AA"}']
    broken += [r'{"rawId": "\u0000"}', r'{"rawId": "\ud800"}', '{"rawId": "' + "A" * 15_000 + '"}']
    browser, mine = Client(), at_home(ada)
    for field in ("authenticatorData", "clientDataJSON", "signature", "userHandle"):
        for value in (b"", b"\x00", b"\xff" * 200, b"\x81" * 4000, b'{"type": 1}', b"{}", b"[]"):
            broken.append(key.shown(asked(browser, ENTER), **{field: value}))
    broken.append(key.shown(asked(browser, ENTER)).replace('"signature"', '"nothing"'))
    for each in broken:
        asked(browser, ENTER)
        assert browser.post(ENTER, {"answer": each}, REMOTE_ADDR="10.0.0.1").status_code in (200, 429)
    for value in (nested, "", "AA", "oA", "o2NmbXQ", "____"):
        options = asked(mine, ADD)
        answer = json.loads(Authenticator().made(options))
        answer["response"]["attestationObject"] = value
        assert mine.post(ADD, {"name": "x", "answer": json.dumps(answer)}).status_code in (200, 429)
    assert (is_in(browser), Passkey.objects.count()) == (False, 1)


@pytest.mark.parametrize(("size", "stored"), [(1, 1), (1023, 1), (1024, 0), (3000, 0)])
def test_a_passkey_with_too_long_an_id_is_refused(ada: User, size: int, stored: int) -> None:
    assert add(at_home(ada), Authenticator(name=b"n" * size)).status_code == 200
    assert Passkey.objects.count() == stored


def test_a_challenge_expires_after_five_minutes(ada: User, key: Authenticator, clock: Any) -> None:
    browser = Client()
    answer = key.shown(asked(browser, ENTER))
    clock.set(seconds=LASTS + 1)
    assert browser.post(ENTER, {"answer": answer}).status_code == 200
    assert show(browser, key, ENTER).status_code == 302


@pytest.mark.usefixtures("one_window")
def test_passkey_attempts_are_rate_limited_like_passwords(ada: User, key: Authenticator, settings: Any) -> None:
    browser = Client()
    wrong = Authenticator(name=key.name)
    assert [show(browser, wrong, ENTER).status_code for _ in range(10)] == [200] * 9 + [429]
    assert show(browser, key, ENTER).status_code == 429
    settings.LOGIN_RATE_ADDRESS = "2/m"
    unknown = [show(Client(), Authenticator(), ENTER).status_code for _ in range(3)]
    assert unknown == [200, 200, 429]


@pytest.mark.usefixtures("one_window")
def test_strangers_store_a_limited_number_of_sessions(ada: User, settings: Any) -> None:
    settings.SESSION_RATE_ADDRESS = "3/m"
    assert [Client().get(ENTER).status_code for _ in range(5)] == [200] * 3 + [429] * 2
    refused = Client().post(ENTER, {"answer": "{}"})
    assert (refused.status_code, refused["Retry-After"].isdigit()) == (429, True)
    assert BrowserSession.objects.count() == 3


def test_adding_and_removing_requires_reauthentication_which_an_existing_passkey_provides(
    ada: User, key: Authenticator
) -> None:
    browser = at_home(ada)
    session = browser.session
    session["sure_at"] = 0.0
    session.save()
    remove = f"/account/passkeys/{Passkey.objects.get().pk}/remove"
    for answer in (browser.get(ADD), browser.post(ADD), browser.post(remove)):
        assert answer["Location"].startswith("/account/confirm")
    assert show(browser, key, CONFIRM, next="x")["Location"] == "/account"
    assert show(browser, key, CONFIRM, next=ADD)["Location"] == ADD
    assert browser.get(ADD).status_code == 200
    assert at_home(make_user("free")).post(remove).status_code == 302
    assert Passkey.objects.count() == 1
    browser.post(remove)
    assert not factors.has_factor(ada)
    assert not RecoveryCode.objects.exists()
    assert Client().post("/login", LOGIN)["Location"] == "/plans"


def test_the_number_of_passkeys_is_limited(ada: User) -> None:
    Passkey.objects.bulk_create(
        Passkey(user=ada, credential=f"{each:04}", name=str(each)) for each in range(MAX_PASSKEYS)
    )
    assert add(at_home(ada), Authenticator()).status_code == 200
    assert Passkey.objects.count() == MAX_PASSKEYS


def test_the_api_accepts_a_recovery_code_from_an_account_with_only_a_passkey(ada: User, key: Authenticator) -> None:
    def log_in(**more: str) -> tuple[int, str]:
        body = {"email": ADA, "password": PASSWORD, **more}
        answer = Client().post("/api/v1/auth/login", body, content_type="application/json")
        return answer.status_code, answer.json().get("code", "")

    code = factors.renew_codes(ada)[0]
    assert log_in() == (401, "SECOND_FACTOR_REQUIRED")
    assert log_in(code=code) == (200, "")
    assert log_in(code=code) == (401, "UNAUTHORIZED")


def test_a_passkey_admits_staff_to_the_admin_and_the_last_cannot_be_removed(ada: User, settings: Any) -> None:
    User.objects.filter(pk=ada.pk).update(is_staff=True, is_superuser=True)
    settings.STAFF_SECOND_FACTOR = True
    browser, key = Client(), Authenticator()
    browser.post("/login", LOGIN)
    assert browser.get("/admin/", follow=True).redirect_chain[-1][0] == "/account/factor"
    add(browser, key)
    assert browser.get("/admin/").status_code == 200
    browser.post(f"/account/passkeys/{Passkey.objects.get().pk}/remove")
    assert Passkey.objects.count() == 1
    other = Client()
    assert show(other, key, ENTER, next="/admin/")["Location"] == "/admin/"
    assert other.get("/admin/").status_code == 200


def test_staff_can_remove_a_passkey_and_it_is_audited(ada: User, key: Authenticator, staff: Client) -> None:
    row = Passkey.objects.get()
    assert ADA in staff.get("/admin/accounts/passkey/").content.decode()
    page = staff.get(f"/admin/accounts/passkey/{row.pk}/change/").content.decode()
    assert row.public_key not in page
    assert staff.post(f"/admin/accounts/passkey/{row.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not factors.has_factor(ada)
    assert AuditEntry.objects.filter(object_id=str(row.pk), model="accounts.passkey").exists()


def test_passkeys_are_exported_and_deleted_with_the_account(ada: User, key: Authenticator) -> None:
    row = Passkey.objects.get()
    with zipfile.ZipFile(io.BytesIO(b"".join(exporting.export(ada)))) as archive:
        exported = archive.read("factors.json").decode()
    assert json.loads(exported)["passkeys"][0]["name"] == "Phone"
    assert row.public_key not in exported
    deactivation.deactivate(ada)
    browser = Client()
    assert show(browser, key, ENTER)["Location"] == "/login/restore"
    assert not is_in(browser)
    deactivation.erase_access(ada)
    assert not Passkey.objects.exists()
    assert show(Client(), key, ENTER).status_code == 200
