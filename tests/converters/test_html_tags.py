"""Tags of HTML with very many attributes: they are refused before a parser takes the square of their time."""

from __future__ import annotations

import pytest

from engine.families.html_pdf.source import cleaning, limits
from engine.toolkit.failures import OverLimit

MANY = 40 * limits.MOST_ATTRIBUTES


@pytest.mark.parametrize("shape", [" a{}=1", "/a{}", ' a{}="<b>"', " a{}='>'", " a{}", "\n\ta{} = 1"])
def test_a_tag_with_too_many_attributes_is_refused(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def parser(*given: object, **more: object) -> None:
        raise AssertionError("parsed")

    monkeypatch.setattr(cleaning, "document_fromstring", parser)
    with pytest.raises(OverLimit):
        cleaning.parse("<p>one</p><p" + "".join(shape.format(number) for number in range(MANY)) + ">two</p>")


@pytest.mark.parametrize(
    "text",
    [
        "<img src=data:image/png;base64," + "ab/+" * 20_000 + ">",
        '<p title="' + "many words > in one " * 5_000 + '">x</p>',
        "<p class='a'>it's 5\" long</p>\n" * 5_000,
        "<p " + " ".join(f"a{number}='{'x ' * 50}'" for number in range(limits.MOST_ATTRIBUTES - 1)) + ">x</p>",
        "1 < 2 and " * 5_000,
    ],
    ids=["a picture without quotes", "a long title", "quotes in texts", "as many as may be", "no tags"],
)
def test_other_long_pages_are_read(text: str) -> None:
    limits.check_tags(text)
    assert cleaning.parse(text).find("body") is not None
