"""A database that an earlier release has filled, brought up to date."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from conversions.models import Conversion
from storage.models import Removal, StoredFile
from tests.conftest import make_user, with_token

BEFORE = [("conversions", "0003_idempotency_token"), ("storage", "0002_one_level_of_folders")]


@pytest.fixture
def before(transactional_db: None) -> Iterator[MigrationExecutor]:
    """The database as the release before receipts had it, and as all other tests have it again afterwards."""
    executor = MigrationExecutor(connection)
    executor.migrate(BEFORE)
    yield executor
    latest = MigrationExecutor(connection)
    latest.migrate(latest.loader.graph.leaf_nodes())


def test_what_was_converted_and_stored_is_kept_and_has_a_receipt(before: MigrationExecutor) -> None:
    user = make_user("pro", offered=False)
    then = before.loader.project_state(BEFORE).apps
    now = timezone.now()
    key = f"{'a' * 32}.csv"
    then.get_model("storage", "StoredFile").objects.create(
        key=key, name="a.csv", content_type="text/csv", size=3, sha256="b" * 64, owner_id=user.pk,
        expires_at=now + timedelta(hours=1),
    )  # fmt: skip
    made = [
        then.get_model("conversions", "Conversion").objects.create(
            owner_id=user.pk, plan="pro", slug="json-to-csv", input_name="a.json", input_bytes=2, **outcome
        )
        for outcome in (
            {"status": "completed", "file_key": key, "output_name": "a.csv", "output_bytes": 3, "sha256": "b" * 64,
             "content_type": "text/csv", "expires_at": now + timedelta(hours=1), "credits": 1},
            {"status": "failed", "error_code": "UNSUPPORTED_FORMAT", "error_message": "no"},
        )
    ]  # fmt: skip
    latest = MigrationExecutor(connection)
    latest.migrate(latest.loader.graph.leaf_nodes())
    assert {each.pk for each in Conversion.objects.filter(verified__isnull=True, input_sha256="")} == {
        each.pk for each in made
    }
    assert StoredFile.objects.get().key == key
    assert not Removal.objects.exists()
    person = with_token(user)
    receipts = [person.get(f"/converter/history/{each.pk}/receipt").json()["data"]["receipt"] for each in made]
    assert [each["input"]["sha256"] for each in receipts] == [None, None]
    assert receipts[0]["output"]["sha256"] == "b" * 64
    assert receipts[1]["output"] is None
    assert "verified" not in person.get(f"/converter/history/{made[0].pk}").json()["data"]
