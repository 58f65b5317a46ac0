"""Pandoc: one document read in one format and written in another, by a program that may touch nothing else."""

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

from conversions.toolkit import office_links
from conversions.toolkit.failures import OverLimit, Unreadable
from conversions.toolkit.warnings import Warn

EPOCH = "315532800"
"""Every date that is written: 1980-01-01, the first that a ZIP can hold."""

_HEAP = "512M"
_SHORT, _ROOM = 100_000, "64M"
"""Bytes of a document that is done before its garbage, in room for so much, is collected for the first time."""
_FILTER = Path(__file__).with_name("pandoc.lua")
_POSITION = re.compile(r"line (\d+),\s*column (\d+)")
# pandoc's manual, "Exit codes"; 251 is the run-time system's "heap exhausted", 2 its stack overflow.
_MEMORY = {251, 2}
_OUTSIDE = {97, 98, 99}
# What a reader did not expect ends pandoc by an exception of Haskell's libraries, which is 1 whatever it is.
_UNEXPECTED = re.compile(r"Cannot decode (?:byte|input)")
_BAD_INPUT = {25, 31, 44, 63, 64, 91, 92, 94}


def _program() -> str:
    found = importlib.util.find_spec("pypandoc")
    if found is None or found.origin is None:
        raise ImportError("pypandoc")
    return str(Path(found.origin).with_name("files") / "pandoc")


PROGRAM = _program()


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
    seconds: float | None = None,
    warn: Warn,
) -> None:
    """Convert `source` to `target`, in the target's folder, without reading any other file, nor the network.

    What pandoc and the filter say they left out becomes warnings. Raises Unreadable for a document that can't be parsed
    (with line and column where they are known), OverLimit for one that needs more than the heap, or than
    `seconds` of processor time.
    """
    log = target.with_name("log.json")
    log.unlink(missing_ok=True)
    room = [f"-A{_ROOM}"] if source.stat().st_size <= _SHORT else []
    command = [PROGRAM, "+RTS", f"-M{_HEAP}", *room, "-RTS", "--sandbox", "--quiet", f"--log={log.name}"]
    # Filters run in the order in which they are named: ours sees references as citeproc has set them.
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
        preexec_fn=None if seconds is None else functools.partial(_limit, math.ceil(seconds)),
    )
    if done.returncode == -signal.SIGXCPU:
        raise OverLimit("timeout", "The document takes far longer to read than others of its length.")
    said = done.stderr.decode("utf-8", "replace")
    if done.returncode in _MEMORY or done.returncode == -signal.SIGKILL:
        raise OverLimit("memory", "The document needs more memory than a conversion may take.")
    if done.returncode in _BAD_INPUT or (done.returncode == 1 and _UNEXPECTED.search(said)):
        place = _POSITION.search(said)
        line, column = (int(place[1]), int(place[2])) if place else (None, None)
        raise Unreadable("The document can't be parsed.", line=line, column=column)
    if done.returncode in _OUTSIDE:
        raise Unreadable(
            "The document refers to another file, which can't be loaded: insert its content into the document."
        )
    if done.returncode:
        raise subprocess.CalledProcessError(done.returncode, "pandoc", stderr=said)
    _report(json.loads(log.read_bytes() or b"[]"), warn)
    log.unlink()


_STYLES = (".sty", ".cls", ".def", ".cfg", ".clo", ".fd")
"""What LaTeX loads to know how a document looks: pandoc does without it, and names each command it does not know."""
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
"""Commands of LaTeX that lay out a page, or that have said what they say elsewhere."""

_MESSAGES = {
    "piece": ("CONTENT_DROPPED", "{n} pieces that only their own program understands were left out: {details}."),
    "citation": ("VALUE_CONVERTED", "Citations are shown by their keys, as the file holds no bibliography: {details}."),
    "script": ("SCRIPT_REMOVED", "{n} scripts, event handlers or links that run code were removed."),
    "comment": ("COMMENTS_DROPPED", "{n} comments were left out."),
    "raw": ("CONTENT_DROPPED", "{n} pieces of raw {details} were left out."),
    "element": ("CONTENT_DROPPED", "Elements that a document can't contain were removed: {details}."),
    "reading": ("VALUE_CONVERTED", "Readings above words (ruby) stand in brackets behind them: {n}."),
    "picture": ("CONTENT_DROPPED", "{n} pictures were left out; their descriptions were kept."),
    "picture-format": ("CONTENT_DROPPED", "{n} pictures are of a type that the output can't show: {details}."),
    "layout": ("VALUE_CONVERTED", "{n} tables that only lay out the page were replaced by what is in them."),
    "title": ("METADATA_DROPPED", "The title of the document was left out: {details}."),
}


def _report(log: list[dict[str, Any]], warn: Warn) -> None:
    reported: dict[str, Counter[str]] = {}
    lost: Counter[str] = Counter()
    for entry in log:
        kind = entry["type"]
        if kind in ("ScriptingWarning", "ScriptingInfo"):
            name, _, detail = entry["message"].partition("\t")
            reported.setdefault(name, Counter())[detail] += 1
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
        elif kind in ("IgnoredElement", "UnexpectedXmlElement"):
            reported.setdefault("skipped", Counter())[
                f"<{str(entry.get('element', entry.get('contents', '')))[:60]}>"
            ] += 1
        elif kind in ("DocxParserWarning", "ReferenceNotFound", "CouldNotConvertTeXMath", "CouldNotParseCSS"):
            reported.setdefault("other", Counter())[" ".join(str(entry.get("pretty", kind)).split())[:200]] += 1
    for address in reported.pop("outside", {}):
        warn("REMOTE_RESOURCE_BLOCKED", office_links.blocked(address))
    for each in reported.pop("other", {}):
        warn("CONTENT_DROPPED", f"{each.rstrip('.')}.")
    if skipped := reported.pop("skipped", None):
        names = ", ".join(list(skipped)[:20])
        warn("CONTENT_DROPPED", f"Parts that are not understood were left out: {names}.")
    for name, details in reported.items():
        code, text = _MESSAGES[name]
        listed = ", ".join(sorted(each for each in details if each)[:20])
        warn(code, text.format(n=f"{details.total():,}", details=listed))
    for part, count in lost.items():
        warn("CONTENT_DROPPED", f"{count:,} parts of the type {part} can't be written to the output.")
