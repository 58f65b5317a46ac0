"""The command line: `convert in.html out.pdf --pageSize A4` for files, folders and pipes, without a server.

Does not import Django, which would take several times as long as a small conversion.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from engine.conversion import Sandboxes, save
from engine.families.registry import CONVERTERS, choose
from engine.sandbox.answers import Answer
from engine.sandbox.errors import Crashed, Unavailable
from engine.toolkit.declaring import Converter
from engine.toolkit.explaining import explained
from engine.toolkit.failures import ConversionError, InvalidFields, Unreadable
from engine.toolkit.fields import parse
from engine.toolkit.formats import ZIP, Format, by_filename, by_name
from engine.toolkit.printing import one_line

PIPE = Path("-")


class Refused(Exception):
    """A command that can't be carried out; the message is for whoever typed it, and may quote a file or its name."""

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


@dataclasses.dataclass(frozen=True)
class _Order:
    """The parsed command line; `to` is the output format for a folder or a pipe."""

    source: Path
    target: Path
    came_from: Format | None
    to: Format | None
    update: bool
    fields: dict[str, str]
    explain: bool


def main(
    arguments: Sequence[str],
    *,
    prefix: str,
    data: Path,
    engine: str = "auto",
    unconfined: bool = False,
) -> int:
    """Run the command line that follows `prefix`, the words that invoke it; returns the exit status.

    `data` is the service's own folder, `engine` is what the settings choose for office files; `unconfined` accepts a
    sandbox that is too weak.
    """
    if not choose(engine):
        print(f"{prefix}: {engine} is not installed here.", file=sys.stderr)
        return 1
    try:
        done = convert(arguments, prefix=prefix, data=data, unconfined=unconfined)
    except Refused as error:
        print(f"{prefix}: {error}", file=sys.stderr)
        return 1
    if done:
        print(done)
    return 0


def convert(arguments: Sequence[str], *, prefix: str, data: Path, unconfined: bool) -> str:
    """Convert as `arguments` say, with warnings on standard error; returns a summary, if there is one to print.

    Raises Refused; for a folder, only after trying all of its files.
    """
    order = _parse(arguments, prefix)
    if order.explain:
        return explained(_converter(order, order.source, order.target).options)
    with Sandboxes(data=data, unconfined=unconfined) as sandboxes:
        if order.source.is_dir():
            return _convert_folder(order, sandboxes)
        return _convert_file(order, order.source, order.target, sandboxes)


def _convert_folder(order: _Order, sandboxes: Sandboxes) -> str:
    """Convert each file of a folder and its subfolders to the same place below the target; failures don't stop the
    rest."""
    if order.to is None:
        raise Refused(f"{order.source} is a folder: say what its files become, such as --to pdf.")
    if order.target == PIPE or order.target.is_file():
        raise Refused(f"The files of {order.source} go to a folder, which {order.target} is not.")
    done, failed, left = 0, [], 0
    sources: dict[Path, Path] = {}
    for source in _files(order.source, order.target):
        format = by_filename(source.name)
        target = order.target / source.relative_to(order.source).with_suffix(f".{order.to.extension}")
        if format is None or f"{format.id}-to-{order.to.id}" not in CONVERTERS:
            left += 1
            continue
        first = sources.setdefault(target, source)
        if first is source and _is_current(order, source, target):
            left += 1
            continue
        try:
            if first is not source:
                raise Refused(f"{source}: its result would replace that of {first.name}. Rename one of them.")
            print(_convert_file(order, source, target, sandboxes, named=True))
            done += 1
        except Refused as error:
            print(error, file=sys.stderr)
            failed.append(source)
    summary = f"{done:,} {'file' if done == 1 else 'files'} converted, {left:,} left alone"
    if failed:
        raise Refused(f"{summary}, {len(failed):,} failed.")
    return f"{summary}."


def _files(folder: Path, target: Path) -> Iterator[Path]:
    """The files of a folder, except those in the target, which may be inside it."""
    results = target.resolve()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and results not in (path.resolve(), *path.resolve().parents):
            yield path


def _is_current(order: _Order, source: Path, target: Path) -> bool:
    """Whether the result, or the archive that it became, is newer than its source."""
    results = (target, target.with_suffix(f".{ZIP.extension}"))
    changed = source.stat().st_mtime
    return order.update and any(each.is_file() and each.stat().st_mtime >= changed for each in results)


