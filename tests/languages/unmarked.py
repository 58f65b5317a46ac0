"""Finds user-visible text that is not marked for translation, in templates and Python source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from django.template.base import Lexer, TokenType

ROOT = Path(__file__).resolve().parents[2]

NAMES = {
    "Fileconv", "API", "URL", "UTC", "JSON", "CSV", "PDF", "DOCX", "XML", "HTML", "YAML", "ZIP", "OCR", "MCP", "TOML",
    "MB", "GB", "kB", "curl", "Python", "JavaScript", "Go", "OpenAPI", "Stripe", "Retry-After", "GET", "POST", "DELETE",
    "PATCH", "PUT",
}  # fmt: skip
"""Proper names, which are the same in every language."""
_SPOKEN = (
    "title",
    "alt",
    "aria-label",
    "aria-description",
    "aria-roledescription",
    "placeholder",
    "label",
    "content",
    "data-label",
)
_SILENT = ("script", "style", "code", "pre", "kbd", "samp")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_TAG = re.compile(r"<(/?)([a-zA-Z][\w-]*)((?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>", re.DOTALL)
_ATTRIBUTE = re.compile(r"([\w:-]+)\s*=\s*(\"[^\"]*\"|'[^']*')", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->|<!doctype[^>]*>", re.DOTALL | re.IGNORECASE)
_META = re.compile(r"(?:name|property)\s*=\s*[\"'](?:description|og:title|og:description|og:image:alt)[\"']")
HOLE = "\N{OBJECT REPLACEMENT CHARACTER}"
_BARRIER = "\0"
_CLASSES = ("shape", "bodyclass", "coltype")
"""Blocks that hold names of CSS."""


def wordy(text: str) -> bool:
    """Whether somebody would read words in it that are not names."""
    bare = re.sub(r"&\w+;|https?://\S+", " ", text.replace(HOLE, " "))
    return any(
        _LETTERS.search(each) and each.strip(".,:;()“”–!?+") not in NAMES for each in re.split(r"[\s/·|]+", bare)
    )


def _without_tags(text: str) -> str:
    """The markup that a template writes itself: its own tags are holes, and what is marked is one, too."""
    parts: list[str] = []
    inside, silent = 0, False
    for token in Lexer(text).tokenize():
        if token.token_type is TokenType.BLOCK:
            name, _, rest = token.contents.partition(" ")
            if name == "block" and rest.strip() in _CLASSES:
                inside, silent = inside + 1, True
            if name == "endblock" and silent:
                inside, silent = inside - 1, False
            if name in ("blocktranslate", "blocktrans", "comment", "verbatim"):
                inside += 1
            if name in ("endblocktranslate", "endblocktrans", "endcomment", "endverbatim"):
                inside -= 1
            parts.append(_BARRIER)
        elif token.token_type is TokenType.TEXT and not inside:
            parts.append(token.contents)
        elif token.token_type is TokenType.VAR:
            parts.append(HOLE)
    return "".join(parts)


def in_template(text: str) -> Iterator[str]:
    """Every piece of text of a template, or of an attribute that is read, that stands outside of a translation."""
    for each in re.findall(r"{%.*?%}|{{.*?}}", text):
        yield from _said_by_tag(each)
    markup = _COMMENT.sub("", _without_tags(text))
    silent, last = 0, 0
    for match in _TAG.finditer(markup):
        closing, name, attributes = match[1], match[2].lower(), match[3]
        if not silent:
            yield from _pieces(markup[last : match.start()])
        last = match.end()
        if name in _SILENT and not attributes.endswith("/"):
            silent += -1 if closing else 1
        for attribute, value in _ATTRIBUTE.findall(attributes):
            read = attribute in _SPOKEN and (attribute != "content" or (name == "meta" and _META.search(attributes)))
            if (read or (attribute == "value" and name == "input" and "submit" in attributes)) and wordy(
                value[1:-1].replace(_BARRIER, " ")
            ):
                yield f"{attribute}={value}"
    if not silent:
        yield from _pieces(markup[last:])


def _pieces(text: str) -> Iterator[str]:
    """What stands between two tags of the template."""
    for each in text.split(_BARRIER):
        if wordy(each):
            yield " ".join(each.split())


def _said_by_tag(tag: str) -> Iterator[str]:
    """Words that a tag hands on: a default that is shown, or what an included template shows."""
    if re.match(r"{%\s*(?:translate|trans|blocktranslate|blocktrans|comment|url|static|load|extends|module)\b", tag):
        return
    for name, value in re.findall(
        r"\b(default|title|label|heading|text|yesno|pluralize)[:=]\s*[\"']([^\"']*)[\"']", tag
    ):
        if wordy(value.replace(",", " ")):
            yield f"{name}:{value}"
    for value in re.findall(r"\|(?:yesno|pluralize):[\"']([^\"']*)[\"']", tag):
        if wordy(value):
            yield value


# Python

_KEYWORDS = {"label", "help_text", "verbose_name", "verbose_name_plural", "message", "detail", "empty_label", "heading"}
_ATTRIBUTES = {
    "default_detail", "verbose_name", "verbose_name_plural", "short_description", "site_title", "site_header",
    "index_title",
}  # fmt: skip
_TABLES = {"error_messages", "help_texts", "labels", "default_error_messages"}
_CALLS = {
    "success": 1, "info": 1, "warning": 1, "error": 1, "message_user": 1, "add_error": 1, "add_message": 2,
}  # fmt: skip
"""Calls and which of their arguments people read; those of `messages` are told from a log's by their object."""
REFUSALS = {
    "ValidationError",
    "ParseError",
    "PermissionDenied",
    "PermissionError_",
    "AuthenticationFailed",
    "NotAuthenticated",
}


