"""The command `fileconv`: converts files, folders and pipes."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fileconv import bridge, completion, keys
from fileconv.client import Client
from fileconv.errors import FileconvError, Unreachable
from fileconv.exchange import DEFAULT_URL, Result, camel, extension_of

DONE, REFUSED, MISUSED, UNREACHABLE = 0, 1, 2, 3
PIPE = "-"
_WIDTH = 30
_UNPRINTABLE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f]")
_CLEAR = "\r\x1b[K"
"""Clears the current line of a terminal."""


@dataclass(frozen=True)
class Task:
    """One file to convert: `content` if it came from a pipe; `target` is a file, a folder or the pipe."""

    source: Path
    target: Path | None
    content: bytes | None = field(default=None, repr=False)


class Misused(Exception):
    """The command line is invalid."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    parser = _parser()
    options, rest = parser.parse_known_args(given)
    url = options.url or os.environ.get("FILECONV_URL") or DEFAULT_URL
    try:
        key = keys.found(url)
        if options.files[:1] == ["login"]:
            return keys.log_in(url)
        with Client(url, key) as client:
            if options.files[:1] == ["mcp"]:
                return bridge.run(client)
            if options.files[:1] == ["formats"]:
                return _list(client, options.files[1:])
            if options.files[:1] == ["completion"]:
                print(completion.script(client, *options.files[1:2]))
                return DONE
            tasks, to = _planned(options)
            return _convert_all(client, tasks, to, _choices(rest), options)
    except Misused as error:
        parser.print_usage(sys.stderr)
        print(f"fileconv: {error}", file=sys.stderr)
        return MISUSED
    except Unreachable as error:
        print(f"fileconv: {error}", file=sys.stderr)
        return UNREACHABLE
    except FileconvError as error:
        print(f"fileconv: {error.code or 'error'}: {error}", file=sys.stderr)
        return REFUSED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="fileconv",
        description="Convert files. `fileconv a.docx b.pdf`, `fileconv --to csv *.xlsx`, `fileconv formats pdf`.",
        epilog="Options of a conversion follow by their names: --page-size Letter. Also: login, completion, mcp.",
        allow_abbrev=False,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="files and folders; - is standard input or output")
    parser.add_argument("--to", help="the format to convert to, such as pdf")
    parser.add_argument("--from", dest="source_format", help="the format of standard input")
    parser.add_argument("-o", "--output", type=Path, help="the folder to write to; beside each file unless given")
    parser.add_argument("--url", help="where the service is (FILECONV_URL)")
    parser.add_argument("--jobs", type=int, default=4, help="files at once (4)")
    parser.add_argument("--json", action="store_true", help="tell each result as a line of JSON on standard output")
    parser.add_argument("-q", "--quiet", action="store_true", help="tell what went wrong and nothing else")
    return parser


def _choices(rest: Sequence[str]) -> dict[str, str]:
    """The conversion's options: `--page-size Letter`, `--page-size=Letter`, and `--flag` for true."""
    found: dict[str, str] = {}
    left = list(rest)
    while left:
        each = left.pop(0)
        if not each.startswith("--") or len(each) == 2:
            raise Misused(f"{each!r} is neither a file nor an option.")
        name, equals, value = each[2:].partition("=")
        if not equals:
            value = left.pop(0) if left and not left[0].startswith("--") else "true"
        found[camel(name)] = value
    return found


def _planned(options: argparse.Namespace) -> tuple[list[Task], str]:
    """The files to convert and their target format; raises Misused."""
    names: list[str] = options.files
    if options.to is None:
        if len(names) != 2 or not extension_of(names[1]) or options.output:
            raise Misused("say what to convert to: `fileconv a.docx b.pdf`, or `--to pdf` for any number of files.")
        return [_task(names[0], Path(names[1]), options.source_format)], extension_of(names[1])
    if PIPE in names:
        if len(names) > 2 or names[0] != PIPE:
            raise Misused("standard input is converted alone: `fileconv - - --from json --to csv`.")
        target = Path(names[1]) if len(names) == 2 else Path(PIPE)
        return [_task(PIPE, target, options.source_format)], options.to
    tasks = [_task(str(path), _beside(path, root, options.output), None) for path, root in _walked(names)]
    if not tasks:
        raise Misused("there is no file in these folders.")
    return tasks, options.to


def _task(name: str, target: Path | None, source_format: str | None) -> Task:
    if name != PIPE:
        if not Path(name).is_file():
            raise Misused(f"{name} is no file.")
        return Task(Path(name), target)
    if source_format is None:
        raise Misused("say what standard input is: --from json")
    return Task(Path(f"input.{source_format}"), target, sys.stdin.buffer.read())


