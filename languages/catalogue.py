"""Message catalogues: collect messages from the sources, and merge, check and compile translations."""

from __future__ import annotations

import copy
import gettext
import io
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.apps import apps
from django.conf import settings
from django.utils.translation import to_locale
from django.utils.translation.template import templatize

from languages.available import tag
from languages.compiled import compiled_file, outdated, po_file

DOMAINS = ("django", "djangojs")
"""Domains: messages of the server, and of scripts in the browser."""
PYTHON = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop")),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (1, 2)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ((1, "c"), 2)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), ((1, "c"), 2, 3)),
}
"""Translation functions and their arguments, in the form of Babel's extractors."""
SCRIPT = {"t": None, "plural": (1, 2)}
_COMMENT = ("Translators:",)
_EXCLUDED = ("tests", "benchmarks", "clients", "node_modules", "migrations")

Place = tuple[str, str | tuple[str, ...], list[str], str | None]
"""File, message with optional plural, translators' comment, and context."""
Source = Callable[[], Iterable[tuple[str, str | tuple[str, str]]]]
"""What an app yields from `messages` on its AppConfig: places and messages that no gettext call names."""


@dataclass(frozen=True)
class State:
    """A catalogue's state: its messages, untranslated ones, and ones missing from the source."""

    messages: int
    untranslated: tuple[str, ...]
    missing: tuple[str, ...]
    obsolete: tuple[str, ...]

    @property
    def complete(self) -> bool:
        return not (self.untranslated or self.missing or self.obsolete)


def _read(path: Path, kind: str) -> Iterator[Place]:
    text = path.read_text()
    keywords = SCRIPT if kind == "javascript" else PYTHON
    if kind == "template":
        # Blanks out everything outside tags; unindented, the rest parses as Python.
        text = "\n".join(each.lstrip() for each in templatize(text).splitlines())
    method = "javascript" if kind == "javascript" else "python"
    name = str(path.relative_to(settings.BASE_DIR))
    found = extract(method, io.BytesIO(text.encode()), keywords, _COMMENT, strip_comment_tags=True)
    for _, message, comments, context in found:
        yield name, message, comments, context


def _sources(domain: str) -> Iterator[tuple[Path, str]]:
    root = Path(settings.BASE_DIR)
    if domain == "djangojs":
        yield from ((each, "javascript") for each in sorted((root / "static").rglob("*.js")))
        return
    yield root / "errors.py", "python"
    for app in sorted(apps.get_app_configs(), key=lambda each: each.path):
        if root in Path(app.path).parents and ".venv" not in app.path:
            folder = root / Path(app.path).relative_to(root).parts[0]
            for each in sorted(folder.rglob("*.py")):
                if not set(each.relative_to(root).parts) & set(_EXCLUDED):
                    yield each, "python"
    for each in sorted((root / "templates").rglob("*")):
        if each.suffix in (".html", ".txt"):
            yield each, "template"


def collect(domain: str) -> Catalog:
    """All messages of the domain, with their files; raises SyntaxError if a source can't be parsed."""
    catalog = Catalog()
    seen: set[tuple[Path, str]] = set()
    for path, kind in _sources(domain):
        if (path, kind) in seen:
            continue
        seen.add((path, kind))
        for name, message, comments, context in _read(path, kind):
            catalog.add(message, locations=[(name, 0)], auto_comments=comments, context=context)
    if domain == "django":
        for app in apps.get_app_configs():
            source: Source | None = getattr(app, "messages", None)
            for name, message in source() if source else ():
                catalog.add(message, locations=[(name, 0)])
    return catalog


def load(language: str, domain: str) -> Catalog:
    """The current translations; an empty catalogue if there is no file."""
    path = po_file(language, domain)
    locale = to_locale(language)
    if not path.exists():
        return Catalog(locale=locale, domain=domain)
    with path.open("rb") as file:
        return read_po(file, locale=locale, domain=domain)


def update(language: str, domain: str, source: Catalog) -> None:
    """Write the source's messages with existing translations; drops messages that are gone.

    Sorted by message and without line numbers, to avoid merge conflicts.
    """
    catalog = load(language, domain)
    catalog.update(_with_plurals(source, catalog), no_fuzzy_matching=True)
    catalog.obsolete.clear()
    text = io.BytesIO()
    write_po(text, catalog, width=120, omit_header=True, sort_output=True, include_lineno=False, ignore_obsolete=True)
    head = (
        'msgid ""\nmsgstr ""\n'
        f'"Language: {to_locale(language)}\\n"\n'
        '"MIME-Version: 1.0\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n"Content-Transfer-Encoding: 8bit\\n"\n'
        f'"Plural-Forms: {catalog.plural_forms}\\n"\n\n'
    )
    path = po_file(language, domain)
    path.parent.mkdir(parents=True, exist_ok=True)
    _write(path, head.encode() + text.getvalue().strip() + b"\n")


