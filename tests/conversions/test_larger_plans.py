"""Who sends too large a file is told of a plan that takes it, on pages and by the API."""

from __future__ import annotations

import html

import pytest
from django.test import Client

from accounts.models import Plan
from conversions.pages.advice import for_size, larger_plans
from tests.conftest import Person

MB = 1_000_000
_FILE = b'--b\r\nContent-Disposition: form-data; name="file"; filename="large.json"\r\n\r\n'


def _refused(person: Person, size: int) -> dict[str, object]:
    """The answer to a file of this size: its head is enough, as the declared length refuses it."""
    answer = person.client.generic(
        "POST",
        "/api/v1/converter/json-to-csv",
        _FILE,
        content_type="multipart/form-data; boundary=b",
        CONTENT_LENGTH=str(size),
    )
    assert answer.status_code == 413
    found: dict[str, object] = answer.json()
    return found


@pytest.mark.parametrize(
    ("size", "code"), [(8, "free"), (24, "starter"), (99, "pro"), (240, "scale"), (315, None)], ids=str
)
def test_a_too_large_file_is_answered_with_the_smallest_plan_that_takes_it(
    guest: Person, size: int, code: str | None
) -> None:
    found = _refused(guest, size * MB)
    assert found["code"] == "GUEST_FILE_TOO_LARGE"
    named = [
        each.name for each in Plan.objects.exclude(code="guest") if f"The {each.name} plan" in str(found["message"])
    ]
    assert named == ([Plan.objects.get(code=code).name] if code else [])
    assert [each.route for each in for_size(size * MB)] == (
        [] if code is None else ["signup", "login"] if code == "free" else ["plans"]
    )


def test_the_answer_follows_limits_that_staff_change(guest: Person) -> None:
    Plan.objects.filter(code="starter").update(max_file_bytes=400 * MB)
    assert "The Starter plan takes files of up to 400 MB" in str(_refused(guest, 315 * MB)["message"])


def test_scripts_know_what_each_plan_takes(client: Client, guest: Person) -> None:
    sizes = [each["bytes"] for each in larger_plans()]
    assert sizes == sorted(Plan.objects.exclude(code="guest").values_list("max_file_bytes", flat=True))
    text = html.unescape(client.get("/").content.decode())
    assert all(f'"bytes": {each}' in text for each in sizes)
