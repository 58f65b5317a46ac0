"""Organisations: one account that several people act for, each as far as their role and their limit allow."""

from __future__ import annotations

import io
import re
import time
import uuid
from datetime import date, timedelta
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from accounts.credits import guests, ledger
from accounts.credits.members import memberships_of
from accounts.login import reauthentication
from accounts.models import CreditEntry, Figure, LimitOverride, Membership, Plan, Role, User
from accounts.people import organisations
from accounts.people.invitations import Invitation
from accounts.people.outbox import OUTBOX
from apikeys.models import ApiKey
from conversions.models import Conversion
from conversions.work import account_deletion
from storage import files
from teams import removal
from tests.conftest import PASSWORD, Person, make_user, with_key, with_token
from tests.conversions.samples import PEOPLE, pdf

BEYOND = {"email": "new@example.org", "role": "member"}


def found(owner: Person, plan: str = "pro") -> Membership:
    """An organisation of the owner's, on a plan."""
    made = organisations.create(owner.account, "Acme")
    ledger.change_plan(made.organisation, Plan.objects.get(code=plan), reason="")
    return made


def member_of(own: Membership, role: str = "member", limit: int | None = None) -> tuple[Person, Membership]:
    user = make_user("free")
    made = Membership.objects.create(organisation=own.organisation, member=user, role=role, monthly_credits=limit)
    return acting(with_token(user), own), made


def acting(person: Person, own: Membership) -> Person:
    return Person(person.user, {**person.headers, "X-Organisation": str(own.organisation_id)}, person.client)


def key_of(own: Membership, membership: Membership | None = None) -> tuple[Person, ApiKey]:
    owner = User.objects.get(pk=own.organisation_id)
    owner.acted_by = membership or own
    key, secret = ApiKey.issue(owner, name="tests")
    return Person(owner, {"Authorization": f"Bearer {secret}"}, Client()), key


