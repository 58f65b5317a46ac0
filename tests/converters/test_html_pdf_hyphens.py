"""Lines that break a word at a soft hyphen end with a hyphen, as in browsers."""

from __future__ import annotations

from pathlib import Path

import pypdf
import pytest
from PIL import Image, ImageChops

from engine.conversion import convert
from engine.families.html_pdf.plutoprint import hyphenation
from tests.converters.test_plutoprint import Result

_STYLE = (
    "@page { margin: 0; size: 400pt 300pt } body { margin: 0; font: 20px/24px 'Liberation Mono' }"
    "div, td { width: 122px; padding: 0 }"
)
"""Ten letters of 12 pixels fit a line."""


def lines(body: str, folder: Path) -> list[str]:
    return [each.strip() for each in Result(f"<style>{_STYLE}</style>{body}", folder).text.split("\n") if each.strip()]


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("<div>inter&shy;nation&shy;alization</div>", ["inter-", "nation-", "alization"]),
        ("<div>abcd&shy;efghi</div>", ["abcdefghi"]),
        ("<div>abcdefghij&shy;k</div>", ["abcdefghij-", "k"]),  # the line has no other break
        ("<div>abcdefg&shy;hij&shy;klm</div>", ["abcdefg-", "hijklm"]),
        ("<div>a abcdefgh&shy;ijk</div>", ["a", "abcdefgh-", "ijk"]),
        ("<div>one <b>two&shy;three</b> four&shy;five<i>s</i></div>", ["one two-", "three", "fourfives"]),
        ("<div style='white-space: nowrap'>inter&shy;nation&shy;alization</div>", ["internationalization"]),
        ("<table><tr><td>Kranken&shy;haus</table>", ["Kranken-", "haus"]),
        ("<div>end&shy; inter&shy;nationally a&shy;</div>", ["end inter-", "nationally", "a"]),
        (
            "<div style='columns: 2; width: 260px; column-gap: 16px'>a b c d e abcdefgh&shy;ijklmn a</div>",
            ["a b c d e", "abcdefgh-", "ijklmn a"],
        ),
    ],
)
def test_a_hyphen_is_where_a_line_breaks_and_nowhere_else(body: str, shown: list[str], tmp_path: Path) -> None:
    assert lines(body, tmp_path) == shown


def test_a_hyphen_is_where_a_page_ends(tmp_path: Path) -> None:
    body = "<div style='height: 376px'>a</div><div>abcdefgh&shy;ijklmn</div>"
    assert lines(body, tmp_path) == ["a", "abcdefgh-", "ijklmn"]


def test_hyphens_follow_a_page_that_is_made_to_fit(tmp_path: Path) -> None:
    wide = "<p style='width: 900px; background: #eee'>wide</p>"
    found = lines(f"{wide}<p>{'abcdefghijklm&shy;nopqrstuvwxyz ' * 30}", tmp_path)
    assert any(each.endswith("-") for each in found)
    for line in found:
        assert "-" not in line[:-1]


def test_all_words_of_a_long_text_keep_their_letters(tmp_path: Path) -> None:
    words = ["extra&shy;ordi&shy;nary", "inter&shy;nation&shy;al", "un&shy;be&shy;liev&shy;able", "plain"] * 200
    found = lines(f"<div style='width: 390px'>{' '.join(words)}</div>", tmp_path)
    joined = "".join(line.removesuffix("-") if line.endswith("-") else f"{line} " for line in found)
    assert joined.split() == [each.replace("&shy;", "") for each in words]
    assert sum(line.endswith("-") for line in found) > 20