def _convert_file(order: _Order, source: Path, target: Path, sandboxes: Sandboxes, *, named: bool = False) -> str:
    """Convert one file or pipe; returns a summary, or nothing if the result itself goes to standard output.

    If it is `named`, each warning begins with the file's name.
    """
    converter = _converter(order, source, target)
    try:
        options = parse(converter.options, order.fields)
    except InvalidFields as error:
        raise Refused("; ".join(f"--{name}: {reason}" for name, reason in error.reasons.items())) from error
    try:
        with _opened(source) as file:
            used, answer = sandboxes.convert(converter, options, file)
    except OSError as error:
        raise Refused(f"{source}: {error.strerror}.") from error
    except ConversionError as error:
        place = f" (line {error.line})" if isinstance(error, Unreadable) and error.line else ""
        raise Refused(f"{source}: {error}{place}") from error
    except (Crashed, Unavailable) as error:
        raise Refused(f"The conversion failed because of an error in the service: {error}.") from error
    if answer.format is not converter.output:
        target = _renamed(answer, target)
    with answer.output:
        try:
            _write(answer, target)
        except OSError as error:
            raise Refused(f"{target}: {error.strerror}.") from error
    for warning in answer.warnings:
        place = f"{source}: " if named else ""
        print(one_line(f"{place}{warning.code}: {warning.message}"), file=sys.stderr)
    if target == PIPE:
        return ""
    return one_line(f"{target}: {answer.size:,} bytes of {answer.format.name} by {used.engine.label}")


def _renamed(answer: Answer, target: Path) -> Path:
    """Return where a result goes that is an archive of several files, and say so on standard error."""
    several = f"The result has several files: it is a {answer.format.name}"
    if target == PIPE or (target.exists() and not target.is_file()):
        print(f"{several}.", file=sys.stderr)
        return target
    named = target.with_suffix(f".{answer.format.extension}")
    print(one_line(f"{several}, {named}, and not {target.name}."), file=sys.stderr)
    return named


@contextlib.contextmanager
def _opened(source: Path) -> Iterator[BinaryIO]:
    """The input as a regular file, because a child receives its descriptor and a pipe can't be read twice."""
    if source != PIPE:
        with source.open("rb") as file:
            yield file
        return
    with tempfile.TemporaryFile() as kept:
        shutil.copyfileobj(sys.stdin.buffer, kept)
        kept.seek(0)
        yield kept


def _write(answer: Answer, target: Path) -> None:
    if target == PIPE:
        shutil.copyfileobj(answer.output, sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return
    save(answer.output, target)


def _parse(arguments: Sequence[str], prefix: str) -> _Order:
    parser = argparse.ArgumentParser(
        prog=prefix,
        description="Convert a file, the files of a folder, or what comes through a pipe (-); the extensions tell the "
        "formats. Options are those of the API, as --name value.",
        allow_abbrev=False,
    )
    parser.add_argument("source", type=Path, help="a file, a folder, or - for the standard input")
    parser.add_argument(
        "target", type=Path, help="a file, a folder for those of a folder, or - for the standard output"
    )
    parser.add_argument("--from", dest="came_from", metavar="FORMAT", help="the format of the standard input")
    parser.add_argument("--to", metavar="FORMAT", help="what the files of a folder become, or the standard output is")
    parser.add_argument(
        "--update", action="store_true", help="of a folder, only files that are newer than their result"
    )
    parser.add_argument(
        "--explain", action="store_true", help="say what the options mean, and convert nothing: --explain json csv"
    )
    given, rest = parser.parse_known_args(arguments)
    fields: dict[str, str] = {}
    words = iter(rest)
    for word in words:
        name, equals, value = word.removeprefix("--").partition("=")
        if not word.startswith("--") or not name:
            raise Refused(f"{word} is no option: options are --name value.")
        text = value if equals else next(words, None)
        if text is None:
            raise Refused(f"--{name} needs a value.")
        fields[name] = text
    return _Order(
        given.source,
        given.target,
        _named("--from", given.came_from),
        _named("--to", given.to),
        given.update,
        fields,
        given.explain,
    )


def _named(option: str, name: str | None) -> Format | None:
    format = by_name(name) if name else None
    if name and format is None:
        raise Refused(f"{option}: there is no format {name}.")
    return format


def _bare(path: Path) -> Format | None:
    """The format that a word like `csv` or `.csv` names."""
    return by_name(path.name.removeprefix("."))


def _converter(order: _Order, source: Path, target: Path) -> Converter:
    came_from = order.came_from or by_filename(source.name)
    to = order.to or by_filename(target.name)
    if order.explain:  # which needs no files: their formats will do
        came_from, to = came_from or _bare(source), to or _bare(target)
    for path, format, option in ((source, came_from, "--from"), (target, to, "--to")):
        if path == PIPE and format is None:
            raise Refused(f"Say what the format of - is: {option} json, for example.")
    converter = CONVERTERS.get("-to-".join(each.id for each in (came_from, to) if each))
    if converter is None:
        raise Refused(f"There is no conversion from {source.suffix or source.name} to {target.suffix or target.name}.")
    return converter
