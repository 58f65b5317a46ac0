"""Several results as one ZIP, streamed while it is written."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from accounts.credits import throttling
from accounts.credits.payers import owner_or_guest, payer_for_looking
from accounts.lanes import slow
from accounts.models import User
from conversions.models import Conversion
from conversions.work.parameters import FILTERS, read_history_filter
from conversions.work.zip_outbox import Outbox, begun
from engine.toolkit.filenames import clean
from errors import Invalid
from storage import files
from storage.errors import FileNotFound, InvalidFileKey
from storage.keys import is_key
from storage.models import StoredFile

MISSING = "MISSING.txt"
_EXPIRED = gettext_lazy("It has expired.")
_DELETED = gettext_lazy("It was deleted.")
MOST = 2_000
"""Files that one request may name, as many as the page takes from a dropped folder (`static/folders.js`).

Looking up so many unknown keys takes 0.04 s of processor time; a form has room for 240,000 short ones, which took 4 s.
"""
_CHUNK = 256 * 1024
_BATCH = 200
_NAMED = 100
"""Missing files that the archive lists by name; it says how many others there are."""
_DEEPEST = 16


@dataclass(frozen=True)
class _Missing:
    """A requested file that is not in the archive; `name` is the file's if the reader may know it, else its key."""

    name: str
    why: str | Promise


# It reads all requested files, from a storage that may be slow or unreachable.
@slow("POST")
@require_POST
def download_all(request: HttpRequest) -> HttpResponseBase:
    """Download the files whose keys are in the `file` fields, or with `all` all that match the history filter.

    A field may hold several keys separated by spaces; `folders`, a JSON object, gives the archive folder by key. An
    account's file is for that account, a guest's for whoever knows its key. Missing files are listed in the archive.
    Raises FileNotFound if all are missing, TooManyRequests, Invalid for more than MOST keys, and InvalidFileKey.
    """
    payer = payer_for_looking(request)
    throttling.check_bundle(request, payer)
    owner = owner_or_guest(request)
    keys = _whole_history(request, owner) if owner and "all" in request.POST else _asked(request)
    if not keys:
        messages.warning(request, _("Choose files first."))
        return redirect("history" if owner else "convert")
    pieces = begun(_zip(keys, owner, _folders(request, keys)))
    response = StreamingHttpResponse(pieces, content_type="application/zip")
    response["Content-Disposition"] = 'attachment; filename="results.zip"'
    response["Cache-Control"] = "private, no-store"
    return response


def _asked(request: HttpRequest) -> list[str]:
    keys = " ".join(request.POST.getlist("file")).split(maxsplit=MOST)
    if len(keys) > MOST:
        raise Invalid(_("The limit for one ZIP is %(most)s files. Choose fewer files.") % {"most": MOST})
    if not all(map(is_key, keys)):
        raise InvalidFileKey()
    return list(dict.fromkeys(keys))


def _folders(request: HttpRequest, keys: list[str]) -> dict[str, str]:
    """Sanitized folders of these keys, such as `letters/2024`; empty for anything else."""
    try:
        given = json.loads(request.POST.get("folders") or "{}")
    except (ValueError, RecursionError):
        return {}
    found = given if isinstance(given, dict) else {}
    return {key: _folder(found[key]) for key in keys if isinstance(found.get(key), str)}


def _folder(path: str) -> str:
    parts = [each for each in path.replace("\\", "/").split("/") if each.strip(". ")]
    return "/".join(clean(each) for each in parts[:_DEEPEST])


def _whole_history(request: HttpRequest, owner: User) -> list[str]:
    """Keys of all unexpired results, newest first; raises ValidationError for a bad filter."""
    chosen = read_history_filter({name: request.POST.get(name, "") for name in FILTERS})
    kept = chosen.apply(Conversion.objects.filter(owner=owner, expires_at__gt=timezone.now()))
    return list(kept.exclude(file_key="").values_list("file_key", flat=True))


