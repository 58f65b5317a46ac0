"""Admin lists: search results, and no full table scan."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from django.contrib.admin import site
from django.contrib.auth.models import Permission
from django.db import connection
from django.db.models import QuerySet
from django.test import Client
from django.utils import timezone

from accounts.models import User
from apikeys.models import ApiKey
from backoffice import lists
from backoffice.audit import Audited
from backoffice.exports import Exported
from backoffice.lists import Bounded
from conversions.models import Conversion
from storage import files
from tests.backoffice.conftest import client_of
from tests.conftest import make_user
from tests.conversions.test_history import record

CONVERSIONS = "/admin/conversions/conversion/"


def _found(client: Client, query: str) -> set[Any]:
    answer = client.get(f"{CONVERSIONS}?{query}")
    assert answer.status_code == 200
    return {each.pk for each in answer.context["cl"].result_list}


def test_every_admin_is_bounded_exported_and_audited() -> None:
    for admin in site._registry.values():
        assert isinstance(admin, Bounded)
        assert isinstance(admin, Exported)
        assert isinstance(admin, Audited)


def test_the_reason_of_failure_is_in_the_second_column(boss: User, customer: User) -> None:
    record(customer, failed=True, error_message="<b>Line 3</b> is bad.")
    page = client_of(boss).get(CONVERSIONS).content.decode()
    row = page[page.index("<tbody>") :]
    cells = re.findall(r'class="(field-\w+)', row)
    assert cells[:2] == ["field-created_at", "field-failure"]
    assert "UNSUPPORTED_FORMAT: &lt;b&gt;Line 3&lt;/b&gt; is bad." in row


def test_conversions_are_found_by_name_slug_id_and_email(boss: User, customer: User) -> None:
    client = client_of(boss)
    other = record(make_user("free", "zoe@example.org"), input_name="zeta.json")
    report = record(customer, input_name="Annual Report 100%.csv", slug="csv-to-json")
    failed = record(customer, failed=True, input_name='"><script>alert(1)</script>.json')
    assert _found(client, "q=annual+report") == {report.pk}
    assert _found(client, "q=ANNUAL+REPORT+100%25.CSV") == {report.pk}
    assert _found(client, "q=report") == set()
    assert _found(client, "q=annual_report") == set()
    assert _found(client, "q=csv-to-json") == {report.pk}
    assert _found(client, f"q={failed.pk}") == {failed.pk}
    assert _found(client, "q=Customer%40example.org") == {report.pk, failed.pk}
    assert _found(client, "q=zoe%40") == {other.pk}
    assert _found(client, "q=%00") == {other.pk, report.pk, failed.pk}
    assert _found(client, "q=" + "x" * 3000) == set()
    assert _found(client, f"owner__id__exact={customer.pk}&status__exact=failed") == {failed.pk}
    page = client.get(CONVERSIONS).content.decode()
    assert "<script>alert(1)" not in page
    assert f"/admin/accounts/user/{customer.pk}/change/" in page


@pytest.mark.parametrize("kind", ["conversions/conversion", "storage/storedfile"])
def test_support_sees_the_work_of_customers_and_guests_and_none_of_other_staff(
    boss: User, helper: User, customer: User, kind: str
) -> None:
    path, rows = f"/admin/{kind}/", []
    helper.user_permissions.add(*Permission.objects.filter(codename=f"view_{kind.rpartition('/')[2]}"))
    for name, owner in (("staff", boss), ("customer", customer), ("guest", None)):
        done = record(owner, input_name=f"{name}.json")
        stored = files.put(io.BytesIO(b"a,b"), extension="csv")
        file = files.row(stored, owner=owner, name=f"{name}.csv", content_type="text/csv", expires_at=timezone.now())
        file.save(force_insert=True)
        rows.append(done if kind == "conversions/conversion" else file)
    client = client_of(helper)
    assert {each.pk for each in client.get(path).context["cl"].result_list} == {each.pk for each in rows[1:]}
    assert [client.get(f"{path}{each.pk}/change/").status_code for each in rows] == [302, 200, 200]
    exported: Any = client.post(f"{path}export/")
    text = b"".join(exported.streaming_content).decode()
    assert [f"{name}." in text for name in ("staff", "customer", "guest")] == [False, True, True]
    assert len(client_of(boss).get(path).context["cl"].result_list) == 3


def test_an_account_s_page_links_to_everything_it_owns(boss: User, helper: User, customer: User) -> None:
    record(customer)
    page = client_of(boss).get(f"/admin/accounts/user/{customer.pk}/change/").content.decode()
    links = re.findall(r'href="(/admin/[^"]*__id__exact=[^"]*)"', page)
    assert [each.split("/")[3] for each in links] == ["conversion", "apikey", "creditentry", "login", "storedfile"]
    for each in links:
        assert client_of(boss).get(each).status_code == 200
    page = client_of(helper).get(f"/admin/accounts/user/{customer.pk}/change/").content.decode()
    assert "/storage/storedfile/" not in page
    assert f"/admin/accounts/user/{customer.pk}/look/" not in page


def test_counting_stops_at_the_last_reachable_page(boss: User, customer: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "MOST", 3)
    client = client_of(boss)
    for _ in range(3):
        record(customer)
    assert "The export has them all" not in client.get(CONVERSIONS).content.decode()
    record(customer)
    answer = client.get(CONVERSIONS)
    assert answer.context["cl"].result_count == 3
    assert "Only the first 3 are counted" in answer.content.decode()


def test_lists_sort_only_by_indexed_columns(boss: User, customer: User) -> None:
    small, large = record(customer, days_ago=1, input_bytes=1), record(customer, input_bytes=9)
    client = client_of(boss)
    for order in ("o=7", "o=-7", "o=nonsense"):
        assert [each.pk for each in client.get(f"{CONVERSIONS}?{order}").context["cl"].result_list] == [
            large.pk, small.pk,
        ]  # fmt: skip
    assert [each.pk for each in client.get(f"{CONVERSIONS}?o=0").context["cl"].result_list] == [small.pk, large.pk]


def _plan(rows: QuerySet[Any]) -> str:
    """How PostgreSQL would answer, were reading a whole table as dear as it is with a million rows."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        sql, parameters = rows.query.sql_with_params()
        cursor.execute(f"EXPLAIN {sql}", parameters)
        return "\n".join(row[0] for row in cursor.fetchall())


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "postgresql", reason="plans of PostgreSQL")
def test_lists_use_indexes() -> None:
    newest = Conversion.objects.order_by("-created_at", "-id")
    named = lists.beginning(Conversion.objects.all(), "input_name", "report")
    by_index = {
        "conversion_newest": newest[:100],
        "conversion_by_name": named.values("pk")[:1000],
        "conversion_slug": newest.filter(slug="a-to-b")[:100],
        "conversion_plan": newest.filter(plan="pro")[:100],
        "conversion_failed": newest.filter(status="failed")[:100],
        "conversion_owner_newest": newest.filter(owner=make_user("free"))[:100],
        "apikey_newest": ApiKey.objects.order_by("-created_at", "id")[:100],
        "user_staff": User.objects.filter(is_staff=True).order_by("-created_at")[:100],
    }
    for name, rows in by_index.items():
        plan = _plan(rows)
        assert name in plan, plan
        assert "Seq Scan" not in plan, plan
    email = _plan(User.objects.order_by().filter(email__startswith="ada").values("pk")[:20])
    assert "Seq Scan" not in email


@pytest.mark.parametrize("query", ["created_at__year=9999999", "created_at__year__gt=-1", "email__regex=("])
def test_a_lookup_that_no_database_runs_is_left_out(transactional_db: None, boss: User, query: str) -> None:
    if "regex" in query and connection.vendor != "postgresql":
        pytest.skip("SQLite calls a broken pattern an outage")
    client, path = client_of(boss), "/admin/accounts/user/"
    assert client.get(f"{path}?{query}").headers["Location"] == f"{path}?e=1"
    assert client.post(f"{path}export/?{query}").headers["Location"] == path
