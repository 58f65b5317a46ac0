"""Report the content of a document that is not visible on its pages."""

from __future__ import annotations

from engine.families.html_pdf.visibility.drawn import Unseen
from engine.families.html_pdf.visibility.spelling import words_of
from engine.toolkit.messages import Message, say
from engine.toolkit.warnings import Warn

MOST_NAMED = 3
"""Phrases that a warning quotes."""
_LONGEST = 60


def sample(found: Unseen, warn: Warn) -> None:
    """Record how many pages were checked, if not all."""
    if found.is_sample:
        warn.detect(textChecked=f"{found.looked} of {found.pages} pages")


def pictures(count: int, warn: Warn) -> None:
    """Report pictures that are not visible."""
    if count > 0:
        warn("CONTENT_DROPPED", say("Pictures hidden on the pages: {count}.", count=count))


def words(phrases: list[tuple[str, int]], lost: list[str], missing: int, warn: Warn) -> None:
    """Report `phrases` that are invisible on a page, and `missing` words that are on no page, with some `lost` ones."""
    warn.account("words", missing)
    unseen = sum(len(words_of(phrase)) for phrase, _ in phrases)
    places = _joined(
        [say("“{words}” on page {page}", words=_short(phrase), page=page) for phrase, page in phrases[:MOST_NAMED]]
    )
    absent = _joined([say("“{words}”", words=_short(phrase)) for phrase in lost])
    if unseen and missing:
        warn(
            "TEXT_NOT_SHOWN",
            say(
                "Words hidden or missing: {count}; {unseen} are hidden ({places}), and {missing} are missing from the "
                "pages ({absent}).",
                count=unseen + missing, unseen=unseen, places=places, missing=missing, absent=absent,
            ),
        )  # fmt: skip
    elif unseen:
        warn(
            "TEXT_NOT_SHOWN",
            say(
                "Words hidden because they are cut off, covered or the same colour as the background: "
                "{count} ({places}).",
                count=unseen,
                places=places,
            ),
        )
    elif missing:
        warn("TEXT_NOT_SHOWN", say("Words missing from the pages: {count} ({absent}).", count=missing, absent=absent))


def _joined(named: list[Message]) -> Message:
    if len(named) < 2:
        return named[0] if named else say("nothing")
    if len(named) == 2:
        return say("{first}, {second}", first=named[0], second=named[1])
    return say("{first}, {second}, {third}", first=named[0], second=named[1], third=named[2])


def _short(phrase: str) -> str:
    return phrase if len(phrase) <= _LONGEST else phrase[: _LONGEST - 1] + "…"
