"""Run pandoc on one document, in a program that may access nothing else."""

from __future__ import annotations

import functools
import importlib.util
import json
import math
import re
import resource
import signal
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.families.documents import list_numbers
from engine.toolkit import office_links
from engine.toolkit.census import ALL
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

EPOCH = "315532800"
"""The date of everything written: 1980-01-01, the earliest in a ZIP."""

_HEAP = "512M"
_SHORT, _ROOM = 100_000, "64M"
"""Below this many bytes a document is done before the first garbage collection, given this allocation area."""
_FILTER = Path(__file__).with_name("pandoc.lua")
_POSITION = re.compile(r"line (\d+),\s*column (\d+)")
# pandoc's manual, "Exit codes"; 251 is the run-time system's "heap exhausted", 2 its stack overflow.
_MEMORY = {251, 2}
_OUTSIDE = {97, 98, 99}
# An unexpected exception in one of Haskell's libraries ends pandoc with 1, whatever the cause.
_UNEXPECTED = re.compile(r"Cannot decode (?:byte|input)")
_BAD_INPUT = {25, 31, 44, 63, 64, 91, 92, 94}


def _program() -> str:
    found = importlib.util.find_spec("pypandoc")
    if found is None or found.origin is None:
        raise ImportError("pypandoc")
    return str(Path(found.origin).with_name("files") / "pandoc")


PROGRAM = _program()


def seconds(size: int) -> float:
    """Return the processor time that pandoc may take for this many bytes: about three times that of its slowest reader.

    Of 59 files from other projects' tests, repeated to 150 KB and parsed unchanged, those that finished took 2.9 s at
    most; one of AsciiDoc did not finish. Items of lists, the slowest of blocks, take 13 µs a byte in HTML.
    """
    return 3 + size / 20_000


def _limit(seconds: int) -> None:
    least = resource.getrlimit(resource.RLIMIT_CPU)[1]
    within = seconds if least == resource.RLIM_INFINITY else min(seconds, least)
    resource.setrlimit(resource.RLIMIT_CPU, (within, least))


def run(
    source: Path,
    target: Path,
    *,
    reader: str,
    writer: str,
    arguments: Sequence[str] = (),
    environment: Mapping[str, str],
    size: int | None = None,
    warn: Warn,
) -> None:
    """Convert `source` to `target`, in the target's folder, without access to other files or the network.

    What pandoc and the filter report as left out becomes warnings. Raises Unreadable for a document that can't be
    parsed (with line and column where known), OverLimit for one that exceeds the heap, or takes longer than a document
    of `size` bytes may, by default those of `source`.
    """
    log = target.with_name("log.json")
    log.unlink(missing_ok=True)
    length = source.stat().st_size
    room = [f"-A{_ROOM}"] if length <= _SHORT else []
    command = [PROGRAM, "+RTS", f"-M{_HEAP}", *room, "-RTS", "--sandbox", "--quiet", f"--log={log.name}"]
    # Filters run in the given order: ours sees references as formatted by citeproc.
    command += [f"--from={reader}", f"--to={writer}", *arguments, f"--lua-filter={_FILTER}"]
    command += [f"--output={target.name}", str(source.absolute())]
    fixed = {"SOURCE_DATE_EPOCH": EPOCH, "LANG": "C.UTF-8", "HOME": str(target.parent), "TZ": "UTC"}
    done = subprocess.run(
        command,
        cwd=target.parent,
        env=fixed | dict(environment),
        input=b"",
        capture_output=True,
        check=False,
        preexec_fn=functools.partial(_limit, math.ceil(seconds(length if size is None else size))),
    )
    if done.returncode == -signal.SIGXCPU:
        raise OverLimit("timeout", "The document is too complex to read in time.")
    errors = done.stderr.decode("utf-8", "replace")
    if done.returncode in _MEMORY or done.returncode == -signal.SIGKILL:
        raise OverLimit("memory", "The document needs more memory than a conversion can use.")
    if done.returncode in _BAD_INPUT or (done.returncode == 1 and _UNEXPECTED.search(errors)):
        place = _POSITION.search(errors)
        line, column = (int(place[1]), int(place[2])) if place else (None, None)
        raise Unreadable("The document can't be parsed.", line=line, column=column, reason="damaged")
    if done.returncode in _OUTSIDE:
        raise Unreadable(
            "The document refers to another file, which can't be loaded. Insert its content into the document.",
            reason="unsupported_feature",
        )
    if done.returncode:
        raise subprocess.CalledProcessError(done.returncode, "pandoc", stderr=errors)
    _report(json.loads(_without_path(log.read_text(encoding="utf-8") or "[]", source)), warn)
    log.unlink()


def _without_path(log: str, source: Path) -> str:
    """The log without the path of the source, which pandoc writes before each line that it names."""
    path = json.dumps(str(source.absolute()), ensure_ascii=False)[1:-1]
    return log.replace(f"{path} line ", "line ").replace(path.removesuffix(source.name), "")


