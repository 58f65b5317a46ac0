"""Lower new CSS syntax, such as nesting and colours, with Lightning CSS."""

from __future__ import annotations

import functools
import re
from typing import Any

import lightningcss
import tinycss2

_TARGETS = ["chrome 99"]  # supports :is(), inset and logical properties, as PlutoPrint does; not nesting or new colours
_FLAGS = lightningcss.calc_parser_flags(nesting=True, custom_media=True)
_NEW = re.compile(r"(?:oklch|oklab|lab|lch|color|color-mix|light-dark|hwb|rgb|hsl)\(|!ie|&", re.IGNORECASE)
_PAGE = re.compile(r"@page\s([^{};@]{0,200})\{", re.IGNORECASE)
_ENCODED = re.compile(r"@page fc-nth-([0-9a-f]+)")
"""Page selectors with `:nth()` (CSS Generated Content for Paged Media 3, 5.2), whose rules Lightning CSS drops."""
_COLOUR = re.compile(r"(?<![\w-])(?:oklch|oklab|lab|lch|color|color-mix|hwb)\((?:[^()]|\([^()]*\))*\)", re.IGNORECASE)


def has_new_syntax(text: str) -> bool:
    """Whether declarations may have colours or nesting that PlutoPrint does not support."""
    return _NEW.search(text) is not None


def lowered(text: str) -> str:
    """A style sheet in older syntax; a rule that Lightning CSS can't parse is unchanged."""
    if ":nth(" in text and (encoded := _PAGE.sub(_encoded, text)) != text:
        return _ENCODED.sub(lambda match: f"@page {bytes.fromhex(match[1]).decode()}", lowered(encoded))
    try:
        return _process(text)
    except Exception:  # a parser error in one rule does not affect the others
        return "".join(map(_lowered_alone, tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)))


def _encoded(match: re.Match[str]) -> str:
    return f"@page fc-nth-{match[1].strip().lower().encode().hex()}{{" if ":nth(" in match[1] else match[0]


def _process(text: str) -> str:
    return str(
        lightningcss.process_stylesheet(
            text, error_recovery=True, parser_flags=_FLAGS, browsers_list=_TARGETS, minify=True
        )
    )


def _lowered_alone(rule: Any) -> str:
    if rule.type == "error":
        return ""
    text = str(rule.serialize())
    try:
        return _process(text)
    except Exception:  # PlutoPrint's own parser continues after it
        return text


def with_plain_colours(value: str) -> str:
    """The value with colours as PlutoPrint reads them, where these can be computed."""
    return _COLOUR.sub(_computed, value) if _COLOUR.search(value) and "var(" not in value else value


@functools.lru_cache(maxsize=500)
def _plain_colour(colour: str) -> str:
    """Return a colour in sRGB; unchanged if it can't be computed."""
    found = re.match(r"x\{color:([^;}]*)", lowered(f"x{{color:{colour}}}"))
    return found[1] if found else colour


def _computed(match: re.Match[str]) -> str:
    return _plain_colour(match[0])
