"""Job owners in the sandbox's queue: opaque keys, weighted by plan."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client

from accounts.credits.payers import GuestPayer, UserPayer
from accounts.models import Plan
from conversions.work.job_owner import owner_of
from engine.sandbox.job import Job
from tests.conftest import Person


def test_a_job_weighs_what_the_plan_does(paying: Person, free: Person) -> None:
    Plan.objects.filter(code="pro").update(weight=5)
    paying.account.plan.refresh_from_db()
    found = owner_of(UserPayer(paying.account))
    assert found.weight == 5
    assert Job({}, None, 1.0, owner=found).request().split()[-1] == b"5"
    assert [owner_of(each).weight for each in (UserPayer(free.account), GuestPayer("203.0.113.1"))] == [1, 1]


def test_a_plan_weighs_between_one_and_a_hundred(db: None) -> None:
    plan = Plan.objects.get(code="pro")
    for wrong in (0, 101):
        plan.weight = wrong
        with pytest.raises(ValidationError):
            plan.full_clean()
        with pytest.raises(IntegrityError), transaction.atomic():
            Plan.objects.filter(pk=plan.pk).update(weight=wrong)


def test_staff_change_the_weight_of_a_plan(staff: Client) -> None:
    plan = Plan.objects.get(code="scale")
    page = f"/admin/accounts/plan/{plan.pk}/change/"
    form = staff.get(page).context["adminform"].form
    given = {name: "" if form.initial[name] is None else form.initial[name] for name in form.fields}
    given["api_access"] = "on"
    assert staff.post(page, {**given, "weight": 4}).status_code == 302
    assert Plan.objects.get(code="scale").weight == 4
