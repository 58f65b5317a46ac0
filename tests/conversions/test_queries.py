"""The number of queries of frequently used routes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from django.test import Client

from apikeys.models import ApiKey
from conversions.models import Conversion
from tests.conftest import Person
from tests.conversions.samples import PEOPLE
from tests.conversions.test_history import record
from tests.teams.test_organisations import acting, found, key_of, member_of

Assert = Callable[[int], AbstractContextManager[object]]

CONVERSION = 10
"""The key, the room before the work, BEGIN, the file, what is charged and its entry, the room with what others recorded
meanwhile, the conversion, its count, COMMIT."""


def test_a_conversion_with_a_key_takes_as_few_queries_as_the_database_allows(
    program: Person, django_assert_num_queries: Assert
) -> None:
    program.get("/account")  # the key's last use is written once a minute
    with django_assert_num_queries(CONVERSION):
        assert program.convert("json-to-csv", PEOPLE).status_code == 201


def test_a_download_takes_two_queries(program: Person, django_assert_num_queries: Assert) -> None:
    url = program.convert("json-to-csv", PEOPLE).json()["data"]["downloadUrl"]
    with django_assert_num_queries(2):
        assert program.client.get(url, headers=program.headers).status_code == 200


def test_a_guest_s_download_takes_one_query(guest: Person, django_assert_num_queries: Assert) -> None:
    url = guest.convert("json-to-csv", PEOPLE).json()["data"]["downloadUrl"]
    with django_assert_num_queries(1):
        assert guest.client.get(url).status_code == 200


@pytest.mark.parametrize("rows", [1, 50])
def test_pages_of_lists_do_not_take_more_queries_for_more_rows(
    paying: Person, django_assert_num_queries: Assert, rows: int
) -> None:
    for _ in range(rows):
        record(paying.user)
    with django_assert_num_queries(3):
        paying.get("/converter/history?pageSize=100")
    with django_assert_num_queries(2):
        paying.get("/converter/stats")
    with django_assert_num_queries(2):
        paying.get("/integrations/api-keys")
    with django_assert_num_queries(1):
        paying.get("/account")


def test_constant_public_routes_take_no_query(guest: Person, django_assert_num_queries: Assert) -> None:
    with django_assert_num_queries(0):
        assert guest.get("/converter/formats").status_code == 200
        assert Client().get("/healthz").status_code == 200


def test_a_refused_upload_of_a_key_takes_one_query(program: Person, django_assert_num_queries: Assert) -> None:
    program.get("/account")
    with django_assert_num_queries(1):
        assert program.convert("json-to-csv", PEOPLE, "a.exe").status_code == 400
    assert not Conversion.objects.exists()


def test_a_conversion_with_an_organisation_s_key_takes_no_more(
    paying: Person, django_assert_num_queries: Assert
) -> None:
    own = found(paying)
    program, key = key_of(own)
    ApiKey.objects.filter(pk=key.pk).update(member=None)
    program.get("/account")
    with django_assert_num_queries(CONVERSION):
        assert program.convert("json-to-csv", PEOPLE).status_code == 201


def test_that_of_a_member_takes_one_more_which_holds_their_limit(
    paying: Person, django_assert_num_queries: Assert
) -> None:
    own = found(paying)
    program, _ = key_of(own, member_of(own, limit=100)[1])
    program.get("/account")
    with django_assert_num_queries(1):
        assert program.get("/account").status_code == 200
    with django_assert_num_queries(CONVERSION + 1):
        assert program.convert("json-to-csv", PEOPLE).status_code == 201


def test_acting_for_an_organisation_takes_one_query_more(paying: Person, django_assert_num_queries: Assert) -> None:
    person = acting(paying, found(paying))
    with django_assert_num_queries(2):
        assert person.get("/account").status_code == 200
