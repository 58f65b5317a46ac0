"""The service against its own OpenAPI document: whatever is sent, every answer is one that the document knows."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from accounts.models import LimitOverride, Plan, User
from tests.conftest import make_user, with_key, with_token
from tests.hostile.figures import Report, scaled
from tests.server.conftest import Server

cases = pytest.importorskip("tests.hostile.cases", reason="schemathesis is not installed")

CASES = 10_000
PLENTY: dict[str, int] = {"requests_per_minute": 10_000_000, "concurrent_jobs": 1_000}
CUT = ("json-to-csv", "html-to-pdf", "png-to-jpg")


def trial(server: Server) -> Any:
    """A guest, an account with a token, and one with a key, none of whom any limit stops."""
    Plan.objects.filter(code="guest").update(credits=1_000_000, **PLENTY)
    user = make_user("scale")
    LimitOverride.objects.create(user=user, **PLENTY)
    user = User.objects.get(pk=user.pk)
    headers = with_key(user).headers
    return cases.Trial(
        server.url, {"guest": dict, "program": lambda: headers, "person": lambda: with_token(user).headers}
    )


def operations(server: Server) -> list[Any]:
    return list(cases.load(httpx.get(f"{server.url}/api/v1/schema?full=yes", timeout=60).json()))


def report_of(found: Any, server: Server) -> str:
    """What is wrong, and what the service has said about it beside its lines for each request."""
    logged = [each for each in server.log.read_text(errors="replace").splitlines() if '"level": "INFO"' not in each]
    return "\n\n".join([*(f"{label}: {text}" for (label, _), text in found.findings.items()), "\n".join(logged[-200:])])


def test_answers_are_those_of_the_document(server: Server) -> None:
    found = trial(server)
    for each in operations(server):
        if "/converter/" not in each.path or "-to-" not in each.path or each.path.endswith(CUT):
            found.run(each, cases=8 if each.path.endswith(CUT) else 4, fixed=True)
    assert found.statuses.total() >= 50
    assert 201 in found.statuses
    assert not found.findings, report_of(found, server)


@pytest.mark.soak
def test_ten_thousand_answers_are_those_of_the_document(server: Server, report: Report) -> None:
    with report.part("schema") as part:
        found, wanted = trial(server), scaled(CASES)
        todo = operations(server)
        share = -(-wanted // len(todo))
        try:
            while found.statuses.total() < wanted:
                for each in todo:
                    found.run(each, cases=share)
                share = max(1, share // 5)
        finally:
            print(report_of(found, server))
            statuses = ", ".join(f"{number} x {status}" for status, number in sorted(found.statuses.items()))
            callers = ", ".join(f"{number} by {name}" for name, number in sorted(found.by_caller.items()))
            part.say(
                f"{found.statuses.total()} requests to {len(todo)} operations, {callers}: {statuses}; "
                f"{len(found.findings)} kinds of answers outside the schema",
                held=found.statuses.total() >= wanted and not found.findings,
            )
        assert not found.findings, report_of(found, server)
