"""The four tools: find a conversion, describe it, convert, and read any file as Markdown."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from accounts.credits import throttling
from apikeys.payers import payer_of
from conversions.errors import UnsupportedFileType
from conversions.mcp import files
from conversions.mcp.messages import INVALID_PARAMS, ProtocolError
from conversions.mcp.results import Result, converted, markdown, text
from conversions.serializers import parse_options
from conversions.work import delivery, idempotency, listing, pipeline
from conversions.work.nearest import nearest, unknown
from conversions.work.offer import current
from engine.toolkit.declaring import Converter
from engine.toolkit.formats import by_filename
from engine.toolkit.progress import OnProgress
from storage.errors import FileNotFound

_MOST_LISTED = 60
_MOST_NAMED = 10
"""Unknown arguments that are named; a call may have thousands."""
_LONGEST_QUERY = 100
"""Characters, each of which may be a word that is looked for in all conversions: a million of them took minutes."""
_TOKENS = 20_000
_MOST_TOKENS = 250_000
"""A million characters: the text is built in the memory of the web process, and a result may have a gigabyte."""

Arguments = dict[str, Any]


@dataclass(frozen=True)
class Tool:
    """A tool as agents see it; `run` takes the request, the arguments and a progress callback."""

    name: str
    title: str
    description: str
    properties: dict[str, Any]
    required: tuple[str, ...]
    run: Callable[[Request, Arguments, OnProgress | None], Result]
    reads_only: bool = True

    def listed(self) -> dict[str, Any]:
        schema = {"type": "object", "properties": self.properties, "additionalProperties": False}
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": schema | ({"required": list(self.required)} if self.required else {}),
            "annotations": {"readOnlyHint": self.reads_only, "destructiveHint": False, "openWorldHint": False},
        }


def call(request: Request, name: object, arguments: object, on_progress: OnProgress | None) -> Result:
    """Run a tool; raises ProtocolError for an unknown tool, ValidationError for arguments that don't fit it, and what
    the tool raises.
    """
    tool = TOOLS.get(name) if isinstance(name, str) else None
    if tool is None:
        raise ProtocolError(INVALID_PARAMS, f"There is no tool {str(name)[:60]!r}: {', '.join(TOOLS)}.")
    if not isinstance(arguments, dict):
        raise ProtocolError(INVALID_PARAMS, "arguments is an object.")
    takes = f"{tool.name} takes {', '.join(tool.properties)}."
    extra = sorted(arguments.keys() - tool.properties.keys())[:_MOST_NAMED]
    wrong = {each[:60]: f"There is no such argument: {takes}" for each in extra}
    wrong |= {each: "This argument is required." for each in tool.required if each not in arguments}
    if wrong:
        raise ValidationError(wrong)
    return tool.run(request, arguments, on_progress)


def _list(request: Request, arguments: Arguments, on_progress: OnProgress | None) -> Result:
    query = arguments.get("query") or ""
    if not isinstance(query, str) or len(query) > _LONGEST_QUERY:
        raise ValidationError({"query": f"Send a text of at most {_LONGEST_QUERY} characters."})
    words = query.lower().replace("-to-", " ").replace(" to ", " ").split()
    offered = current().converters
    found = [each for each in offered.values() if _has(_words_of(each), words)]
    if not found and words:
        found = [offered[slug] for slug in nearest("-to-".join(words[:2]), offered)]
    lines = [f"{each.slug}: {each.summary}" for each in found[:_MOST_LISTED]]
    if len(found) > _MOST_LISTED:
        lines.append(f"... and {len(found) - _MOST_LISTED} more: narrow it by a format's name in query.")
    return text("\n".join(lines) or "No conversion is like that. Leave query out for all formats.")


def _has(text: str, words: list[str]) -> bool:
    return all(word in text for word in words)


def _words_of(converter: Converter) -> str:
    both = (converter.input, converter.output)
    return " ".join([converter.slug, *(f"{each.name} {' '.join(each.extensions)}" for each in both)]).lower()


def _describe(request: Request, arguments: Arguments, on_progress: OnProgress | None) -> Result:
    described = listing.describe_converter(_converter(arguments["slug"]))
    return text(json.dumps(described, ensure_ascii=False, indent=1), structured=described)


def _convert(request: Request, arguments: Arguments, on_progress: OnProgress | None) -> Result:
    options = arguments.get("options", {})
    if not isinstance(options, dict) or len(options) > settings.DATA_UPLOAD_MAX_NUMBER_FIELDS:
        raise ValidationError({"options": "Send an object of the conversion's options, as describe lists them."})
    converter = _converter(arguments["slug"])
    return converted(_run(request, converter, arguments, options, on_progress))


def _to_markdown(request: Request, arguments: Arguments, on_progress: OnProgress | None) -> Result:
    most = arguments.get("maxTokens", _TOKENS)
    if not isinstance(most, int) or isinstance(most, bool) or not 1 <= most <= _MOST_TOKENS:
        raise ValidationError({"maxTokens": f"Send a whole number from 1 to {_MOST_TOKENS:,}."})
    given = files.parse(arguments)
    name = given.filename or (given.file or "").rpartition("/")[2] or ("input.txt" if given.text is not None else "")
    format = by_filename(name)
    if format is None:
        raise UnsupportedFileType("Say what the file is: give filename with its extension, such as report.docx.")
    if format.id == "markdown":
        raise UnsupportedFileType("This is Markdown already.")
    return markdown(_run(request, _converter(f"{format.id}-to-markdown"), arguments, {}, on_progress), tokens=most)


def _converter(slug: object) -> Converter:
    converter = current().resolve(str(slug))
    if converter is None:
        raise unknown(str(slug), current().converters)
    return converter


def _run(
    request: Request, converter: Converter, arguments: Arguments, options: Arguments, on_progress: OnProgress | None
) -> pipeline.Result:
    """Convert as a POST to the slug does: same rate limit, size limit, charge, record and Idempotency-Key."""
    payer = payer_of(request)
    key = idempotency.read_key(request.headers.get("Idempotency-Key"))
    given = files.parse(arguments)
    throttling.check_conversion(request, payer, whole=True)
    parsed = parse_options(converter.options, {name: _form_value(each) for name, each in options.items()})

    def check(name: str) -> None:
        pipeline.check_format(converter, name)
        cost = pipeline.authorize(payer, converter)
        # With a key it may have been paid for already.
        if key is None:
            payer.check(pipeline.credits(cost, verify=False))

    def repeated() -> pipeline.Result | None:
        """What the first call with the key had, which took a one-time file."""
        sha256 = None if key is None else files.sha256_of_gone(payer, given)
        return None if key is None or sha256 is None else pipeline.repeated(payer, converter, sha256, parsed, key=key)

    found = repeated()
    try:
        if found is None:
            with files.received(payer, given, default_name=f"input.{converter.input.extension}", check=check) as upload:
                found = pipeline.run(payer, converter, upload, parsed, key=key, on_progress=on_progress)
    except FileNotFound:
        found = repeated()
        if found is None:
            raise
    delivery.require_file(found)
    return found


def _form_value(value: Any) -> str:
    """A JSON value as the text of a form field."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


