"""Metrics and logs: the names that the dashboard uses, and never a file name, key or path."""

from __future__ import annotations

import ipaddress
import json
import logging
import re
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import REGISTRY

import accounts.metrics
import config.metrics
import conversions.work.metrics
from config.logs import Formatter
from tests.conftest import Person
from tests.conversions.samples import PEOPLE

DASHBOARD = Path(__file__).resolve().parents[2] / "deploy" / "grafana.json"
DECLARED = {
    each._name
    for module in (accounts.metrics, config.metrics, conversions.work.metrics)
    for each in vars(module).values()
    if hasattr(each, "_name")
}


def test_the_dashboard_uses_exactly_the_names_that_are_counted() -> None:
    panels = json.loads(DASHBOARD.read_text())["panels"]
    text = " ".join(target["expr"] for panel in panels for target in panel["targets"])
    used = {re.sub(r"_(total|bucket|sum|count)$", "", name) for name in re.findall(r"fileconv_\w+", text)}
    assert used == DECLARED


def _value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


def test_a_conversion_and_a_refusal_are_counted(paying: Person, caplog: pytest.LogCaptureFixture) -> None:
    before = {
        name: _value(name, **labels)
        for name, labels in (
            ("fileconv_conversions_total", {"slug": "json-to-csv", "outcome": "completed"}),
            ("fileconv_credits_spent_total", {}),
        )
    }
    refused = _value("fileconv_refusals_total", code="UNSUPPORTED_FORMAT")
    with caplog.at_level(logging.INFO, logger="service"):
        paying.convert("json-to-csv", PEOPLE, "salaries of Ada.json")
        paying.convert("json-to-csv", b"{", "salaries of Ada.json")
    assert _value("fileconv_conversions_total", slug="json-to-csv", outcome="completed") == (
        before["fileconv_conversions_total"] + 1
    )
    assert _value("fileconv_credits_spent_total") == before["fileconv_credits_spent_total"] + 1
    assert _value("fileconv_refusals_total", code="UNSUPPORTED_FORMAT") == refused + 1
    lines = [json.loads(Formatter().format(each)) for each in caplog.records if each.name.startswith("service")]
    done = next(each for each in lines if each["message"] == "conversion")
    assert (done["slug"], done["outcome"], done["account"]) == ("json-to-csv", "completed", str(paying.account.pk))
    assert done["durationMs"] >= 0
    text = json.dumps(lines)
    assert "salaries" not in text
    assert "Bearer" not in text
    assert paying.headers["Authorization"].split()[1] not in text


def test_a_download_is_logged_by_its_route_not_by_its_key(guest: Person, caplog: pytest.LogCaptureFixture) -> None:
    url = guest.convert("json-to-csv", PEOPLE).json()["data"]["downloadUrl"]
    with caplog.at_level(logging.INFO, logger="service"):
        guest.download(url)
    lines = [Formatter().format(each) for each in caplog.records if each.name == "service.requests"]
    assert "api/v1/files" in lines[-1]
    assert url.rpartition("/")[2] not in lines[-1]


@pytest.mark.parametrize("address", ["203.0.113.9", "::1"])
def test_metrics_are_for_the_addresses_that_are_allowed(guest: Person, address: str) -> None:
    answer = guest.client.get("/metrics", REMOTE_ADDR=address)
    assert answer.status_code == (200 if address == "::1" else 403)


@pytest.mark.parametrize(
    ("client", "status"), [("10.0.0.7", 403), ("::ffff:10.0.0.7", 403), ("1.1.1.1", 200), ("8.8.8.8", 403)]
)
def test_a_private_address_that_a_proxy_names_may_be_anybodys(
    guest: Person, settings: Any, client: str, status: int
) -> None:
    settings.TRUSTED_PROXY_COUNT = 1
    settings.METRICS_ALLOWED_IPS = [ipaddress.ip_network(each) for each in ("10.0.0.0/8", "1.1.1.1/32")]
    forwarded = guest.client.get("/metrics", REMOTE_ADDR="10.0.0.2", HTTP_X_FORWARDED_FOR=client)
    assert forwarded.status_code == status
    # The collector, which asks without a proxy.
    assert guest.client.get("/metrics", REMOTE_ADDR="10.0.0.9").status_code == 200
