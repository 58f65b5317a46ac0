"""The status page of staff: what works here, and why the rest doesn't."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Any

import pytest
from django.test import Client

from config import health, status
from conversions.models import Restriction
from engine.families.registry import CONVERTERS, DECLARED, MISSING
from engine.toolkit.declaring import Engine
from tests.conftest import Person

PATH = "/admin/status/"


def test_it_is_for_staff_only(guest: Person, free: Person) -> None:
    assert guest.client.get(PATH).status_code == 302
    free.client.force_login(free.account)
    assert free.client.get(PATH).status_code == 302


def test_it_counts_what_works_and_names_what_is_missing(staff: Client) -> None:
    answer = staff.get(PATH)
    assert answer.status_code == 200
    context = answer.context
    assert context["working"] == len(CONVERTERS)
    assert context["declared"] == len(CONVERTERS) + len(MISSING)
    assert sum(each.conversions for each in context["gaps"]) == len(MISSING)
    page = answer.content.decode()
    for gap in context["gaps"]:
        assert gap.absent in page
        assert gap.remedy in page
    assert sum(each.reads for each in context["formats"]) == len(CONVERTERS)
    assert sum(each.of_writes for each in context["formats"]) == len(CONVERTERS) + len(MISSING)
    assert staff.get("/admin/").content.decode().count(PATH) == 1


def test_a_family_whose_library_is_missing_says_what_to_install(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = {slug: each for slug, each in CONVERTERS.items() if not slug.startswith("docx-")}
    lost = tuple(each for each in CONVERTERS if each not in kept)
    monkeypatch.setattr(status, "MISSING", lost)
    monkeypatch.setattr(status, "CONVERTERS", MappingProxyType(kept))
    monkeypatch.setattr(Engine, "absent", property(lambda _: ("docx_reader",)))
    (gap,) = status.status()["gaps"]
    assert (gap.absent, gap.conversions) == ("docx_reader", len({*lost} & {each.slug for each in DECLARED}))
    assert "requirements" in gap.remedy


def test_what_staff_have_switched_off_is_told_apart(staff: Client) -> None:
    Restriction.objects.create(scope="slug", name="json-to-csv")
    context = staff.get(PATH).context
    assert (context["switched_off"], context["working"]) == (1, len(CONVERTERS) - 1)


def test_a_dependency_that_fails_is_named(staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise OSError("secret")

    monkeypatch.setitem(health.CHECKS, "storage", broken)
    page = staff.get(PATH).content.decode()
    assert re.search(r"storage</th><td><strong>", page)
    assert "secret" not in page


def test_an_engine_names_what_it_lacks() -> None:
    engine = Engine("x", modules=("json.decoder", "no_such_module.part"), file="/no/such/file")
    assert (engine.available, engine.absent) == (False, ("no_such_module", "/no/such/file"))
    assert Engine("x", modules=("json",)).available


def test_readiness_is_as_it_was(client: Client, db: None) -> None:
    body: dict[str, Any] = client.get("/readyz").json()
    assert (body["status"], body["failing"]) == ("ok", [])
    assert set(body["isolation"]) == {"processes"}