TOOLS = {
    each.name: each
    for each in (
        Tool(
            "list_conversions",
            "Find conversions",
            "List the conversions between file formats that this service has, by words: 'pdf', 'excel json'.",
            {
                "query": {
                    "type": "string",
                    "maxLength": _LONGEST_QUERY,
                    "description": "Words that a conversion has to have; all without it.",
                }
            },
            (),
            _list,
        ),
        Tool(
            "describe",
            "Describe a conversion",
            "Tell what one conversion takes, gives and costs, and each of its options with default and bounds.",
            {"slug": {"type": "string", "description": "<input>-to-<output>, such as csv-to-xlsx."}},
            ("slug",),
            _describe,
        ),
        Tool(
            "convert",
            "Convert a file",
            "Convert one file. Text comes back as text, all else as a link to the result; warnings name what could not "
            "be kept. Costs the account's credits.",
            {
                "slug": {"type": "string", "description": "<input>-to-<output>, such as html-to-pdf."},
                **files.SCHEMA,
                "options": {
                    "type": "object",
                    "description": "Options of the conversion as `describe` lists them.",
                    "additionalProperties": True,
                },
            },
            ("slug",),
            _convert,
            reads_only=False,
        ),
        Tool(
            "to_markdown",
            "Read a file as Markdown",
            "Read any document, table, mail or PDF as Markdown, cut off after maxTokens tokens. Costs credits.",
            {
                **files.SCHEMA,
                "maxTokens": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": _MOST_TOKENS,
                    "default": _TOKENS,
                    "description": "Of 4 characters.",
                },
            },
            (),
            _to_markdown,
            reads_only=False,
        ),
    )
}
"""The tools by name."""
