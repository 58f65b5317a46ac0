"""The file of a tool call: text, base64 data, or the URL of a stored result."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils import timezone
from rest_framework.exceptions import ValidationError

from accounts.credits.payers import Payer
from conversions.models import Conversion
from conversions.uploads import Upload
from conversions.uploads.received import Bound, temporary
from engine.toolkit import filenames
from storage import files, onetime
from storage.errors import FileNotFound, NotYours
from storage.keys import is_key
from storage.models import StoredFile

SCHEMA: dict[str, Any] = {
    "text": {"type": "string", "description": "The file's content where it is text (UTF-8)."},
    "data": {"type": "string", "description": "The file's bytes in base64, where it is not text."},
    "file": {
        "type": "string",
        "description": "The address of a file of this service, as an earlier conversion has given it, to convert that.",
    },
    "filename": {"type": "string", "description": "The file's name with its extension, such as `report.docx`."},
}
"""The arguments for a file: exactly one of `text`, `data` and `file`."""

_KEY = re.compile(r"/api/v1/files/([^/?#]+)")


@dataclass(frozen=True)
class FileArguments:
    """The validated file arguments."""

    text: str | None
    data: str | None
    file: str | None
    filename: str | None


def parse(arguments: dict[str, Any]) -> FileArguments:
    """Validate the file arguments; raises ValidationError unless they name one file."""
    values = {name: arguments.get(name) for name in SCHEMA}
    wrong = {name: "Send a text." for name, each in values.items() if each is not None and not isinstance(each, str)}
    if wrong:
        raise ValidationError(wrong)
    found = FileArguments(**values)
    if sum(each is not None for each in (found.text, found.data, found.file)) != 1:
        raise ValidationError({"text": "Send the file as exactly one of text, data (base64) and file (its address)."})
    return found


@contextmanager
def received(
    payer: Payer, found: FileArguments, *, default_name: str, check: Callable[[str], None]
) -> Iterator[Upload]:
    """The file as an upload, closed after the block; `default_name` is for one without a name.

    A one-time file of this service is deleted if the block succeeds, and stays if it fails. `check` raises for a name
    that can't be converted, before anything is read. Raises what that does, ValidationError, FileTooLarge,
    GuestFileTooLarge, FileNotFound, DownloadInProgress and NotYours.
    """
    bound = Bound(payer.limits, payer.owner is None)
    if found.file is not None:
        with _stored(payer, found.file, found.filename, bound, check) as upload:
            yield upload
        return
    name = filenames.clean(found.filename or default_name)
    check(name)
    content = found.text.encode("utf-8", "replace") if found.text is not None else _decoded(found.data or "")
    bound.over(len(content))
    with temporary(len(content)) as file:
        file.write(content)
        file.seek(0)
        yield Upload(file, name, len(content), hashlib.sha256(content).hexdigest(), QueryDict())


def sha256_of_gone(payer: Payer, found: FileArguments) -> str | None:
    """The hash of a file of the payer's that was taken, deleted or has expired, by the record of its conversion.

    None for a file that is still there, and for what never was one of the payer's account.
    """
    key = None if found.file is None else _key_of(found.file)
    if key is None or payer.owner is None or not is_key(key) or _row_of(key) is not None:
        return None
    rows = Conversion.objects.filter(owner=payer.owner, file_key=key)
    return rows.values_list("sha256", flat=True).first()


def _key_of(address: str) -> str:
    match = _KEY.search(address)
    return match[1] if match else address


def _row_of(address: str) -> StoredFile | None:
    key = _key_of(address)
    return StoredFile.objects.filter(key=key, expires_at__gt=timezone.now()).first() if is_key(key) else None


def _decoded(data: str) -> bytes:
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise ValidationError({"data": "This is not base64 (RFC 4648, section 4)."}) from None


@contextmanager
def _stored(
    payer: Payer, address: str, named: str | None, bound: Bound, check: Callable[[str], None]
) -> Iterator[Upload]:
    row = _row_of(address)
    if row is None:
        raise FileNotFound("There is no such file here, or it has expired. Give its content as text or data.")
    if row.owner_id is not None and (payer.owner is None or payer.owner.pk != row.owner_id):
        raise NotYours()
    name = filenames.clean(named or row.name)
    check(name)
    bound.over(row.size)
    with ExitStack() as opened:
        file = opened.enter_context(temporary(row.size))
        try:
            source = opened.enter_context(onetime.read_once(row) if row.once else files.open(row))
        except FileNotFoundError:
            raise FileNotFound() from None
        shutil.copyfileobj(source, file)
        file.seek(0)
        yield Upload(file, name, row.size, row.sha256, QueryDict())