def codes(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")


def invited(own: Membership, person: Person, email: str, role: str = "member") -> str:
    answer = person.post(f"/organisations/{own.organisation_id}/invitations", {"email": email, "role": role})
    assert answer.status_code == 201, answer.json()
    assert OUTBOX.flush(30)
    (code,) = re.findall(r"/teams/invitations/(\S+)", str(mail.outbox[-1].body))
    return str(code)


def test_whoever_creates_an_organisation_owns_it(paying: Person) -> None:
    before = sum(each.number for each in Figure.objects.filter(name="sign-ups"))
    answer = paying.post("/organisations", {"name": "Acme"})
    assert answer.status_code == 201
    data = answer.json()["data"]
    assert (data["name"], data["role"], data["plan"]) == ("Acme", "owner", "Free")
    assert paying.get("/organisations").json()["data"] == [paying.get(f"/organisations/{data['id']}").json()["data"]]
    assert sum(each.number for each in Figure.objects.filter(name="sign-ups")) == before


def test_the_page_says_what_happens_to_a_paid_plan_before_and_it_does(paying: Person, free: Person) -> None:
    said = "The organisation starts on the Free plan, and your Pro plan stays with your own account."
    for person, shown in ((paying, True), (free, False)):
        person.client.force_login(person.account)
        assert (said in person.client.get("/teams").content.decode()) is shown
        assert person.client.post("/teams", {"name": "Acme"}).status_code == 302
    (made,) = memberships_of(paying.account)
    assert (made.organisation.plan.code, User.objects.get(pk=paying.account.pk).plan.code) == ("free", "pro")


def test_a_new_one_has_the_credits_of_its_plan_wherever_it_is_shown(paying: Person) -> None:
    made = paying.post("/organisations", {"name": "Acme"}).json()["data"]
    assert made["credits"] == 100
    User.objects.filter(pk=made["id"]).update(monthly_credits=3, period=date(2026, 1, 1))
    (listed,) = paying.get("/organisations").json()["data"]
    assert listed["credits"] == 100


def test_the_number_of_created_organisations_is_limited(paying: Person) -> None:
    made = [paying.post("/organisations", {"name": f"Acme {number}"}) for number in range(4)]
    assert [each.status_code for each in made] == [201, 201, 201, 403]
    own = memberships_of(paying.account).first()
    assert own is not None
    acting(paying, own).get("/account")  # this month's credits
    account_deletion.deactivate(own.organisation)
    assert codes(paying.post("/organisations", {"name": "Acme 5"})) == (403, "ACCESS_DENIED")


def test_only_a_confirmed_account_can_create_one(free: Person, settings: Any) -> None:
    settings.EMAIL_VERIFICATION = "required"
    User.objects.filter(pk=free.account.pk).update(unconfirmed_since="2026-01-01T00:00Z")
    assert codes(free.post("/organisations", {"name": "Acme"})) == (401, "UNAUTHORIZED")


def test_what_a_member_converts_is_the_organisation_s_and_says_who(paying: Person) -> None:
    own = found(paying)
    colleague, _ = member_of(own)
    before = own.organisation.credits
    made = colleague.convert("json-to-csv", PEOPLE)
    assert made.status_code == 201
    row = Conversion.objects.get()
    assert (row.owner, row.made_by, row.plan) == (own.organisation, colleague.user, "pro")
    own.organisation.refresh_from_db()
    assert own.organisation.credits == before - row.credits
    assert CreditEntry.objects.get(kind="conversion").user == own.organisation
    shown = acting(paying, own).get("/converter/history").json()["data"]
    assert [each["madeBy"] for each in shown] == [colleague.account.email]
    assert paying.get("/converter/history").json()["data"] == []
    assert colleague.download(made.json()["data"]["downloadUrl"])
    alone = with_token(colleague.account)
    assert codes(alone.client.get(made.json()["data"]["downloadUrl"], headers=alone.headers)) == (403, "ACCESS_DENIED")


def test_a_record_without_an_organisation_says_nothing_of_members(paying: Person) -> None:
    paying.convert("json-to-csv", PEOPLE)
    assert "madeBy" not in paying.get("/converter/history").json()["data"][0]


def test_a_member_s_limit_is_exact(paying: Person) -> None:
    own = found(paying)
    colleague, membership = member_of(own, limit=2)
    answers = [colleague.convert("json-to-csv", PEOPLE, name=f"{number}.json") for number in range(3)]
    assert [each.status_code for each in answers] == [201, 201, 402]
    assert answers[-1].json()["meta"]["remainingCredits"] == 0
    program, _ = key_of(own, membership)
    assert codes(program.convert("json-to-csv", PEOPLE)) == (402, "PAYMENT_REQUIRED")
    membership.refresh_from_db()
    assert (membership.used, Conversion.objects.count()) == (2, 2)
    Membership.objects.filter(pk=membership.pk).update(period="2020-01-01")
    assert colleague.convert("json-to-csv", PEOPLE).status_code == 201


def test_a_viewer_can_only_view(paying: Person) -> None:
    own = found(paying)
    url = acting(paying, own).convert("json-to-csv", PEOPLE).json()["data"]["downloadUrl"]
    viewer, membership = member_of(own, "viewer")
    assert viewer.get("/converter/history").json()["meta"]["total"] == 1
    assert viewer.get("/converter/stats").json()["data"]["totals"]["conversions"] == 1
    assert viewer.download(url)
    refused = [
        viewer.convert("json-to-csv", PEOPLE),
        viewer.convert("json-to-csv", PEOPLE, dryRun="1"),
        viewer.post("/integrations/api-keys", {"name": "mine"}),
        viewer.client.delete(url, headers=viewer.headers),
        viewer.post(f"/organisations/{own.organisation_id}/invitations", BEYOND),
        viewer.request("PATCH", f"/organisations/{own.organisation_id}/members/{membership.pk}", {"role": "owner"}),
        viewer.request("PATCH", f"/organisations/{own.organisation_id}", {"name": "Mine"}),
        viewer.request("DELETE", f"/organisations/{own.organisation_id}"),
    ]
    assert {codes(each) for each in refused} == {(403, "ACCESS_DENIED")}
    assert viewer.download(url)


def test_a_viewer_does_not_take_a_file_that_can_be_downloaded_once(paying: Person) -> None:
    own = found(paying)
    owner = acting(paying, own)
    url = owner.convert("json-to-csv?retention=0", PEOPLE).json()["data"]["downloadUrl"]
    viewer, _ = member_of(own, "viewer")
    browser = Client()
    browser.force_login(viewer.account)
    browser.post("/teams/switch", {"organisation": str(own.organisation_id)})
    for answer in (viewer.client.get(url, headers=viewer.headers), browser.get(url)):
        assert codes(answer) == (403, "ACCESS_DENIED")
    assert browser.get(url, headers={"Accept": "text/html"}).status_code == 403
    assert viewer.client.head(url, headers=viewer.headers).status_code == 200
    assert owner.download(url)


def test_a_key_of_someone_who_became_a_viewer_is_refused(paying: Person) -> None:
    own = found(paying)
    _, membership = member_of(own)
    program, _ = key_of(own, membership)
    assert program.convert("json-to-csv", PEOPLE).status_code == 201
    organisations.change(membership, role="viewer", monthly_credits=None)
    assert codes(program.convert("json-to-csv", PEOPLE)) == (403, "ACCESS_DENIED")


def test_keys_of_someone_whose_account_staff_have_closed_are_refused(paying: Person) -> None:
    """Otherwise an account that is closed goes on by an organisation of its own."""
    own = found(paying)
    mine, _ = key_of(own, own)
    _, membership = member_of(own)
    theirs, _ = key_of(own, membership)
    User.objects.filter(pk=paying.account.pk).update(is_active=False)
    assert codes(mine.convert("json-to-csv", PEOPLE)) == (401, "UNAUTHORIZED")
    assert theirs.convert("json-to-csv", PEOPLE).status_code == 201
    User.objects.filter(pk=paying.account.pk).update(is_active=True)
    assert mine.convert("json-to-csv", PEOPLE).status_code == 201


def test_keys_that_somebody_left_behind_stop_when_staff_close_their_account(paying: Person, staff: Client) -> None:
    own = found(paying)
    person, membership = member_of(own)
    key, row = key_of(own, membership)
    leaver = person.account

    def action(name: str) -> None:
        chosen = {"action": name, "_selected_action": str(leaver.pk)}
        assert staff.post("/admin/accounts/user/", chosen).status_code == 302

    def status() -> int:
        return int(key.get("/account").status_code)

    removal.leave(membership)
    assert status() == 200
    User.objects.filter(pk=leaver.pk).update(is_active=False)
    assert status() == 401
    User.objects.filter(pk=leaver.pk).update(is_active=True)
    assert status() == 200
    account_deletion.deactivate(leaver)
    assert status() == 200
    action("keep_closed")
    assert status() == 401
    account_deletion.delete_due(timezone.now() + timedelta(days=15))
    row.refresh_from_db()
    assert (status(), row.revoked_at is not None, row.created_by) == (401, True, None)


def test_a_key_stays_with_the_organisation_after_its_creator_s_account_is_deleted(paying: Person) -> None:
    own = found(paying)
    person, membership = member_of(own)
    key, row = key_of(own, membership)
    account_deletion.deactivate(person.account)
    account_deletion.delete_due(timezone.now() + timedelta(days=15))
    row.refresh_from_db()
    assert (key.get("/account").status_code, row.created_by) == (200, None)


def test_the_creators_of_earlier_keys_are_known_while_they_are_members(paying: Person) -> None:
    own = found(paying)
    person, membership = member_of(own)
    _, row = key_of(own, membership)
    ApiKey.objects.update(created_by=None)
    import_module("apikeys.migrations.0006_known_creators").fill(apps, None)
    row.refresh_from_db()
    assert row.created_by == person.account


def test_members_see_their_own_keys_and_owners_all(paying: Person) -> None:
    own = found(paying)
    colleague, _ = member_of(own)
    acting(paying, own).post("/integrations/api-keys", {"name": "owner's"})
    made = colleague.post("/integrations/api-keys", {"name": "colleague's"})
    assert made.status_code == 201
    listed = [[key["name"] for key in each.get("/integrations/api-keys").json()["data"]] for each in (
        colleague, acting(paying, own), paying)]  # fmt: skip
    assert listed == [["colleague's"], ["colleague's", "owner's"], []]
    foreign = ApiKey.objects.get(name="owner's")
    assert codes(colleague.post(f"/integrations/api-keys/{foreign.pk}/revoke")) == (404, "NOT_FOUND")


@pytest.mark.parametrize("keep", [True, False])
def test_a_removed_member_loses_access_immediately_and_keys_stay_if_the_owner_chooses(
    paying: Person, keep: bool
) -> None:
    own = found(paying)
    colleague, membership = member_of(own)
    program, key = key_of(own, membership)
    browser = Client()
    browser.force_login(colleague.account)
    browser.post("/teams/switch", {"organisation": str(own.organisation_id)})
    answer = paying.post(f"/organisations/{own.organisation_id}/members/{membership.pk}/remove", {"keepKeys": keep})
    assert answer.status_code == 200
    assert codes(colleague.get("/converter/history")) == (403, "ACCESS_DENIED")
    assert browser.get("/api/v1/account").json()["data"]["user"]["email"] == colleague.account.email
    assert browser.get(f"/teams/{own.organisation_id}").status_code == 404
    key.refresh_from_db()
    assert (key.revoked_at is None, key.member) == (keep, None)
    assert program.convert("json-to-csv", PEOPLE).status_code == (201 if keep else 401)


@pytest.mark.parametrize("path", ["/convert/json-to-csv", "/api/v1/converter/json-to-csv"])
def test_a_removed_member_does_not_pay_for_what_was_meant_for_the_organisation(paying: Person, path: str) -> None:
    own = found(paying)
    colleague, membership = member_of(own)
    browser = Client()
    browser.force_login(colleague.account)
    browser.post("/teams/switch", {"organisation": str(own.organisation_id)})
    before = User.objects.get(pk=colleague.account.pk).credits
    removal.remove_member(membership, keep_keys=False)

    def send() -> Any:
        return browser.post(path, {"file": SimpleUploadedFile("people.json", PEOPLE)})

    assert send().status_code == 403
    assert User.objects.get(pk=colleague.account.pk).credits == before
    assert send().status_code in (201, 302)
    assert User.objects.get(pk=colleague.account.pk).credits == before - 1


def seconds_of(person: Person) -> dict[str, Any]:
    found: dict[str, Any] = person.get("/account").json()["data"]["usage"]["failedSeconds"]
    return found


def use_up(row: User | Membership, seconds: int) -> None:
    type(row)._base_manager.filter(pk=row.pk).update(failed_on=guests.today(), failed_ms=seconds * 1000)


@pytest.mark.parametrize("limit", [None, 50])
@pytest.mark.parametrize("with_a_key", [False, True])
def test_failed_work_counts_on_member_and_organisation_and_never_on_the_person(
    paying: Person, limit: int | None, with_a_key: bool
) -> None:
    own = found(paying)
    person, membership = member_of(own, limit=limit)
    caller = key_of(own, membership)[0] if with_a_key else person
    assert caller.convert("json-to-csv?dryRun=1", PEOPLE).status_code == 200
    assert caller.convert("json-to-csv", b"[1,").status_code == 422
    private, organisation = (User.objects.get(pk=each.pk) for each in (person.account, own.organisation))
    membership.refresh_from_db()
    assert private.failed_ms is None
    assert organisation.failed_ms == membership.failed_ms
    assert (organisation.failed_ms or 0) >= 100
    assert seconds_of(caller)["used"] == (organisation.failed_ms or 0) / 1000


@pytest.mark.parametrize(
    ("limit", "share"), [(None, 3_600), (20_000, 1_800), (10_000, 1_800), (1_000, 360), (50, 180), (0, 180)]
)
def test_a_member_with_a_limit_may_use_a_share_of_the_free_processor_time(
    paying: Person, limit: int | None, share: int
) -> None:
    """Of Pro, with 10,000 credits a month and 3,600 seconds a day."""
    own = found(paying)
    person, _ = member_of(own, limit=limit)
    assert (seconds_of(person)["limit"], seconds_of(person)["remaining"]) == (share, share)
    LimitOverride.objects.create(user=own.organisation, failed_seconds=100)
    assert seconds_of(person)["limit"] == (100 if limit is None else 50)


def test_a_member_who_has_used_up_their_share_stops_nobody_else(paying: Person) -> None:
    own = found(paying)
    limited, membership = member_of(own, limit=1_000)
    colleague, _ = member_of(own)
    program, _ = key_of(own, membership)
    use_up(membership, 360)
    use_up(own.organisation, 360)
    for each in (limited, program):
        answer = each.convert("json-to-csv", PEOPLE)
        assert codes(answer) == (429, "TOO_MANY_REQUESTS")
        assert answer.json()["meta"]["limit"] == 360
        assert "your 360 seconds" in answer.json()["message"]
        assert seconds_of(each)["remaining"] == 0
    assert colleague.convert("json-to-csv", PEOPLE).status_code == 201
    assert seconds_of(colleague)["remaining"] == 3_600 - 360
    assert with_token(limited.account).convert("json-to-csv", PEOPLE).status_code == 201
    organisations.change(membership, role="member", monthly_credits=2_000)
    assert limited.convert("json-to-csv", PEOPLE).status_code == 201


def test_what_the_organisation_has_used_up_no_share_of_it_gives(paying: Person) -> None:
    own = found(paying)
    limited, membership = member_of(own, limit=1_000)
    colleague, _ = member_of(own)
    use_up(own.organisation, 3_500)
    assert (seconds_of(limited)["used"], seconds_of(limited)["remaining"]) == (0, 100)
    use_up(own.organisation, 3_600)
    for each in (limited, colleague, key_of(own, membership)[0]):
        answer = each.convert("json-to-csv", PEOPLE)
        assert codes(answer) == (429, "TOO_MANY_REQUESTS")
        assert answer.json()["meta"]["limit"] == 3_600
        assert seconds_of(each)["remaining"] == 0


@pytest.mark.parametrize("way", ["page", "API", "closing"])
@pytest.mark.parametrize(
    ("role", "limit", "stays"),
    [("member", None, True), ("member", 0, False), ("member", 50, False), ("viewer", None, False)],
)
def test_leaving_revokes_keys_that_had_a_limit(
    paying: Person, way: str, role: str, limit: int | None, stays: bool
) -> None:
    own = found(paying)
    colleague, membership = member_of(own)
    program, key = key_of(own, membership)
    organisations.change(membership, role=role, monthly_credits=limit)
    if way == "closing":
        account_deletion.deactivate(colleague.account)
    elif way == "API":
        assert colleague.post(f"/organisations/{own.organisation_id}/leave").status_code == 200
    else:
        browser = Client()
        browser.force_login(colleague.account)
        assert browser.post(f"/teams/{own.organisation_id}/leave").status_code == 302
    key.refresh_from_db()
    assert (key.revoked_at is None, key.member) == (stays, None)
    assert program.convert("json-to-csv", PEOPLE).status_code == (201 if stays else 401)


def test_a_key_keeps_its_text_when_moved_to_an_organisation(paying: Person) -> None:
    own = found(paying)
    program = with_key(paying.account)
    key = ApiKey.objects.get()
    path = f"/integrations/api-keys/{key.pk}/move"
    other = found(with_token(make_user("pro")))
    assert codes(paying.post(path, {"organisation": str(other.organisation_id)})) == (403, "ACCESS_DENIED")
    assert codes(paying.post(path, {"organisation": "x"})) == (400, "VALIDATION_ERROR")
    assert paying.post(path, {"organisation": str(own.organisation_id)}).status_code == 200
    assert program.convert("json-to-csv", PEOPLE).status_code == 201
    assert Conversion.objects.get().owner == own.organisation
    assert codes(paying.post(path, {"organisation": str(own.organisation_id)})) == (404, "NOT_FOUND")


def test_an_invitation_is_mailed_and_accepted_once_by_its_address(paying: Person, other: Person) -> None:
    own = found(paying)
    code = invited(own, paying, "other@example.org", "viewer")
    assert code not in Invitation.objects.values_list("digest", flat=True)
    assert codes(paying.post("/organisations/join", {"code": code})) == (400, "VALIDATION_ERROR")
    assert other.post("/organisations/join", {"code": code}).json()["data"]["role"] == "viewer"
    again = other.post("/organisations/join", {"code": code})
    assert ([each["field"] for each in again.json()["details"]], again.status_code) == (["code"], 400)
    other.account.refresh_from_db()
    assert other.account.verified_at is not None


@pytest.mark.parametrize("gone", ["withdrawn", "expired", "closed", "replaced", "nonsense"])
def test_an_expired_invitation_is_refused(paying: Person, other: Person, gone: str) -> None:
    own = found(paying)
    code = invited(own, paying, "other@example.org")
    if gone == "withdrawn":
        waiting = paying.get(f"/organisations/{own.organisation_id}/invitations").json()["data"]
        path = f"/organisations/{own.organisation_id}/invitations/{waiting[0]['id']}"
        assert paying.request("DELETE", path).status_code == 200
    elif gone == "expired":
        Invitation.objects.update(expires_at="2020-01-01T00:00Z")
    elif gone == "closed":
        account_deletion.deactivate(own.organisation)
    elif gone == "replaced":
        invited(own, paying, "other@example.org")
    code = "nonsense" if gone == "nonsense" else code
    assert codes(other.post("/organisations/join", {"code": code})) == (400, "VALIDATION_ERROR")
    assert other.client.get(f"/teams/invitations/{code}").status_code == 410
    assert not Membership.objects.filter(member=other.account).exists()


def test_an_invitation_to_an_organisation_opens_no_account(paying: Person, guest: Person, settings: Any) -> None:
    code = invited(found(paying), paying, "new@example.org")
    settings.REGISTRATION = "invite"
    body = {"email": "new@example.org", "password": "a long and private phrase", "invitation": code}
    assert codes(guest.post("/auth/register", body)) == (400, "VALIDATION_ERROR")
    assert not User.objects.filter(email="new@example.org").exists()


def test_inviting_does_not_reveal_whether_an_address_has_an_account(paying: Person, other: Person) -> None:
    own = found(paying)
    path = f"/organisations/{own.organisation_id}/invitations"
    answers = [paying.post(path, {"email": each}) for each in ("other@example.org", "nobody@example.org")]
    kept = [{k: v for k, v in each.json()["data"].items() if k in ("role",)} for each in answers]
    assert (kept[0], answers[0].status_code) == (kept[1], answers[1].status_code)


def test_there_is_always_an_owner(paying: Person) -> None:
    own = found(paying)
    path = f"/organisations/{own.organisation_id}"
    assert codes(paying.post(f"{path}/leave")) == (403, "ACCESS_DENIED")
    assert codes(paying.request("PATCH", f"{path}/members/{own.pk}", {"role": "member"})) == (403, "ACCESS_DENIED")
    assert codes(paying.post(f"{path}/members/{own.pk}/remove")) == (403, "ACCESS_DENIED")
    with pytest.raises(IntegrityError), transaction.atomic():
        Membership.objects.filter(pk=own.pk).delete()
    heir, membership = member_of(own)
    assert paying.request("PATCH", f"{path}/members/{membership.pk}", {"role": "owner"}).status_code == 200
    assert paying.post(f"{path}/leave").status_code == 200
    assert codes(heir.post(f"{path}/leave")) == (403, "ACCESS_DENIED")


def test_the_last_owner_cannot_close_their_account(paying: Person) -> None:
    own = found(paying)
    with pytest.raises(organisations.LastOwner):
        account_deletion.deactivate(paying.account)
    paying.account.refresh_from_db()
    assert paying.account.is_active
    browser = Client()
    browser.force_login(paying.account)
    page = browser.post("/account/delete", {"password": PASSWORD})
    assert (page.status_code, "/teams" in page.content.decode()) == (400, True)
    member_of(own, Role.OWNER)
    account_deletion.deactivate(paying.account)
    assert not Membership.objects.filter(member=paying.account).exists()


def test_a_deleted_organisation_closes_immediately_and_can_be_restored_for_a_while(paying: Person) -> None:
    own = found(paying)
    program, _ = key_of(own)
    url = program.convert("json-to-csv", PEOPLE).json()["data"]["downloadUrl"]
    assert paying.request("DELETE", f"/organisations/{own.organisation_id}").status_code == 200
    assert program.get("/account").status_code == 401
    assert codes(acting(paying, own).get("/account")) == (403, "ACCESS_DENIED")
    browser = Client()
    browser.force_login(paying.account)
    assert browser.post(f"/teams/{own.organisation_id}/restore").status_code == 302
    assert acting(paying, own).download(url)
    account_deletion.deactivate(own.organisation)
    organisation = User.objects.get(pk=own.organisation_id)
    assert account_deletion.delete_account(organisation, due=organisation.deletes_at)
    assert not Membership.objects.filter(organisation=organisation).exists()
    organisation.refresh_from_db()
    assert sum(each.amount for each in CreditEntry.objects.filter(user=organisation)) == organisation.credits


def test_a_member_of_one_organisation_reaches_nothing_of_another(paying: Person, other: Person) -> None:
    own, foreign = found(paying), found(other)
    theirs = acting(other, foreign).convert("json-to-csv", PEOPLE).json()["data"]
    colleague, _ = member_of(own, "owner")
    stranger = Person(colleague.user, {**colleague.headers, "X-Organisation": str(foreign.organisation_id)}, Client())
    assert codes(stranger.get("/converter/history")) == (403, "ACCESS_DENIED")
    base = f"/organisations/{foreign.organisation_id}"
    asked = [
        colleague.get(base),
        colleague.get(f"{base}/members"),
        colleague.post(f"{base}/invitations", BEYOND),
        colleague.post(f"{base}/members/{foreign.pk}/remove"),
        colleague.post(f"/organisations/{own.organisation_id}/members/{foreign.pk}/remove"),
        colleague.get(f"/converter/history/{theirs['id']}"),
        colleague.get(f"/converter/history/{theirs['id']}/receipt"),
        colleague.get("/organisations/nonsense"),
    ]
    assert {codes(each) for each in asked} == {(404, "NOT_FOUND")}
    assert codes(colleague.client.get(theirs["downloadUrl"], headers=colleague.headers)) == (403, "ACCESS_DENIED")


@pytest.mark.parametrize("named", ["another", "own", "nonsense"])
def test_an_api_key_cannot_act_for_another_account(paying: Person, named: str) -> None:
    own = found(paying)
    program = with_key(paying.account)
    value = {"another": own.organisation_id, "own": paying.account.pk, "nonsense": "x"}[named]
    answer = program.get("/account", X_Organisation=str(value))
    assert answer.status_code == (200 if named == "own" else 403)


def test_the_organisation_header_needs_credentials(paying: Person, guest: Person) -> None:
    own = found(paying)
    assert guest.get("/account", X_Organisation=str(own.organisation_id)).status_code == 401
    assert acting(guest, own).convert("json-to-csv", PEOPLE).status_code == 201
    assert Conversion.objects.get().owner is None


def test_nobody_logs_in_as_an_organisation(paying: Person, guest: Person) -> None:
    own = found(paying)
    address = own.organisation.email
    for password in ("", PASSWORD, own.organisation.password):
        assert guest.post("/auth/login", {"email": address, "password": password}).status_code in (400, 401)
    guest.client.post("/password-reset", {"email": address})
    assert OUTBOX.flush(30)
    assert mail.outbox == []
    for change in ({"password": make_user().password}, {"is_staff": True}, {"is_superuser": True}):
        with pytest.raises(IntegrityError), transaction.atomic():
            User.objects.filter(pk=own.organisation_id).update(**change)
    browser = Client()
    browser.force_login(own.organisation, "accounts.login.backends.EmailBackend")
    assert browser.get("/api/v1/account").status_code == 401


def test_only_owners_can_buy_for_an_organisation(paying: Person) -> None:
    own = found(paying)
    colleague, _ = member_of(own)
    browser = Client()
    browser.force_login(colleague.account)
    browser.post("/teams/switch", {"organisation": str(own.organisation_id)})
    assert browser.post("/plans/manage").status_code == 403
    assert browser.post(f"/plans/orders/{uuid.uuid4()}/withdraw").status_code == 403


def test_staff_see_an_organisation_with_its_members_and_add_credits(paying: Person, staff: Client) -> None:
    own = found(paying)
    path = f"/admin/accounts/user/{own.organisation_id}"
    page = staff.get(f"{path}/change/").content.decode()
    assert "paying@example.org" in page
    assert staff.get(f"{path}/password/").status_code == 403
    form = {"amount": "50", "reason": "thanks", "apply": "1", "form_token": str(uuid.uuid4())}
    before = User.objects.get(pk=own.organisation_id).credits
    assert staff.post(f"{path}/grant/", form).status_code == 302
    assert User.objects.get(pk=own.organisation_id).credits == before + 50


def test_a_removed_owner_cannot_return_by_their_own_invitation(paying: Person) -> None:
    own = found(paying)
    second, membership = member_of(own, "owner")
    code, kept = (invited(own, by, email) for by, email in ((second, "two@example.org"), (paying, "three@example.org")))
    answer = paying.post(f"/organisations/{own.organisation_id}/members/{membership.pk}/remove")
    assert answer.status_code == 200
    two, three = (with_token(make_user("free", f"{name}@example.org")) for name in ("two", "three"))
    assert codes(two.post("/organisations/join", {"code": code})) == (400, "VALIDATION_ERROR")
    assert three.post("/organisations/join", {"code": kept}).status_code == 200


def test_a_closed_organisation_counts_while_it_can_be_restored(free: Person) -> None:
    for number in range(organisations.MAX_FOUNDED):
        account_deletion.deactivate(organisations.create(free.account, f"{number}").organisation)
    # In the next month they have had none of its credits yet.
    User.objects.filter(founder=free.account).update(period=date(2026, 1, 1))
    assert codes(free.post("/organisations", {"name": "Again"})) == (403, "ACCESS_DENIED")
    User.objects.filter(founder=free.account).update(deletes_at=None)
    assert free.post("/organisations", {"name": "Again"}).status_code == 201


def test_changing_members_requires_recent_authentication(paying: Person) -> None:
    own = found(paying)
    _, colleague = member_of(own, "owner")
    _, viewer = member_of(own, "viewer")
    browser = Person(paying.user, {}, Client())
    browser.client.force_login(paying.account)
    session = browser.client.session
    session["sure_at"] = time.time() - reauthentication.LASTS
    session.save()
    api, pages = f"/organisations/{own.organisation_id}", f"/teams/{own.organisation_id}"
    calls = (
        ("PATCH", f"{api}/members/{viewer.pk}", {"role": "owner"}),
        ("POST", f"{api}/members/{colleague.pk}/remove", {"keepKeys": False}),
        ("POST", f"{api}/invitations", BEYOND),
    )
    sent = (
        (f"{pages}/members/{viewer.pk}", {"role": "owner"}),
        (f"{pages}/members/{colleague.pk}/remove", {"keys": "revoke"}),
        (f"{pages}/invite", BEYOND),
    )
    for call in calls:
        assert codes(browser.request(*call)) == (403, "ACCESS_DENIED"), call
    for path, form in sent:
        answer = browser.client.post(path, form)
        assert answer.status_code == 302, path
        assert answer["Location"].startswith("/account/confirm?next="), path
    assert b"Confirm your identity to invite somebody" in browser.client.get(pages).content
    roles = Membership.objects.filter(organisation=own.organisation).values_list("role", flat=True)
    assert sorted(roles) == ["owner", "owner", "viewer"]
    assert not Invitation.objects.exists()
    # A program's token lasts for minutes.
    program = paying.request("PATCH", f"{api}/members/{viewer.pk}", {"role": "member"})
    assert program.status_code == 200
    # Who is sent away to prove who they are comes back to a page that there is.
    proved = browser.client.post(answer["Location"], {"password": PASSWORD})
    assert (proved.status_code, proved["Location"]) == (302, pages)
    assert b"Confirm your identity to invite somebody" not in browser.client.get(pages).content
    assert [browser.request(*call).status_code for call in calls] == [200, 200, 201]


@pytest.mark.parametrize("ended", ["leave", "withdraw"])
def test_giving_up_access_requires_no_reauthentication(paying: Person, other: Person, ended: str) -> None:
    own = found(paying)
    code = invited(own, paying, other.account.email)
    colleague, _ = member_of(own, "owner")
    browser = Person(colleague.user, {}, Client())
    browser.client.force_login(colleague.account)
    session = browser.client.session
    session["sure_at"] = 0.0
    session.save()
    if ended == "leave":
        assert browser.post(f"/organisations/{own.organisation_id}/leave").status_code == 200
        return
    (waiting,) = paying.get(f"/organisations/{own.organisation_id}/invitations").json()["data"]
    path = f"/organisations/{own.organisation_id}/invitations/{waiting['id']}"
    assert browser.request("DELETE", path).status_code == 200
    assert organisations.waiting_for(code) is None


def test_an_invitation_by_an_owner_ends_when_they_are_no_owner_any_more(paying: Person, other: Person) -> None:
    own = found(paying)
    colleague, membership = member_of(own, "owner")
    code = invited(own, with_token(colleague.account), other.account.email, "owner")
    path = f"/organisations/{own.organisation_id}"
    assert paying.request("PATCH", f"{path}/members/{membership.pk}", {"role": "viewer"}).status_code == 200
    assert codes(other.post("/organisations/join", {"code": code})) == (400, "VALIDATION_ERROR")
    assert other.client.get(f"/teams/invitations/{code}").status_code == 410
    assert paying.get(f"{path}/invitations").json()["data"] == []
    assert not memberships_of(other.account).exists()
    # Another owner's takes its place.
    assert other.post("/organisations/join", {"code": invited(own, paying, other.account.email)}).status_code == 200
    assert Invitation.objects.filter(organisation=own.organisation).count() == 1


@pytest.mark.parametrize("spellings", [("exämple.org", "xn--exmple-cua.org"), ("example.org", "ｅxample.org")])
def test_mails_to_one_mailbox_are_counted_together_however_its_domain_is_spelled(
    paying: Person, settings: Any, spellings: tuple[str, str]
) -> None:
    settings.MAIL_RATE_EMAIL = "1/h"
    path = f"/organisations/{found(paying).organisation_id}/invitations"
    answers = [paying.post(path, {"email": f"new@{each}"}).status_code for each in spellings]
    answers.append(paying.post(path, {"email": f"other@{spellings[1]}"}).status_code)
    assert answers == [201, 429, 201]


@pytest.mark.parametrize("local", ['"new"', '"\\new"', '"n\\e\\w"'])
def test_quotes_and_escapes_of_an_address_are_no_part_of_its_mailbox(paying: Person, settings: Any, local: str) -> None:
    settings.MAIL_RATE_EMAIL = "1/h"
    path = f"/organisations/{found(paying).organisation_id}/invitations"
    answers = [paying.post(path, {"email": f"{each}@example.org"}).status_code for each in ("new", local, '"other"')]
    assert answers == [201, 429, 201]


def test_an_invitation_by_an_owner_ends_when_staff_close_their_account(paying: Person, other: Person) -> None:
    own = found(paying)
    colleague, _ = member_of(own, "owner")
    code = invited(own, with_token(colleague.account), other.account.email, "owner")
    User.objects.filter(pk=colleague.account.pk).update(is_active=False)
    assert codes(other.post("/organisations/join", {"code": code})) == (400, "VALIDATION_ERROR")
    assert not memberships_of(other.account).exists()


def test_a_viewer_uses_up_none_of_the_free_processor_time_of_the_organisation(paying: Person) -> None:
    own = found(paying)
    viewer, _ = member_of(own, "viewer")
    viewer.client.force_login(viewer.account)
    viewer.client.post("/teams/switch", {"organisation": str(own.organisation_id)})
    stored = files.put(io.BytesIO(pdf(1)), extension="pdf")
    expires_at = timezone.now() + timedelta(hours=1)
    files.row(
        stored, owner=own.organisation, name="a.pdf", content_type="application/pdf", expires_at=expires_at
    ).save()
    assert viewer.client.get(f"/glimpse/{stored.key}").status_code == 200
    answer = viewer.client.post("/thumbnails", {"file": SimpleUploadedFile("a.pdf", pdf(1))})
    assert answer.status_code == 403
    used = {each.pk: each.failed_ms for each in User.objects.filter(pk__in=[viewer.account.pk, own.organisation_id])}
    assert used[viewer.account.pk]
    assert not used[own.organisation_id]