def _walked(names: Sequence[str]) -> Iterator[tuple[Path, Path]]:
    """Each file, including those in folders, with the folder relative to which its path is kept."""
    for name in names:
        path = Path(name)
        if path.is_dir():
            yield from ((each, path) for each in sorted(path.rglob("*")) if each.is_file())
        else:
            yield path, path.parent


def _beside(path: Path, root: Path, output: Path | None) -> Path:
    folder = path.parent if output is None else output / path.parent.relative_to(root)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _convert_all(
    client: Client, tasks: list[Task], to: str, choices: dict[str, str], options: argparse.Namespace
) -> int:
    teller = _Teller(len(tasks), options)
    first = _first_of_each_result(tasks)

    def convert(task: Task) -> bool:
        if (other := first[_result_of(task)]) is not task:
            reason = f"its result would replace that of {other.source.name}: rename one of them, or convert it alone."
            teller.report_failed(task, FileconvError(reason))
            return False
        source = task.content if task.content is not None else task.source
        try:
            result = client.convert(source, to=to, name=task.source.name, **choices)
            teller.report(task, result, _written(result, task.target))
        except FileconvError as error:
            teller.report_failed(task, error)
            return False
        except OSError as error:
            teller.report_failed(task, FileconvError(str(error)))
            return False
        return True

    with ThreadPoolExecutor(max(1, options.jobs)) as pool:
        done = list(pool.map(convert, tasks))
    if teller.lost and not any(done):
        return UNREACHABLE
    return DONE if all(done) else REFUSED


def _result_of(task: Task) -> tuple[Path | None, str]:
    """What tells the results of tasks apart: the service names them after their files."""
    name = task.source.name.removesuffix(".gz")
    return task.target, name.rpartition(".")[0] or name


def _first_of_each_result(tasks: Sequence[Task]) -> dict[tuple[Path | None, str], Task]:
    return {_result_of(each): each for each in reversed(tasks)}


def _written(result: Result, target: Path | None) -> str:
    if target == Path(PIPE):
        sys.stdout.buffer.write(result.content)
        sys.stdout.buffer.flush()
        return PIPE
    return str(result.save(target))


class _Teller:
    """Reports progress from any thread: a line per file and, on a terminal, a bar below them."""

    def __init__(self, total: int, options: argparse.Namespace) -> None:
        self._total = total
        self._as_json = options.json
        self._quiet = options.quiet
        self._bar = total > 1 and not options.quiet and sys.stderr.isatty()
        self._reported = 0
        self._failed = 0
        self._lock = threading.Lock()
        self.lost = False

    def report(self, task: Task, result: Result, written: str) -> None:
        if self._as_json and written != PIPE:
            self._line({"input": str(task.source), "output": written, **result.record}, "")
            return
        warnings = "".join(f"\n  {each.code}: {each.message}" for each in result.warnings)
        self._line(None, f"{task.source} -> {written}{warnings}")

    def report_failed(self, task: Task, error: FileconvError) -> None:
        self.lost = self.lost or isinstance(error, Unreachable)
        record: dict[str, Any] = {"input": str(task.source), "code": error.code, "message": error.message}
        record |= {"details": error.details, "meta": error.meta, "requestId": error.request_id}
        self._line(record if self._as_json else None, f"{task.source}: {error.code}: {error.message}", failed=True)

    def _line(self, record: dict[str, Any] | None, text: str, *, failed: bool = False) -> None:
        with self._lock:
            self._reported += 1
            self._failed += failed
            if self._bar:
                print(_CLEAR, end="", file=sys.stderr)
            if record is not None:
                print(json.dumps(record, ensure_ascii=False), flush=True)
            elif failed or not self._quiet:
                place = f"[{self._reported}/{self._total}] " if self._total > 1 else ""
                # Warnings quote the file, which must not control the terminal.
                print(place + _UNPRINTABLE.sub("\ufffd", text), file=sys.stderr, flush=True)
            if self._bar and self._reported < self._total:
                print(self._drawn(), end="", file=sys.stderr, flush=True)

    def _drawn(self) -> str:
        done = _WIDTH * self._reported // self._total
        failed = f", {self._failed:,} failed" if self._failed else ""
        return f"{'█' * done}{'░' * (_WIDTH - done)} {self._reported:,} of {self._total:,}{failed}"


def _list(client: Client, words: Sequence[str]) -> int:
    for each in client.formats()["conversions"]:
        if all(word.lower() in f"{each['slug']} {each['summary']}".lower() for word in words):
            print(f"{each['slug']:28} {each['summary']}")
    return DONE


if __name__ == "__main__":
    sys.exit(main())
