"""The export of an account's data, as a ZIP."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model, QuerySet
from django.utils import timezone

from accounts.credits.members import memberships_of
from accounts.login import devices, factors, identities
from accounts.models import User
from apikeys.models import ApiKey
from conversions.models import Conversion
from conversions.work import extracts
from conversions.work.zip_outbox import Outbox
from storage import files
from storage.models import StoredFile

README = """What this service keeps of your account.

account.json      you, your plan and your credits
credits.csv       every movement of your credits, the oldest first
conversions.json  every conversion, with its settings and warnings
api_keys.json     your API keys; the keys themselves are kept nowhere
logins.json       where you are logged in
identities.json   accounts elsewhere that let you in here
organisations.json  which organisations you are a member of, and as what
factors.json      your second factors; what they prove themselves with is left out
files/            converted files that have not expired yet
"""
_SECRET = {"password", "digest", "token"}
_CHUNK = 256 * 1024


def export(user: User, current: str | None = None) -> Iterator[bytes]:
    """A ZIP in pieces, made as they are taken; `current` is the caller's session key.

    Nothing is stored meanwhile: with all results in it, it may have as many bytes as an account may keep, and a slow
    client takes days. Omits files that expire meanwhile, and one-time files.
    """
    outbox = Outbox()
    with zipfile.ZipFile(outbox, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, parts in _entries(user, current):
            with archive.open(name, "w", force_zip64=True) as target:
                for each in parts:
                    target.write(each)
                    if piece := outbox.take():
                        yield piece
    yield outbox.take()


def _entries(user: User, current: str | None) -> Iterator[tuple[str, Iterable[bytes]]]:
    yield "README.txt", [README.encode()]
    yield "account.json", [_json({**_row(user), "plan": user.plan.name, "credits": user.credits})]
    yield "credits.csv", map(str.encode, extracts.of_ledger(user))
    yield "conversions.json", _rows(Conversion.objects.filter(owner=user))
    yield "api_keys.json", _rows(ApiKey.objects.filter(user=user))
    found = [*devices.browsers(user, current), *devices.programs(user)]
    logins = [{"device": each.name, "since": each.since, "usedAt": each.used_at} for each in found]
    yield "logins.json", [_json(logins)]
    yield "identities.json", [_json(identities.exported(user))]
    memberships = [
        {"organisation": each.organisation.name, "role": each.role, "since": each.created_at}
        for each in memberships_of(user)
    ]
    yield "organisations.json", [_json(memberships)]
    yield "factors.json", [_json(factors.exported(user))]
    for file in extracts.pages(StoredFile.objects.filter(owner=user, once=False, expires_at__gt=timezone.now()), "pk"):
        try:
            source = files.open(file)
        except FileNotFoundError:
            continue
        with source:
            yield f"files/{file.key[:8]}/{file.name}", iter(partial(source.read, _CHUNK), b"")


def _row(instance: Model) -> dict[str, Any]:
    fields = instance._meta.concrete_fields
    return {each.name: getattr(instance, each.attname) for each in fields if each.name not in _SECRET}


def _rows(rows: QuerySet[Any]) -> Iterator[bytes]:
    """A JSON array, written one object at a time."""
    between = b"["
    for each in extracts.pages(rows, "pk"):
        yield between + b"\n" + _json(_row(each))
        between = b","
    yield b"[]\n" if between == b"[" else b"\n]\n"


def _json(value: Any) -> bytes:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1).encode()
