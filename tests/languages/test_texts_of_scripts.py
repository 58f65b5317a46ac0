"""Every user-visible text in scripts is marked for translation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from languages import catalogue

STATIC = Path(__file__).resolve().parents[2] / "static"

_TOKEN = re.compile(
    r"""
    (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
  | (?P<word>[\w$#]+)
  | (?P<sign>===|!==|==|=>|\?\?=|\?\?|\?\.|&&|\|\||\+=|[^\s])
    """,
    re.VERBOSE | re.DOTALL,
)
_REGEX = re.compile(r"/(?![*/])(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
_BEFORE_REGEX = set("(,=:[!&|?{};+-*%<>~^") | {"=>", "&&", "||", "??", "===", "!==", "return", "typeof", "case"}

SINKS = {"textContent", "title", "placeholder", "alt", "ariaLabel", "innerText"}
"""Properties that people see, and screen readers say."""
CALLS = {
    "announce",
    "paragraph",
    "button",
    "bones",
    "Option",
    "append",
    "prepend",
    "replaceChildren",
    "alert",
    "confirm",
}
"""Calls whose texts become part of the page."""
SPOKEN = {"aria-label", "aria-valuetext", "aria-description", "aria-roledescription", "title", "placeholder", "alt"}
"""Attributes of that kind."""
UNSPOKEN = {
    "querySelector",
    "querySelectorAll",
    "closest",
    "matches",
    "find",
    "Error",
    "getElementById",
    "createElement",
}
"""Calls whose texts are for programs only: selectors, and errors that are caught."""
NAMES = {
    "ArrowDown", "ArrowUp", "Enter", "Escape", "Tab", "Shift", "Shift+{}", "Files",  # keys, as browsers have them
    "Accept-Language", "Authorization", "Content-Language", "Content-Type", "Range", "Retry-After", "X-CSRFToken",
    "X-Credits-Remaining", "X-More", "X-Name", "X-Progress-Id", "Bearer {}", "DownloadURL", "InvalidStateError",
    "SCRIPT", "SELECT", "DETAILS", "GET", "POST",
    "A4", "Letter", "A3", "A5", "Legal",  # papers, as options of the API have them
}  # fmt: skip
"""Proper names, which are the same in every language."""
FORMS = {"form", "sent"}
"""What is appended to these is sent, and never shown."""
CLASSES = {"button plain small", "button plain", "look-bones"}
"""Classes of elements that stand as an argument."""


@dataclass(frozen=True)
class Token:
    """`text` of a string is what it holds; a template has `{}` for what is put into it."""

    kind: str
    text: str
    line: int


def tokens(source: str, line: int = 1) -> list[Token]:
    """The tokens of a script, without comments; what stands in a template's braces comes after the template."""
    found: list[Token] = []
    at = 0
    while at < len(source):
        if source[at].isspace():
            line += source[at] == "\n"
            at += 1
            continue
        before = found[-1].text if found and found[-1].kind in ("sign", "word") else ""
        if source[at] == "`":
            end, text, inner = _template(source, at)
            found.append(Token("template", text, line))
            for part in inner:
                # Braces keep what is put in from being taken for an argument of the call around.
                found += [Token("sign", "{", line), *tokens(part, line), Token("sign", "}", line)]
        elif source[at] == "/" and (not found or before in _BEFORE_REGEX) and (match := _REGEX.match(source, at)):
            end = match.end()
            found.append(Token("regex", match[0], line))
        else:
            match = _TOKEN.match(source, at)
            assert match, source[at : at + 40]
            end = match.end()
            kind = str(match.lastgroup)
            if kind != "comment":
                found.append(Token(kind, match[0][1:-1] if kind == "string" else match[0], line))
        line += source.count("\n", at, end)
        at = end
    return found


def _template(source: str, start: int) -> tuple[int, str, list[str]]:
    """Where the template that begins at `start` ends, its own text, and what is put into it."""
    at, text, inner = start + 1, "", []
    while source[at] != "`":
        if source[at] == "\\":
            text += source[at : at + 2]
            at += 2
        elif source.startswith("${", at):
            begin, depth = at + 2, 1
            at = begin
            while depth:
                if source[at] == "`":
                    at = _template(source, at)[0]
                    continue
                depth += (source[at] == "{") - (source[at] == "}")
                at += 1
            inner.append(source[begin : at - 1])
            text += "{}"
        else:
            text += source[at]
            at += 1
    return at + 1, text, inner


def _prose(text: str) -> bool:
    """Whether a text looks like one for people: it begins like a sentence, or holds two words."""
    words = text.replace("{}", " ")
    return bool(re.match(r"[^\w]*[A-Z][a-z]", words) or re.search(r"[A-Za-z]{2,}[,.…:]? +[A-Za-z]", words))


def _called(before: list[str]) -> str:
    """The name of the call whose bracket opens after these tokens."""
    name = [each for each in before if each != "?."][-1:] or [""]
    return "" if before[-3:-1] in ([each, "."] for each in FORMS) else name[0]


def unmarked(source: str) -> list[str]:
    """The texts in a script that people would see and no dictionary can change, each with its line."""
    found = []
    all_ = tokens(source)
    calls: list[tuple[str, int]] = []  # each open bracket: the call that it belongs to, and which argument this is
    for at, token in enumerate(all_):
        before = [each.text for each in all_[max(0, at - 3) : at]]
        after = all_[at + 1].text if at + 1 < len(all_) else ""
        if token.kind == "sign" and token.text in "([{":
            calls.append((_called(before) if token.text == "(" else "", 0))
        elif token.kind == "sign" and token.text in ")]}":
            calls.pop()
        elif token.kind == "sign" and token.text == "," and calls:
            calls[-1] = (calls[-1][0], calls[-1][1] + 1)
        if token.kind not in ("string", "template") or not re.search("[A-Za-z]{2}", token.text.replace("{}", "")):
            continue
        call, argument = calls[-1] if calls else ("", 0)
        last = before[-1] if before else ""
        if (call == "t" and argument == 0) or (call == "plural" and argument < 2):
            continue
        if call in UNSPOKEN or last in ("import", "from") or token.text in NAMES | CLASSES:
            continue
        if "className" in before or "cssText" in before or (token.kind == "string" and after == ":" and last in "{,"):
            continue
        shown = (
            (last in ("=", ":") and len(before) > 1 and before[-2] in SINKS)
            or (call in CALLS and argument == 0)
            or (call == "setAttribute" and argument == 1 and before[-2] in SPOKEN)
            or (call == "set" and argument == 1)
        )
        if shown or _prose(token.text):
            found.append(f"{token.line}: {token.text}")
    return found


def marked(source: str) -> set[str]:
    """The first texts of all calls that have them translated."""
    all_ = tokens(source)
    starts = (at for at, each in enumerate(all_[:-2]) if each.text in ("t", "plural") and all_[at + 1].text == "(")
    return {all_[at + 2].text for at in starts if all_[at - 1].text not in ("function", ".")}


@pytest.mark.parametrize("path", sorted(STATIC.glob("*.js")), ids=lambda path: path.stem)
def test_no_script_says_what_no_dictionary_has(path: Path) -> None:
    assert unmarked(path.read_text()) == []


def test_every_text_that_scripts_have_translated_is_collected_for_translators() -> None:
    collected = {
        each.id if isinstance(each.id, str) else each.id[0] for each in catalogue.collect("djangojs") if each.id
    }
    in_scripts = set().union(*(marked(path.read_text()) for path in STATIC.glob("*.js")))
    assert in_scripts == collected


@pytest.mark.parametrize(
    "line",
    [
        'line.textContent = "Ready";',
        'line.textContent = "defaults";',
        'row.set("failed", "Not converted");',
        "button.title = `${name} again`;",
        'announce(found ? "All files are here." : "");',
        'box.setAttribute("aria-label", "Results");',
        "const words = { words: `You have ${left} left` };",
        'list.append(new Option("Choose…", ""));',
        "t(`Half of ${name}`, x); paragraph('a', `${t('Page')} of it all`);",
    ],
)
def test_a_text_that_is_not_marked_is_found(line: str) -> None:
    assert unmarked(line)


@pytest.mark.parametrize(
    "line",
    [
        'line.textContent = t("Ready");',
        'announce(plural("{n} file added.", "{n} files added.", number, { name: `${a}/${b}` }));',
        'made.className = "help error-text"; root.querySelector("a b"); // The words of a comment',
        'throw new Error("no file here"); const PARTS = /^Some words "of one/;',
        "const headers = { 'Content-Type': type, 'X-Name': name }; go(`/convert/${slug}/options`);",
    ],
)
def test_a_text_that_is_marked_or_for_programs_is_left_alone(line: str) -> None:
    assert unmarked(line) == []