def _found(keys: list[str], owner: User | None) -> Iterator[StoredFile | _Missing]:
    """For each key the file, or why it is unavailable; looked up as late as possible."""
    for start in range(0, len(keys), _BATCH):
        batch = keys[start : start + _BATCH]
        stored = {each.key: each for each in StoredFile.objects.filter(key__in=batch)}
        gone = [each for each in batch if each not in stored]
        known = {each.file_key: each for each in _conversions(gone, owner)}
        for key in batch:
            file, conversion, now = stored.get(key), known.get(key), timezone.now()
            if file is not None and file.owner_id not in (None, owner.pk if owner else None):
                yield _Missing(key, _("It belongs to another account."))
            elif file is not None and file.once:
                yield _Missing(file.name, _("It can be downloaded once, from its own address."))
            elif file is not None:
                yield file if file.expires_at > now else _Missing(file.name, _EXPIRED)
            elif conversion is not None and conversion.expires_at is not None:
                yield _Missing(conversion.output_name or key, _EXPIRED if conversion.expires_at <= now else _DELETED)
            else:
                yield _Missing(key, _("There is no such file. It has expired, was deleted, or never existed."))


def _conversions(keys: list[str], owner: User | None) -> Iterable[Conversion]:
    return Conversion.objects.filter(owner=owner, file_key__in=keys) if owner and keys else ()


def _zip(keys: list[str], owner: User | None, folders: dict[str, str]) -> Iterator[bytes]:
    """The archive in pieces; raises FileNotFound before the first one that is not empty if all files are missing.

    Between pieces the server gives the database connection to others, so there is one after each missing file, too.
    """
    outbox, missing, name_of = Outbox(), _MissingFiles(), _Names(folders)
    has_file = False
    with zipfile.ZipFile(outbox, "w", zipfile.ZIP_STORED) as archive:  # results are mostly compressed already
        for each in _found(keys, owner):
            if isinstance(each, _Missing):
                missing.add(each)
                yield outbox.take()
                continue
            has_file = True
            try:
                source = files.open(each)
            except FileNotFoundError:
                missing.add(_Missing(each.name, _DELETED))
                yield outbox.take()
                continue
            entry = zipfile.ZipInfo(name_of(each), each.created_at.timetuple()[:6])
            with source, archive.open(entry, "w", force_zip64=True) as target:
                while chunk := source.read(_CHUNK):
                    target.write(chunk)
                    yield outbox.take()
        if not has_file:
            raise FileNotFound()
        if missing.number:
            archive.writestr(MISSING, missing.listed())
    yield outbox.take()


class _MissingFiles:
    """The first _NAMED missing files, and how many there are."""

    def __init__(self) -> None:
        self.number = 0
        self._named: list[_Missing] = []

    def add(self, one: _Missing) -> None:
        self.number += 1
        if self.number <= _NAMED:
            self._named.append(one)

    def listed(self) -> str:
        text = ngettext(
            "%(number)s of the requested files is not in this archive:",
            "%(number)s of the requested files are not in this archive:",
            self.number,
        )
        lines = [text % {"number": self.number}, "", *(f"{each.name}: {each.why}" for each in self._named)]
        if others := self.number - len(self._named):
            more = ngettext("%(number)s other file is missing.", "%(number)s other files are missing.", others)
            lines.append(more % {"number": others})
        return "\r\n".join([*lines, ""])


class _Names:
    """Unique names in each folder; duplicates get a number before the extension."""

    def __init__(self, folders: dict[str, str]) -> None:
        self._folders = folders
        self._taken = {MISSING.lower()}
        self._last: dict[str, int] = {}

    def __call__(self, file: StoredFile) -> str:
        folder = self._folders.get(file.key, "")
        whole = f"{folder}/{file.name}" if folder else file.name
        stem, dot, extension = whole.rpartition(".")
        if "/" in extension:
            stem, dot, extension = whole, "", ""
        name, number = whole, self._last.get(whole.lower(), 1)
        while name.lower() in self._taken:
            number += 1
            name = f"{stem if dot else whole} ({number}){dot}{extension if dot else ''}"
        self._last[whole.lower()] = number
        self._taken.add(name.lower())
        return name
