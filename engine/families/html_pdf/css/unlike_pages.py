"""Name the `@page` rules for pages whose size or margins an engine can't apply."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from engine.families.html_pdf.css.pages import NESTED, page_rules
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn


def warn_of_first(warn: Warn, *, applied: bool) -> None:
    """Warn that the size and margins of the first page were `applied` to all pages, or to none."""
    if applied:
        warn("CSS_UNSUPPORTED", "@page :first: its size and margin were applied to all pages.")
    else:
        warn(
            "CSS_UNSUPPORTED", "@page :first: its size and margin were not applied; the first page is like the others."
        )


def warn_of_named(sheets: Iterable[str], warn: Warn, *, named: Collection[str] | None = None) -> None:
    """Warn of `@page` rules with a size or margins for left, right, blank or named pages.

    Those of the `named` pages of a document are used; without it, no name is.
    """
    for selector, body in (each for sheet in sheets for each in page_rules(sheet)):
        name = selector.partition(":")[0].strip()
        if selector in ("", ":first") or (named is not None and name and (selector == name or name not in named)):
            continue
        names = {each.partition(":")[0].strip().lower().partition("-")[0] for each in NESTED.sub("", body).split(";")}
        if names & {"size", "margin"}:
            asked = " and ".join(sorted(names & {"size", "margin"}, reverse=True))
            warn(
                "CSS_UNSUPPORTED",
                say(
                    "@page {selector}: {asked} was not applied; all pages are like the first one.",
                    selector=selector[:40],
                    asked=asked,
                ),
            )
