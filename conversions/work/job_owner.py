"""The owner of a job, as the sandbox's queue sees it."""

from __future__ import annotations

from django.utils.crypto import salted_hmac

from accounts.credits.payers import Payer
from engine.sandbox.line import JobOwner


def owner_of(payer: Payer) -> JobOwner:
    """Keyed hashes that let the queue be fair, and the plan's weight: the sandbox sees neither account nor address."""
    return JobOwner(_hidden(payer.block), _hidden(payer.key), payer.plan.weight)


def _hidden(name: str) -> str:
    return salted_hmac("conversions.work.job_owner", name, algorithm="sha256").hexdigest()[:32]