def in_python(source: str, refusals: set[str], *, help_texts: bool = True) -> Iterator[ast.expr]:
    """Every literal that is handed to people without a call of gettext; `refusals` are the classes that say no."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from _of_call(node, refusals, help_texts=help_texts)
        elif isinstance(node, ast.ClassDef):
            yield from _of_class(node)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = {each.id if isinstance(each, ast.Name) else getattr(each, "attr", "") for each in targets}
            if node.value is not None and names & _ATTRIBUTES:
                yield from _literals(node.value)
            if isinstance(node.value, ast.Dict) and names & _TABLES:
                for each in node.value.values:
                    yield from _literals(each)


def _of_call(node: ast.Call, refusals: set[str], *, help_texts: bool) -> Iterator[ast.expr]:
    function = node.func
    name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
    owner = function.value.id if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) else ""
    if name in ("CharField", "ChoiceField") or name[:1].isupper() or name.startswith("_") or name in _CALLS:
        for each in node.keywords:
            if each.arg in _KEYWORDS and (help_texts or each.arg != "help_text"):
                yield from _literals(each.value)
    if name in ("display", "action"):
        for each in node.keywords:
            if each.arg == "description":
                yield from _literals(each.value)
    if name in refusals | REFUSALS | {"Mail"}:
        start = 1 if name == "Mail" else 0
        for each in node.args[start:]:
            yield from _literals(each)
        for keyword in node.keywords:
            if keyword.arg in ("label", "after", "detail"):
                yield from _literals(keyword.value)
    if name in _CALLS and (owner in ("messages", "self", "form") or name in ("message_user", "add_error")):
        position = _CALLS[name]
        if len(node.args) > position and (name not in ("info", "warning", "error", "success") or owner == "messages"):
            yield from _literals(node.args[position])


def _of_class(node: ast.ClassDef) -> Iterator[ast.expr]:
    bases = {each.id if isinstance(each, ast.Name) else getattr(each, "attr", "") for each in node.bases}
    if bases & {"TextChoices", "IntegerChoices"}:
        for each in node.body:
            if isinstance(each, ast.Assign) and isinstance(each.value, ast.Tuple):
                yield from _literals(each.value.elts[-1])


def _literals(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        if wordy(node.value):
            yield node
    elif isinstance(node, ast.JoinedStr):
        text = "".join(str(each.value) for each in node.values if isinstance(each, ast.Constant))
        if wordy(text):
            yield node
    elif isinstance(node, ast.BinOp):
        yield from _literals(node.left)
        if isinstance(node.op, ast.Add):
            yield from _literals(node.right)
    elif isinstance(node, ast.IfExp):
        yield from _literals(node.body)
        yield from _literals(node.orelse)
    elif isinstance(node, ast.Tuple | ast.List):
        for each in node.elts:
            yield from _literals(each)
    elif isinstance(node, ast.Dict):
        for each in node.values:
            yield from _literals(each)
    elif isinstance(node, ast.Call):
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name in ("format_html", "format", "join", "str"):
            target = node.func.value if isinstance(node.func, ast.Attribute) else None
            if target is not None and name == "format":
                yield from _literals(target)
            for each in node.args[:1]:
                yield from _literals(each)
