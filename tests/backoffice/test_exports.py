"""Lists as CSV: all filtered rows, in constant memory, for those who may view them, with formulas escaped."""

from __future__ import annotations

import csv
import io
import tracemalloc
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin import site
from django.test import Client
from django.utils import timezone

from accounts.models import CreditEntry, User
from backoffice.models import AuditEntry
from conversions.models import Conversion
from conversions.work import extracts
from tests.backoffice.conftest import client_of
from tests.conftest import make_user
from tests.conversions.test_history import record
from tests.hostile.figures import scaled


def _rows(client: Client, path: str) -> list[dict[str, str]]:
    answer: Any = client.post(path)
    assert answer.status_code == 200, answer
    assert answer["Content-Type"].startswith("text/csv")
    text = b"".join(answer.streaming_content).decode()
    return list(csv.DictReader(io.StringIO(text)))


def test_the_export_has_the_filtered_rows_and_escapes_formulas(
    boss: User, customer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extracts, "PAGE", 2)
    moment = timezone.now()
    for number, name in enumerate(("=1+1", "+cmd|' /C calc'!A0", "-2", "@x", "\tx", 'a,"b"\n.json', "ünï.json")):
        # Two of each moment: the border of a page is between equals.
        record(customer, input_name=name, created_at=moment - timedelta(seconds=number // 2))
    record(make_user("free", "zoe@example.org"), failed=True)
    client = client_of(boss)
    rows = _rows(client, f"/admin/conversions/conversion/export/?owner__id__exact={customer.pk}")
    assert sorted(row["input name"] for row in rows) == sorted(
        ["'=1+1", "'+cmd|' /C calc'!A0", "-2", "'@x", "'\tx", 'a,"b"\n.json', "ünï.json"]
    )
    assert len({row["id"] for row in rows}) == 7
    assert rows == sorted(rows, key=lambda row: (row["created at"], row["id"]), reverse=True)
    assert rows[0]["account"] == "customer@example.org"
    failed = _rows(client, "/admin/conversions/conversion/export/?status__exact=failed")
    assert [row["reason of failure"] for row in failed] == ["UNSUPPORTED_FORMAT: Bad."]
    entry = AuditEntry.objects.filter(action="export").first()
    assert entry is not None
    assert (entry.model, entry.details) == ("conversions.conversion", {"filters": {"status__exact": "failed"}})


def test_every_list_can_be_exported_by_those_who_may_view_it(boss: User, helper: User, customer: User) -> None:
    record(customer)
    client, support = client_of(boss), client_of(helper)
    for model in site._registry:
        path = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        rows = _rows(client, f"{path}export/")
        assert len(rows) == model._default_manager.count(), path
        assert support.post(f"{path}export/").status_code == support.get(path).status_code
        assert client.get(f"{path}export/").status_code == 405
        assert Client().post(f"{path}export/").status_code == 302
    accounts = {row["email"] for row in _rows(support, "/admin/accounts/user/export/")}
    assert "customer@example.org" in accounts
    assert not accounts & {"boss@example.org", "helper@example.org"}
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(boss)
    assert strict.post("/admin/accounts/user/export/").status_code == 403


def test_a_bad_filter_of_an_export_leads_back_to_the_list(boss: User) -> None:
    answer = client_of(boss).post("/admin/conversions/conversion/export/?created_at__gte=x")
    assert (answer.status_code, answer["Location"]) == (302, "/admin/conversions/conversion/")


def counted(answer: Any) -> tuple[int, int]:
    """The lines of an export, and the most bytes that were held while it was sent."""
    tracemalloc.start()
    try:
        return sum(part.count(b"\n") for part in answer.streaming_content), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.ci
def test_an_export_of_many_rows_needs_constant_memory(
    boss: User, customer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extracts, "PAGE", 400)

    def many(count: int) -> None:
        CreditEntry.objects.bulk_create(
            CreditEntry(user=customer, kind="grant", amount=1, balance=1, reason="r" * 50) for _ in range(count)
        )

    def peak() -> tuple[int, int]:
        return counted(client_of(boss).post("/admin/accounts/creditentry/export/"))

    many(extracts.PAGE * 2)
    peak()  # what the first one loads is not the rows'
    few_lines, few = peak()
    many(extracts.PAGE * 6)
    lines, most = peak()
    assert lines == few_lines + extracts.PAGE * 6
    assert most < few * 1.3


@pytest.mark.soak
def test_two_hundred_thousand_rows_are_exported_in_constant_memory(boss: User, customer: User) -> None:
    number = scaled(200_000, least=10 * extracts.PAGE)
    Conversion.objects.bulk_create(
        (
            Conversion(
                owner=customer, plan="pro", slug="json-to-csv", status="completed", input_name="=a.json",
                input_bytes=1, file_key="k", created_at=timezone.now(),
            )
            for _ in range(number)
        ),
        batch_size=2000,
    )  # fmt: skip
    lines, most = counted(client_of(boss).post("/admin/conversions/conversion/export/"))
    assert lines == number + 1
    assert most < 64_000_000
