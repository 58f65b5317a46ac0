"""Statements sent past the framework: the same rows and errors, and rows gathered that are there for what follows."""

from collections.abc import Callable

import pytest
from django.db import DataError, IntegrityError, OperationalError, ProgrammingError, connection, transaction
from django.db.transaction import TransactionManagementError
from django.test.utils import CaptureQueriesContext

from accounts.compiled_sql import insert
from accounts.models import Plan, User
from accounts.sending import execute, gathered, in_turns
from tests.conftest import make_user

TOGETHER = connection.vendor == "postgresql"
_RENAME = "UPDATE accounts_user SET name = %s WHERE email = %s RETURNING name"


def _new(email: str, plan: Plan) -> User:
    return User(email=email, plan=plan)


def test_a_statement_gives_its_rows(db: None) -> None:
    user = make_user("pro", email="ada@example.org")
    cursor = execute("SELECT email, is_active FROM accounts_user WHERE email = %s", [user.email])
    assert [(email, bool(active)) for email, active in cursor.fetchall()] == [("ada@example.org", True)]
    assert execute(_RENAME, ["100 % \u00fc'; --", user.email]).fetchone() == ("100 % \u00fc'; --",)
    assert execute(_RENAME, ["x", "nobody@example.org"]).fetchone() is None


def test_it_is_seen_by_whoever_listens_to_the_framework_s_cursor(db: None) -> None:
    seen: list[str] = []

    def listen(run: Callable[..., object], sql: str, *rest: object) -> object:
        seen.append(sql)
        return run(sql, *rest)

    with CaptureQueriesContext(connection) as queries, connection.execute_wrapper(listen):
        execute(_RENAME, ["x", "nobody@example.org"])
    assert seen == [_RENAME]
    assert len(queries) == 1


def test_errors_are_the_framework_s_own(db: None) -> None:
    user = make_user("pro", email="ada@example.org")
    with pytest.raises(IntegrityError), transaction.atomic():
        insert(_new(user.email, user.plan))
    with pytest.raises((ProgrammingError, OperationalError)), transaction.atomic():
        execute("SELECT nothing FROM nowhere", [])
    with pytest.raises((DataError, ValueError, UnicodeEncodeError)), transaction.atomic():
        execute(_RENAME, ["\ud800", user.email])


def test_nothing_is_sent_in_a_transaction_that_is_broken(db: None) -> None:
    with transaction.atomic():
        transaction.set_rollback(True)
        with pytest.raises(TransactionManagementError):
            execute(_RENAME, ["x", "nobody@example.org"])
        transaction.set_rollback(False)


def test_a_connection_that_was_closed_is_opened(transactional_db: None) -> None:
    make_user("pro", email="ada@example.org")
    connection.close()
    assert execute(_RENAME, ["Ada", "ada@example.org"]).fetchone() == ("Ada",)


@pytest.mark.parametrize("listened", [False, True])
def test_rows_are_written_with_the_statement_that_follows(transactional_db: None, listened: bool) -> None:
    user = make_user("pro", email="ada@example.org")

    def write() -> None:
        with in_turns(), transaction.atomic(), gathered():
            insert(_new("grace@example.org", user.plan))
            insert(_new("edsger@example.org", user.plan))
            assert execute(_RENAME, ["Ada", user.email]).fetchone() == ("Ada",)
            insert(_new("barbara@example.org", user.plan))

    if listened:
        with CaptureQueriesContext(connection) as queries:
            write()
        assert len(queries) == (4 if TOGETHER else 6)
    else:
        write()
    emails = set(User.objects.values_list("email", flat=True))
    assert emails >= {"grace@example.org", "edsger@example.org", "barbara@example.org"}
    user.refresh_from_db()
    assert user.name == "Ada"


def test_whoever_looks_for_them_inside_finds_them(transactional_db: None) -> None:
    user = make_user("pro", email="ada@example.org")
    with transaction.atomic(), gathered():
        insert(_new("grace@example.org", user.plan))
        assert User.objects.filter(email="grace@example.org").exists()
        insert(_new("edsger@example.org", user.plan))
        sought = "SELECT COUNT(*) FROM accounts_user WHERE email IN (%s, %s)"
        assert execute(sought, ["grace@example.org", "edsger@example.org"], reads=True).fetchone() == (2,)


@pytest.mark.parametrize("broken", [0, 1, 2])
def test_none_of_them_stays_where_one_breaks_a_rule(transactional_db: None, broken: int) -> None:
    user = make_user("pro", email="ada@example.org")
    emails = ["grace@example.org", "edsger@example.org"]
    emails.insert(broken, user.email)
    before = User.objects.count()

    def write() -> None:
        with in_turns(), transaction.atomic(), gathered():
            for each in emails:
                insert(_new(each, user.plan))
            execute(_RENAME, ["Ada", user.email]).close()

    with pytest.raises(IntegrityError):
        write()
    assert User.objects.count() == before
    user.refresh_from_db()
    assert user.name != "Ada"


def test_what_was_gathered_is_forgotten_with_the_block_that_fails(transactional_db: None) -> None:
    user = make_user("pro", email="ada@example.org")
    before = User.objects.count()

    def write() -> None:
        with transaction.atomic(), gathered():
            insert(_new("grace@example.org", user.plan))
            raise KeyError

    with pytest.raises(KeyError):
        write()
    with transaction.atomic(), gathered():
        insert(_new("edsger@example.org", user.plan))
    assert User.objects.count() == before + 1
    assert not User.objects.filter(email="grace@example.org").exists()
