"""Coverage-guided fuzzing of one of our own parsers: `python -m tests.hostile.fuzzing NAME FOLDER --seconds 300`.

What a parser may do with any bytes is to read them or to refuse them with a typed failure; anything else ends the run
with exit status 77 and leaves the input in the folder as `crash-...`, what takes over 20 s as `timeout-...`.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import json
import os
import pkgutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SECONDS_EACH = 20
LARGEST = 16_384
MEMORY_MB = 3_000


@dataclass(frozen=True)
class Target:
    """One parser: the modules whose branches guide the search, what a run does with some bytes, and first inputs.

    `prepare` is called before the modules are imported.
    """

    modules: tuple[str, ...]
    make: Callable[[], Callable[[bytes], None]]
    seeds: Callable[[], Iterable[bytes]]
    prepare: Callable[[], None] = lambda: None


def _sources(*formats: str) -> Callable[[], Iterable[bytes]]:
    """Small inputs of these formats out of the vectors."""

    def seeds() -> Iterable[bytes]:
        from tests.converters.vectors import VECTORS

        made = {each.source() for each in VECTORS if each.slug.partition("-to-")[0] in formats}
        return sorted(each for each in made if len(each) <= LARGEST)

    return seeds


def _converter(slug: str, **options: str | bool | int) -> Callable[[], Callable[[bytes], None]]:
    """A whole conversion in this process, with these options by public name."""

    def make() -> Callable[[bytes], None]:
        from engine.families.registry import CONVERTERS
        from engine.toolkit.failures import ConversionError
        from engine.toolkit.options import build
        from engine.toolkit.warnings import Warn

        converter = CONVERTERS[slug]
        given = build(converter.options, options)

        def run(data: bytes) -> None:
            with tempfile.TemporaryDirectory(dir=_memory()) as folder:
                source = Path(folder, f"input.{converter.input.id}")
                source.write_bytes(data)
                try:
                    converter.run(source, Path(folder, f"output.{converter.output.id}"), given, Warn())
                except ConversionError:
                    return

        return run

    return make


def _memory() -> str | None:
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def _rtf() -> Callable[[bytes], None]:
    from engine.families.documents import rtf

    def run(data: bytes) -> None:
        text, replaced = rtf.to_utf8(data)
        text.decode("utf-8")
        assert replaced >= 0

    return run


def _css() -> Callable[[bytes], None]:
    from engine.families.html_pdf.css.sheets import Sheets
    from engine.families.html_pdf.source import cleaning
    from engine.families.html_pdf.xhtml2pdf.styles import Styles
    from engine.toolkit.failures import OverLimit
    from engine.toolkit.warnings import Warn

    root = cleaning.parse("<div class=a><p id=i class=b>x<table><tr><td>y</table></div>")

    def run(data: bytes) -> None:
        text = data.decode("utf-8", "replace")
        sheets = Sheets(frozenset(("p", ".a", ".b", "#i")), Warn(), as_written=True)
        try:
            sheets.sheet(text)
            next(root.iter("p")).set("style", sheets.inline(text.replace("\0", "")))
        except (OverLimit, ValueError):  # a style that no parser of HTML hands over has controls in it
            return
        styles = Styles(root, sheets.lowered, Warn())
        for element in root.iter():
            styles.computed(element, {})

    return run


def _css_seeds() -> Iterable[bytes]:
    return (
        b"@page { size: A4; margin: 1cm 2cm } p { color: #123; border: 1px solid rgb(1 2 3 / 50%) }",
        b"@media print and (min-width: 10cm) { .a > .b:nth-child(2n+1)::before { content: 'x' counter(y) } }",
        b".g { display: grid; grid: 'a b' 1fr 'c d' minmax(10px, 2fr) / repeat(auto-fit, minmax(80pt, 1fr)) auto }",
        b":root { --x: var(--y, 1px); --y: calc(1px + 2%) } div { margin: var(--x) auto; background: url(data:,x) }",
        b"@font-face { font-family: X; src: url('data:font/ttf;base64,AAEA') } @import 'x.css'; td{width:1e9px}",
    )


def _set_up() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()


def _multipart() -> Callable[[bytes], None]:
    from django.test import RequestFactory
    from rest_framework.exceptions import APIException

    from accounts.credits import limits
    from conversions import uploads

    numbers = {each.name: 1_000 for each in dataclasses.fields(limits.Limits)}
    most: Any = limits.Limits(**numbers)  # type: ignore[arg-type]  # only sizes are asked for
    requests = RequestFactory()

    def run(data: bytes) -> None:
        request = requests.generic("POST", "/", data, content_type="multipart/form-data; boundary=x")
        try:
            upload = uploads.receive(request, most, guest=True)
        except APIException:
            return
        with upload.file as file:
            assert len(file.read()) == upload.size

    return run


def _multipart_seeds() -> Iterable[bytes]:
    part = b'--x\r\nContent-Disposition: form-data; name="%s"%s\r\n\r\n%s\r\n'
    file = part % (b"file", b'; filename="a.json"\r\nContent-Type: application/json', b"[]")
    return (
        file + b"--x--\r\n",
        part % (b"delimiter", b"", b";") + file + b"--x--\r\n",
        part % (b"file", b"; filename*=UTF-8''%e2%82%ac.csv", b"a") + b"--x--",
        part % (b"file", b'; filename="a"\r\nContent-Transfer-Encoding: base64', b"W10=") + b"--x--\r\n",
    )


def _head() -> Callable[[bytes], None]:
    from gunicorn.config import Config
    from gunicorn.http import RequestParser
    from gunicorn.http.errors import ParseException

    from config.server import head
    from config.server.framing import Framing
    from config.server.received import Received

    folder, settings = Path(tempfile.gettempdir()), Config()

    def framed(data: bytes, step: int) -> tuple[int, int | None, bool]:
        framing, received = Framing(), Received(folder)
        for at in range(0, len(data), step):
            assert framing.missing(received, LARGEST) > 0
            received.append(data[at : at + step])
            framing.advance(received, data[at : at + step])
            if framing.complete or framing.endless:
                break
        return framing.head, framing.length, framing.complete

    def run(data: bytes) -> None:
        # However the bytes are split, the request ends, or does not, in the same way; but for a bare line feed, at
        # which it ends as soon as one is seen.
        apart, together = framed(data, 1), framed(data, max(1, len(data)))
        assert apart == together or data.count(b"\n") != data.count(b"\r\n")
        try:
            head.check(next(RequestParser(settings, iter([data]), ("127.0.0.1", 1))))
        except (ParseException, StopIteration, OSError):
            return

    return run


def _head_seeds() -> Iterable[bytes]:
    return (
        b"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        b"POST http://a/x?y=1 HTTP/1.1\r\nHost: a:80\r\nContent-Length: 3\r\n\r\nabc",
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;e=1\r\nabc\r\n0\r\nT: u\r\n\r\n",
    )


TARGETS: Mapping[str, Target] = {
    "xml": Target(("engine.families.data.readers.xml_text",), _converter("xml-to-json"), _sources("xml")),
    "yaml": Target(("engine.families.data.readers.yaml_text",), _converter("yaml-to-json"), _sources("yaml")),
    "xlsx": Target(
        (
            "engine.families.data.readers.workbooks",
            "engine.families.data.workbooks.sheet_bounds",
            "engine.toolkit.archive",
        ),
        _converter("xlsx-to-json"),
        _sources("xlsx", "ods"),
    ),
    "biff": Target(("engine.families.data.workbooks.biff",), _converter("xls-to-json"), _sources("xls")),
    "rtf": Target(("engine.families.documents.rtf",), lambda: _rtf(), _sources("rtf")),
    "json_csv": Target(
        ("engine.families.data.json_input", "engine.families.data.writers.token_lines"),
        _converter("json-to-csv"),
        _sources("json", "ndjson"),
    ),
    "multipart": Target(
        ("conversions.uploads", "django.http.multipartparser"), lambda: _multipart(), _multipart_seeds, _set_up
    ),
    "head": Target(("config.server", "gunicorn.http"), lambda: _head(), _head_seeds),
    "css": Target(("engine.families.html_pdf.xhtml2pdf.styles",), lambda: _css(), _css_seeds),
}
"""Every parser that is our own, by the name it is asked for with."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("name", choices=TARGETS)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=int, default=0)
    parser.add_argument("--runs", type=int, default=0)
    given = parser.parse_args()
    import atheris

    target = TARGETS[given.name]
    target.prepare()
    with atheris.instrument_imports(include=list(target.modules)):
        for name in target.modules:
            module = importlib.import_module(name)
            for each in pkgutil.iter_modules(getattr(module, "__path__", ()), f"{name}."):
                importlib.import_module(each.name)
    run = target.make()
    corpus = given.folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    # The vectors take seconds to make: a short run begins with nothing.
    for number, seed in enumerate(target.seeds() if given.seconds else ()):
        (corpus / f"seed-{number}").write_bytes(seed)
    counted = {"inputs": 0}

    def once(data: bytes) -> None:
        counted["inputs"] += 1
        if counted["inputs"] % 100 == 0:
            (given.folder / "counted.json").write_text(json.dumps(counted))
        run(data)

    limits = [f"-max_total_time={given.seconds}"] if given.seconds else [f"-runs={given.runs}"]
    flags = [*limits, f"-timeout={SECONDS_EACH}", f"-rss_limit_mb={MEMORY_MB}", f"-max_len={LARGEST}"]
    atheris.Setup([sys.argv[0], *flags, f"-artifact_prefix={given.folder}/", "-print_final_stats=1", str(corpus)], once)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
