"""The export of an account's data, as a ZIP."""

from __future__ import annotations

import json
import shutil
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, cast

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model, QuerySet
from django.utils import timezone

from accounts.credits.members import memberships_of
from accounts.login import devices, factors, identities
from accounts.models import User
from apikeys.models import ApiKey
from conversions.models import Conversion
from conversions.work import extracts
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


def export(user: User, current: str | None = None) -> BinaryIO:
    """Write a ZIP to a temporary file, rewound; `current` is the caller's session key.

    Omits files that expire meanwhile, and one-time files.
    """
    target = cast("BinaryIO", tempfile.TemporaryFile(dir=settings.TEMPORARY_DIR))  # noqa: SIM115  # the caller closes it
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", README)
        archive.writestr("account.json", _json({**_row(user), "plan": user.plan.name, "credits": user.credits}))
        _write(archive, "credits.csv", extracts.of_ledger(user))
        _write(archive, "conversions.json", _rows(Conversion.objects.filter(owner=user)))
        _write(archive, "api_keys.json", _rows(ApiKey.objects.filter(user=user)))
        found = [*devices.browsers(user, current), *devices.programs(user)]
        logins = [{"device": each.name, "since": each.since, "usedAt": each.used_at} for each in found]
        archive.writestr("logins.json", _json(logins))
        archive.writestr("identities.json", _json(identities.exported(user)))
        memberships = [
            {"organisation": each.organisation.name, "role": each.role, "since": each.created_at}
            for each in memberships_of(user)
        ]
        archive.writestr("organisations.json", _json(memberships))
        archive.writestr("factors.json", _json(factors.exported(user)))
        for file in extracts.pages(
            StoredFile.objects.filter(owner=user, once=False, expires_at__gt=timezone.now()), "pk"
        ):
            _add(archive, file)
    target.seek(0)
    return target


def _add(archive: zipfile.ZipFile, file: StoredFile) -> None:
    try:
        source = files.open(file)
    except FileNotFoundError:
        return
    with source, archive.open(f"files/{file.key[:8]}/{file.name}", "w", force_zip64=True) as target:
        shutil.copyfileobj(source, target)


def _row(instance: Model) -> dict[str, Any]:
    fields = instance._meta.concrete_fields
    return {each.name: getattr(instance, each.attname) for each in fields if each.name not in _SECRET}


def _rows(rows: QuerySet[Any]) -> Iterator[str]:
    """A JSON array, written one object at a time."""
    between = "["
    for each in extracts.pages(rows, "pk"):
        yield f"{between}\n{_json(_row(each))}"
        between = ","
    yield "[]\n" if between == "[" else "\n]\n"


def _write(archive: zipfile.ZipFile, name: str, parts: Iterable[str]) -> None:
    with archive.open(name, "w", force_zip64=True) as target:
        for part in parts:
            target.write(part.encode())


def _json(value: Any) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