_STYLES = (".sty", ".cls", ".def", ".cfg", ".clo", ".fd")
"""LaTeX packages that only affect layout: pandoc ignores them, and reports each command it does not know."""
_LAYOUT = re.compile(
    r"\\(?:maketitle|tableofcontents|listof\w+|(?:front|main|back)matter|newpage|clearpage|cleardoublepage|pagebreak|"
    r"nopagebreak|linebreak|centering|raggedright|raggedleft|noindent|indent|(?:small|med|big)skip|[vh]space|[vh]fill?|"
    r"pagestyle|thispagestyle|pagenumbering|setlength|addtolength|setcounter|addtocounter|usepackage|documentclass|"
    r"hyphenation|sloppy|fussy|allowdisplaybreaks|appendix|tiny|scriptsize|footnotesize|small|normalsize|large|Large|"
    r"LARGE|huge|Huge|geometry|hypersetup|label|phantomsection|addcontentsline|bibliographystyle|bibliography|"
    r"addbibresource|printbibliography|makeatletter|makeatother|graphicspath|definecolor|lstset|theoremstyle|makeindex|"
    r"printindex|index|date|and|null|leavevmode|par|protect|relax|ignorespaces|unskip|strut|selectfont|fontsize|"
    r"selectlanguage|setstretch|onehalfspacing|doublespacing|singlespacing|begingroup|endgroup|baselineskip|parindent|"
    r"parskip|textwidth|textheight|hline|cline|toprule|midrule|bottomrule|cmidrule|DeclareMathOperator|RequirePackage)"
    r"(?![A-Za-z])"
)
"""LaTeX commands that lay out a page, or whose content appears elsewhere."""

_MESSAGES = {
    "piece": Kind("CONTENT_DROPPED", "Parts that only their own program can read were left out: {n} ({details})."),
    "citation": Kind("VALUE_CONVERTED", "Citations show their keys, because the file has no bibliography: {details}."),
    "script": Kind("SCRIPT_REMOVED", "Scripts, event handlers and links that run code were removed: {n}."),
    "comment": Kind("COMMENTS_DROPPED", "Comments were left out: {n}."),
    "raw": Kind("CONTENT_DROPPED", "Pieces of raw {details} were left out: {n}."),
    "element": Kind("CONTENT_DROPPED", "Elements that a document can't contain were removed: {details}."),
    "reading": Kind("VALUE_CONVERTED", "Readings above words (ruby) follow them in brackets: {n}."),
    "picture": Kind("CONTENT_DROPPED", "Pictures were left out, but their descriptions kept: {n}.", counts="pictures"),
    "picture-format": Kind(
        "CONTENT_DROPPED",
        "Pictures in formats that the output can't show were left out: {n} ({details}).",
        counts="pictures",
    ),
    "numbered": list_numbers.RENUMBERED,
    "layout": Kind("VALUE_CONVERTED", "Layout tables were replaced by their content: {n}.", counts="tables"),
    "metadata": Kind("METADATA_DROPPED", "The output has no place for these book details: {n} ({details})."),
    "title": Kind("METADATA_DROPPED", "The title of the document was left out: {details}."),
}


def _report(log: list[dict[str, Any]], warn: Warn) -> None:
    reported: dict[str, Counter[str]] = {}
    lost: Counter[str] = Counter()
    for entry in log:
        kind = entry["type"]
        if kind in ("ScriptingWarning", "ScriptingInfo"):
            name, _, detail = entry["message"].partition("\t")
            reported.setdefault(name, Counter())[detail] += 1
            if name == "outside":
                warn.account("pictures", 1)
        elif kind in ("CouldNotFetchResource", "CouldNotLoadIncludeFile"):
            if str(entry.get("path")).endswith(_STYLES):
                continue
            reported.setdefault("outside", Counter())[str(entry.get("path"))[:200]] += 1
        elif kind in ("BlockNotRendered", "InlineNotRendered"):
            lost[str(entry.get("contents", {}).get("t", "part"))] += 1
        elif kind == "SkippedContent":
            contents = str(entry.get("contents", ""))
            if not contents.startswith("<") and contents.strip() and not _LAYOUT.match(contents):
                reported.setdefault("skipped", Counter())[contents[:60]] += 1
                warn.leave_out([contents])
        elif kind in ("IgnoredElement", "UnexpectedXmlElement"):
            reported.setdefault("skipped", Counter())[
                f"<{str(entry.get('element', entry.get('contents', '')))[:60]}>"
            ] += 1
        elif kind in ("DocxParserWarning", "ReferenceNotFound", "CouldNotConvertTeXMath", "CouldNotParseCSS"):
            reported.setdefault("other", Counter())[" ".join(str(entry.get("pretty", kind)).split())[:200]] += 1
    for address, count in reported.pop("outside", {}).items():
        warn("REMOTE_RESOURCE_BLOCKED", office_links.blocked(address))
        if "//" not in address[:8]:  # addresses with a host are not counted
            warn.account("pictures", count)
    for each in reported.pop("other", {}):
        warn("CONTENT_DROPPED", say("{notice}.", notice=each.rstrip(".")))
    if skipped := reported.pop("skipped", None):
        names = ", ".join(list(skipped)[:20])
        warn("CONTENT_DROPPED", say("Unsupported parts were left out: {names}.", names=names))
    for name, details in reported.items():
        kind = _MESSAGES[name]
        listed = ", ".join(sorted(each for each in details if each)[:20])
        if "{count}" in kind.template:
            warn.tally(kind, details.total(), part="written")
            continue
        warn(kind.code, say(kind.template, n=details.total(), details=listed))
        if kind.counts:
            warn.account(kind.counts, details.total())
        if name == "title":  # it stood in the text, where a page may begin with other tags
            warn.leave_out(details)
        if name == "layout":
            warn.account("cells", ALL)
    for part, count in lost.items():
        warn(
            "CONTENT_DROPPED",
            say("{count} parts of the type {part} can't be written to the output.", count=count, part=part),
        )
