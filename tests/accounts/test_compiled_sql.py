"""Statements compiled once: the same rows as the queryset would give, in every thread, and rows as save() writes."""

import threading
import uuid

import pytest
from django.db import IntegrityError, connection, models, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.compiled_sql import Parameter, Statement, _insertion, insert
from accounts.models import CreditEntry, LimitOverride, User
from accounts.sending import gathered, in_turns
from conversions.models import Conversion
from storage.keys import new_key
from storage.models import StoredFile
from tests.conftest import make_user

by_email = Statement(
    lambda: User.objects.filter(email=Parameter("email", models.CharField()), is_active=True).select_related(
        "plan", "override"
    )
)


def test_it_finds_the_row_with_all_that_is_selected_with_it_in_one_query(db: None) -> None:
    ada = make_user("pro", email="ada@example.org")
    LimitOverride.objects.create(user=ada, api_keys=77)
    make_user("free", email="grace@example.org")
    with CaptureQueriesContext(connection) as queries:
        for email, plan, keys in (("ada@example.org", "pro", 77), ("grace@example.org", "free", None)):
            found = by_email.one(email=email)
            assert found is not None
            assert (found.email, found.plan.code) == (email, plan)
            if keys is None:
                with pytest.raises(LimitOverride.DoesNotExist):
                    found.override  # noqa: B018
            else:
                assert found.override.api_keys == keys
    assert len(queries) == 2


def test_it_gives_what_the_queryset_gives_field_by_field(db: None) -> None:
    make_user("pro", email="ada@example.org")
    found = by_email.one(email="ada@example.org")
    expected = User.objects.get(email="ada@example.org")
    assert found is not None
    for each in User._meta.concrete_fields:
        assert getattr(found, each.attname) == getattr(expected, each.attname), each.name
    assert not found._state.adding


def test_values_of_one_run_do_not_reach_the_next(db: None) -> None:
    ada = make_user("pro", email="ada@example.org")
    assert by_email.one(email="ada@example.org") == ada
    assert by_email.one(email="nobody@example.org") is None
    assert by_email.one(email="' OR 1=1 --") is None
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert by_email.one(email="ada@example.org") is None


def test_each_thread_uses_its_own_connection(transactional_db: None) -> None:
    ada = make_user("pro", email="ada@example.org")
    assert by_email.one(email="ada@example.org") == ada
    found: list[User | None] = []

    def look() -> None:
        found.append(by_email.one(email="ada@example.org"))
        connection.close()
        found.append(by_email.one(email="ada@example.org"))
        connection.close()

    threads = [threading.Thread(target=look) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert found == [ada] * 8


def test_values_are_written_as_the_framework_would_write_them(db: None) -> None:
    user = make_user("pro", email="ada@example.org")
    now = timezone.now()
    sha256, key = "0" * 64, uuid.uuid4()
    for instance in (
        CreditEntry(user=user, kind=CreditEntry.Kind.GRANT, amount=-1, balance=7, reference=key, reason="\u00e9"),
        StoredFile(key=new_key("csv"), name="a.csv", content_type="text/csv", size=3, sha256=sha256, expires_at=now),
        Conversion(
            owner=user, slug="a\x00b", status="completed", input_name="x\ud800", input_bytes=1, options={"a": ["\x00"]},
            duration_ms=True, engine="e", expires_at=now, verified={"ok": None},
        ),
        Conversion(owner=None, plan=Conversion.Status.FAILED, slug="s", input_bytes="7", input_sha256=sha256),
    ):  # fmt: skip
        for column in _insertion(type(instance), connection.vendor)[1]:
            expected = column.field.get_db_prep_save(column.field.pre_save(instance, True), connection)
            found = column.value_of(instance, connection)
            assert repr(found) == repr(expected), column.field.name


def test_an_inserted_row_is_the_one_that_save_would_have_written(db: None) -> None:
    user = make_user("pro", email="ada@example.org")
    start = CreditEntry.objects.filter(user=user).latest("pk").balance

    def entry(amount: int, balance: int) -> CreditEntry:
        return CreditEntry(
            user=user,
            kind=CreditEntry.Kind.GRANT,
            amount=amount,
            balance=balance,
            reason="Ünïcode ' and \"\0".strip("\0"),
        )

    saved, written = entry(5, start + 5), entry(5, start + 5)
    written.created_at = saved.created_at
    saved.save(force_insert=True)
    insert(written)
    first, second = CreditEntry.objects.filter(user=user).order_by("-pk")[:2]
    for each in CreditEntry._meta.concrete_fields:
        if not each.primary_key:
            assert getattr(first, each.attname) == getattr(second, each.attname), each.name
    assert not written._state.adding


def test_an_insert_that_breaks_a_rule_of_the_database_raises(db: None) -> None:
    user = make_user("pro", email="ada@example.org")
    with pytest.raises(IntegrityError), transaction.atomic():
        insert(User(email=user.email, plan=user.plan))


def test_rows_gathered_are_written_and_read_among_them(transactional_db: None) -> None:
    user = make_user("pro", email="ada@example.org")
    with in_turns(), transaction.atomic(), gathered():
        insert(User(email="grace@example.org", plan=user.plan))
        assert User.objects.filter(email__in=["ada@example.org", "grace@example.org"]).count() == 2
        insert(User(email="edsger@example.org", plan=user.plan))
    assert set(User.objects.values_list("email", flat=True)) >= {"grace@example.org", "edsger@example.org"}


@pytest.mark.parametrize("broken", [0, 1, 2])
def test_of_rows_gathered_none_stays_where_one_breaks_a_rule(transactional_db: None, broken: int) -> None:
    user = make_user("pro", email="ada@example.org")
    emails = ["grace@example.org", "edsger@example.org"]
    emails.insert(broken, user.email)
    before = User.objects.count()

    def write() -> None:
        with in_turns(), transaction.atomic(), gathered():
            for each in emails:
                insert(User(email=each, plan=user.plan))

    with pytest.raises(IntegrityError):
        write()
    assert User.objects.count() == before


def test_what_is_raised_between_rows_gathered_undoes_them(transactional_db: None) -> None:
    user = make_user("pro", email="ada@example.org")
    before = User.objects.count()

    def write() -> None:
        with in_turns(), transaction.atomic(), gathered():
            insert(User(email="grace@example.org", plan=user.plan))
            raise KeyError

    with pytest.raises(KeyError):
        write()
    assert User.objects.count() == before
