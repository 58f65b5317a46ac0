"""What earlier releases have recorded is kept when the tables change."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from conversions.models import Conversion, Usage
from conversions.work import statistics
from tests.conftest import make_user

BEFORE = [("conversions", "0001_initial")]


@pytest.fixture
def before(transactional_db: None) -> Iterator[MigrationExecutor]:
    """The database as it was, and as all other tests have it again afterwards."""
    executor = MigrationExecutor(connection)
    executor.migrate(BEFORE)
    yield executor
    latest = MigrationExecutor(connection)
    latest.migrate(latest.loader.graph.leaf_nodes())


def test_usage_by_duration_becomes_usage_by_day_and_by_month(before: MigrationExecutor) -> None:
    user = make_user(offered=False)
    cells = before.loader.project_state(BEFORE).apps.get_model("conversions", "UsageCell")
    for day, slug, failed, bucket, number in (
        (date(2026, 10, 31), "json-to-csv", False, 7, 3),
        (date(2026, 10, 31), "json-to-csv", False, 48, 2),
        (date(2026, 10, 31), "json-to-csv", True, 0, 4),
        (date(2026, 11, 1), "html-to-pdf", False, 48, 5),
        (date(2026, 11, 2), "json-to-csv", False, 48, 1),
    ):
        cells.objects.create(
            owner_id=user.id, day=day, slug=slug, failed=failed, bucket=bucket, conversions=number,
            credits=2 * number, bytes_in=10 * number, bytes_out=number,
        )  # fmt: skip
    latest = MigrationExecutor(connection)
    latest.migrate(latest.loader.graph.leaf_nodes())
    october = Usage.objects.get(owner=user, span="month", start=date(2026, 10, 1), slug="json-to-csv")
    assert (october.conversions, october.failures, october.credits, october.bytes_in, october.bytes_out) == (
        9, 4, 18, 90, 9,
    )  # fmt: skip
    assert october.durations == {"007": 3, "048": 2}
    assert sorted(Usage.objects.filter(span="day").values_list("start", "slug", "conversions")) == [
        (date(2026, 10, 31), "", 9),
        (date(2026, 10, 31), "json-to-csv", 9),
        (date(2026, 11, 1), "", 5),
        (date(2026, 11, 1), "html-to-pdf", 5),
        (date(2026, 11, 2), "", 1),
        (date(2026, 11, 2), "json-to-csv", 1),
    ]
    assert statistics.number_of_conversions(user, slug=None, status=None, since=None, end=None) == 15


def test_what_was_redacted_is_taken_out_of_the_history(transactional_db: None) -> None:
    executor, before = MigrationExecutor(connection), [("conversions", "0009_made_by")]
    executor.migrate(before)
    user = make_user(offered=False)
    old = executor.loader.project_state(before).apps.get_model("conversions", "Conversion")
    given = {"operation": "redact", "redactText": "Ada", "redactPattern": None, "fields": '{"name": "Ada"}'}
    common: dict[str, Any] = {"owner_id": user.pk, "plan": "free", "status": "failed", "error_code": "X"}
    for slug in ("pdf-to-pdf", "other-to-pdf"):
        old.objects.create(slug=slug, input_name="a.pdf", input_bytes=1, options=given, **common)
    latest = MigrationExecutor(connection)
    latest.migrate(latest.loader.graph.leaf_nodes())
    assert Conversion.objects.get(slug="pdf-to-pdf").options == {
        "operation": "redact",
        "redactText": True,
        "fields": True,
    }
    assert Conversion.objects.get(slug="other-to-pdf").options == given