def _with_plurals(source: Catalog, translated: Catalog) -> Catalog:
    """The source's messages, with plural forms where a translation gives them to one of the engine's templates.

    Such a template is one English text for all numbers; each language adds plurals where its grammar needs them.
    """
    found = copy.deepcopy(source)
    for each in translated:
        if isinstance(each.id, tuple) and each.id[0] == each.id[1]:
            message = found.get(each.id[0])
            if message is not None:
                message.id = each.id
    return found


def compile_all() -> list[Path]:
    """Compile catalogues that are newer than their compiled files; returns what was written."""
    written = []
    for language, domain in outdated():
        target = compiled_file(language, domain)
        _write(target, _COMPILERS[domain](language, load(language, domain)))
        written.append(target)
    return written


def _machine(_language: str, catalog: Catalog) -> bytes:
    """A catalogue in gettext's form."""
    binary = io.BytesIO()
    write_mo(binary, catalog)
    return binary.getvalue()


def _script(language: str, catalog: Catalog) -> bytes:
    """Translations by English text; with a number, a list of plurals in the order of `forms`."""
    texts: dict[str, Any] = {}
    for each in catalog:
        strings = [each.string] if isinstance(each.string, str) else [*(each.string or ())]
        if each.id and strings and all(strings) and not each.fuzzy:
            texts[each.id if isinstance(each.id, str) else each.id[0]] = each.string
    dictionary = {"language": tag(language), "forms": _forms(language, catalog), "texts": texts}
    text = json.dumps(dictionary, separators=(",", ":"), ensure_ascii=False)
    return f"globalThis.dictionary={text};\n".encode()


def _forms(language: str, catalog: Catalog) -> list[str]:
    """The catalogue's plural forms in order, by their CLDR names: one, few, many."""
    place, name = gettext.c2py(catalog.plural_expr), Locale.parse(to_locale(language)).plural_form
    return [name(next(each for each in _NUMBERS if place(each) == at)) for at in range(catalog.num_plurals)]


_NUMBERS = range(1000)
"""Sample numbers that select every plural form of every language."""
_COMPILERS = {"django": _machine, "djangojs": _script}


def _write(path: Path, content: bytes) -> None:
    """Replace a file atomically: others may be reading it."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_bytes(content)
    temporary.replace(path)


def _named(message: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    return (message,) if isinstance(message, str) else tuple(message or ())


def state(language: str, domain: str, source: Catalog) -> State:
    """Compare a catalogue with the sources."""
    catalog = load(language, domain)
    have = {(each.id if isinstance(each.id, str) else each.id[0], each.context): each for each in catalog if each.id}
    want = {(each.id if isinstance(each.id, str) else each.id[0], each.context) for each in source if each.id}
    empty = [name for (name, _), each in have.items() if not all(_named(each.string)) or each.fuzzy]
    return State(
        messages=len(want),
        untranslated=tuple(empty),
        missing=tuple(name for name, context in want if (name, context) not in have),
        obsolete=tuple(name for name, context in have if (name, context) not in want),
    )


_PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]|\{(\w*)\}|%[sd]")


def mistakes(language: str, domain: str) -> list[str]:
    """Translations with wrong placeholders, surrounding space or number of plurals."""
    found = []
    catalog = load(language, domain)
    for each in catalog:
        if not each.id:
            continue
        ids, strings = _named(each.id), _named(each.string)
        if not all(strings):
            continue
        if len(ids) > 1 and len(strings) != catalog.num_plurals:
            found.append(f"{ids[0]!r}: {len(strings)} plurals of {catalog.num_plurals}")
        wanted = {match[0] for one in ids for match in _PLACEHOLDER.finditer(one)}
        least = {match[0] for match in _PLACEHOLDER.finditer(ids[0])} & {
            match[0] for match in _PLACEHOLDER.finditer(ids[-1])
        }
        for one in strings:
            given = {match[0] for match in _PLACEHOLDER.finditer(one)}
            if not given <= wanted or (not least <= given if len(ids) == 1 else not given >= least - wanted):
                found.append(f"{ids[0]!r}: placeholders of {one!r}")
            if (one[:1].isspace(), one[-1:].isspace()) != (ids[0][:1].isspace(), ids[0][-1:].isspace()):
                found.append(f"{ids[0]!r}: blanks around {one!r}")
    return found