def test_a_long_text_is_hyphenated_to_its_end(tmp_path: Path) -> None:
    starts = ("inter", "extra", "docu", "pre", "under", "over", "con", "re")
    ends = ("mental", "national", "serve", "lent", "stand", "table", "tion", "")
    words = [one + two for one in starts for two in ends]
    text = [words[(at * at % 4_099 + at * 7 % 53) % len(words)] for at in range(5_000)]
    style = "<style>p{hyphens:auto;text-align:justify}</style>"
    paragraphs = [" ".join(text[at : at + 50]) for at in range(0, len(text), 50)]
    made = Result(f"<html lang=en>{style}<p>{'<p>'.join(paragraphs)}</p>", tmp_path)
    found = [each.strip() for each in made.text.split("\n") if each.strip()]
    joined = "".join(line.removesuffix("-") if line.endswith("-") else f"{line} " for line in found)
    assert joined.split() == text
    shown = [line.endswith("-") for line in found]
    assert sum(shown[-100:]) > 20
    assert made.messages("CSS_UNSUPPORTED") == ""


def test_words_that_are_part_of_longer_ones_are_not_named_as_broken(tmp_path: Path) -> None:
    words = "<div lang=en>splitting it<br>in it</div><div lang=en>management m<br>an</div>"
    assert Result(f"<style>div {{ hyphens: auto }}</style>{words}", tmp_path).messages("CSS_UNSUPPORTED") == ""


def test_pictures_of_pages_have_the_same_hyphens(tmp_path: Path) -> None:
    made = []
    for name, text in (("soft", "Kranken&shy;haus"), ("hard", "Kranken-<br>haus")):
        source, target = tmp_path / f"{name}.html", tmp_path / f"{name}.png"
        source.write_text(f"<!DOCTYPE html><style>{_STYLE}</style><div>{text}</div>", "utf-8")
        convert(source, target, sandbox=False)
        made.append(Image.open(target).convert("RGB"))
    assert ImageChops.difference(*made).getbbox() is None


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("<div lang=en>internationalization</div>", ["interna-", "tionaliza-", "tion"]),
        ("<div lang=en>an international one</div>", ["an inter-", "national", "one"]),
        ("<div lang=de-AT>die Bundesversammlung</div>", ["die Bun-", "desver-", "sammlung"]),
        ("<div lang=de>es <b>Kranken</b>haus</div>", ["es Kran-", "kenhaus"]),
        ("<section lang=en><div>ab <i>international</i></div></section>", ["ab inter-", "national"]),
        ("<div lang=en><span class=m>international</span></div>", ["internatio", "nal"]),
        ("<div lang=en>a.org/international</div>", ["a.org/inte", "rnational"]),
    ],
)
def test_words_are_hyphenated_in_their_language(body: str, shown: list[str], tmp_path: Path) -> None:
    assert lines(f"<style>div {{ hyphens: auto }} .m {{ hyphens: manual }}</style>{body}", tmp_path) == shown


def test_words_of_further_languages_stay_whole_and_the_languages_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hyphenation, "_MOST_LANGUAGES", 1)
    words = "<div lang=en>international</div><div lang=de>es Krankenhaus</div><div lang=en-GB>international</div>"
    made = Result(f"<style>{_STYLE} div {{ hyphens: auto }}</style>{words}", tmp_path)
    assert made.text.split() == ["interna-", "tional", "es", "Krankenhau", "s", "interna-", "tional"]
    assert made.messages("NOT_UNDERSTOOD") == "Styles have no effect here: 1 (hyphens: auto (de))."


def test_words_without_a_known_language_are_named_where_they_are_broken(tmp_path: Path) -> None:
    source = tmp_path / "input.html"
    for language in ("", "zz"):
        style = f"<style>{_STYLE} div {{ hyphens: auto }}</style>"
        source.write_text(f"<!DOCTYPE html>{style}<div lang='{language}'>internationalization</div>")
        (only,) = convert(source, tmp_path / "output.pdf", sandbox=False).warnings
        assert only.code == "CSS_UNSUPPORTED"
        assert str(only.message).startswith("Long words are broken without a hyphen (hyphens: auto): 1 (")


def test_a_page_is_hyphenated_in_the_sandbox(tmp_path: Path) -> None:
    source, target = tmp_path / "input.html", tmp_path / "output.pdf"
    source.write_text(f"<!DOCTYPE html><html lang=en><style>{_STYLE}</style><div style='hyphens: auto'>international")
    assert convert(source, target).warnings == ()
    assert pypdf.PdfReader(target).pages[0].extract_text().split() == ["interna-", "tional"]
