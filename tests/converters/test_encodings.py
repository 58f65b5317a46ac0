"""One text in an old encoding, read alike by every family, whatever it is wrapped in."""

from __future__ import annotations

import codecs
import csv
import io
from html import escape, unescape
from pathlib import Path

import pypdfium2
import pytest

from engine.families.registry import CONVERTERS
from engine.toolkit import encodings
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn

TEXTS = {
    "French": "Le café était fermé, mais l’élève a reçu son dîner. Ça ne gêne pas les garçons : « déjà vu », dit-il.",
    "Spanish": "El niño comió la piña por la mañana. ¿Dónde está el señor Muñoz? La canción empezó después del año.",
    "Portuguese": "A eleição não será amanhã: as crianças vão à praça de manhã. Três maçãs são a refeição do João.",
    "German": "Die Größe der Häuser überrascht die Bürger. Schöne Grüße aus München, wo fünf Mädchen Äpfel kaufen.",
    "Polish": "Książka leży na półce obok łóżka, a chłopiec pięknie śpiewa o źródłach rzeki. Święta są już bliżej.",
    "Turkish": "Güneşli bir günde çocuklar bahçede oynuyorlardı. Öğretmen dedi: Bugün hava güzel, ağaçlar yeşil.",
    "Russian": "Широкая электрификация южных губерний даст мощный толчок подъёму сельского хозяйства нашей страны.",
    "Greek": "Άλλη μια μέρα. Η γρήγορη αλεπού πηδάει πάνω από το σκυλί. Άνθρωποι ζουν εδώ. Η χώρα είναι όμορφη.",
    "Japanese": "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。ニャーニャー泣いていた。",
    "Simplified": "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。",
    "Traditional": "人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神相對待。",
    "Korean": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 이성과 양심을 부여받았다.",
}
ENCODED = [
    ("French", "windows-1252"), ("Spanish", "windows-1252"), ("Portuguese", "windows-1252"),
    ("German", "windows-1252"), ("Polish", "iso-8859-2"), ("Polish", "windows-1250"), ("Turkish", "windows-1254"),
    ("Russian", "windows-1251"), ("Russian", "koi8-r"), ("Greek", "windows-1253"), ("Greek", "iso-8859-7"),
    ("Japanese", "shift_jis"), ("Japanese", "euc-jp"), ("Simplified", "gb18030"), ("Traditional", "big5"),
    ("Korean", "euc-kr"),
]  # fmt: skip


def page(text: str, head: str = "") -> str:
    table = f"<table><thead><tr><td>{text}</table>"
    return f"<!doctype html><html><head>{head}<title>t</title></head><body>{table}</body></html>"


def convert(folder: Path, slug: str, data: bytes, **given: object) -> tuple[bytes, Warn]:
    converter = CONVERTERS[slug]
    source, target = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
    source.write_bytes(data)
    warn = Warn()
    converter.run(source, target, build(converter.options, given), warn)
    return target.read_bytes(), warn


def words(text: str) -> str:
    """The text without spaces, which paragraphs, tables and lines of a PDF break at different places."""
    return "".join(unescape(text).split())


def pdf_words(data: bytes) -> str:
    with pypdfium2.PdfDocument(data) as document:
        return words("".join(document[number].get_textpage().get_text_bounded() for number in range(len(document))))


@pytest.mark.parametrize(("language", "encoding"), ENCODED)
def test_the_same_words_come_out_of_every_format(language: str, encoding: str, tmp_path: Path) -> None:
    text = TEXTS[language]
    table = f'id,text\n1,"{text}"\n'
    inputs = {
        "html-to-csv": page(text), "html-to-markdown": page(text), "html-to-txt": page(text), "markdown-to-html": text,
        "txt-to-html": text, "txt-to-markdown": text, "rst-to-txt": text, "csv-to-json": table, "csv-to-tsv": table,
    }  # fmt: skip
    for slug, content in inputs.items():
        output, warn = convert(tmp_path, slug, content.encode(encoding))
        found = output.decode()
        found = found.replace("\\", "") if slug.endswith("markdown") else found
        assert words(text) in words(found), slug
        assert "ENCODING_GUESSED" in {each.code for each in warn.warnings}, slug
        assert warn.detected["encoding"] == encoding, slug


@pytest.mark.parametrize(
    ("language", "encoding"),
    [
        *[(language, "windows-1252") for language in ("French", "Spanish", "Portuguese")],
        *[("Polish", "iso-8859-2"), ("Russian", "koi8-r"), ("Japanese", "shift_jis")],
    ],
)
def test_a_page_and_a_text_are_drawn_with_the_same_words(language: str, encoding: str, tmp_path: Path) -> None:
    text = TEXTS[language]
    drawn, _ = convert(tmp_path, "html-to-pdf", page(text).encode(encoding))
    from_text, _ = convert(tmp_path, "txt-to-pdf", text.encode(encoding))
    assert pdf_words(drawn) == pdf_words(from_text)
    assert words(text)[:20] in pdf_words(drawn)


@pytest.mark.parametrize("slug", ["html-to-csv", "html-to-markdown", "html-to-txt"])
@pytest.mark.parametrize("label", ["iso-8859-1", "latin1", "us-ascii", "windows-1252"])
def test_a_page_in_latin_1_is_in_windows_1252(slug: str, label: str, tmp_path: Path) -> None:
    output, warn = convert(tmp_path, slug, page("“5 €” – café", f'<meta charset="{label}">').encode("cp1252"))
    assert "5 €" in output.decode()
    assert (warn.detected["encoding"], warn.warnings) == ("windows-1252", ())


@pytest.mark.parametrize(
    ("declaration", "encoding"),
    [
        ("<meta charset=koi8-r>", "koi8-r"),
        ("<meta http-equiv='Content-Type' content='text/html;charset=koi8-r'>", "koi8-r"),
        ("<!-- <meta charset=big5> --><meta charset='koi8-r'>", "koi8-r"),
        ("<meta charset=gb2312>", "gb18030"),
        ("<meta charset=utf-16>", "utf-8"),
        ("<meta charset=x-user-defined>", "windows-1252"),
    ],
)
@pytest.mark.parametrize("slug", ["html-to-csv", "html-to-markdown", "html-to-pdf"])
def test_what_a_page_declares_is_what_it_is_read_in(slug: str, declaration: str, encoding: str, tmp_path: Path) -> None:
    python = codecs.lookup(encoding).name
    text = "Straße" if encoding == "windows-1252" else "Привет"
    output, warn = convert(tmp_path, slug, page(text, declaration).encode(python))
    assert text in (pdf_words(output) if slug == "html-to-pdf" else output.decode())
    assert warn.detected["encoding"] == encoding
    assert not any(each.code.startswith("ENCODING") for each in warn.warnings)


@pytest.mark.parametrize("slug", ["html-to-csv", "html-to-markdown", "html-to-pdf"])
def test_bytes_that_are_not_what_a_page_declares_are_replaced_and_named(slug: str, tmp_path: Path) -> None:
    data = page("caf\udce9 noir", "<meta charset=utf-8>").encode(errors="surrogateescape")
    output, warn = convert(tmp_path, slug, data)
    assert "ENCODING_REPLACED" in {each.code for each in warn.warnings}
    assert "\ufffd" in (pdf_words(output) if slug == "html-to-pdf" else output.decode())


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"])
@pytest.mark.parametrize("slug", ["html-to-csv", "html-to-markdown", "html-to-txt"])
def test_a_byte_order_mark_or_nul_bytes_go_before_what_a_page_declares(
    slug: str, encoding: str, tmp_path: Path
) -> None:
    output, warn = convert(tmp_path, slug, page("größer 東京", "<meta charset=windows-1251>").encode(encoding))
    assert "größer 東京" in output.decode()
    assert not warn.warnings


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("café", "cp1252"), ("naïve résumé", "cp1252"), ("Müller, Größe 5 €", "cp1252"), ("Łódź", "cp1250"),
        ("Привет, мир", "cp1251"), ("日本語テスト", "cp932"),
    ],
)  # fmt: skip
def test_a_few_words_are_enough(text: str, encoding: str) -> None:
    warn = Warn()
    assert encodings.read(text.encode(encoding), warn) == text
    assert [each.code for each in warn.warnings] == ["ENCODING_GUESSED"]


def test_the_words_that_tell_may_stand_behind_megabytes_of_digits(tmp_path: Path) -> None:
    rows = "".join(f"{number},{number}\n" for number in range(150_000))
    output, warn = convert(tmp_path, "csv-to-tsv", (rows + f'1,"{TEXTS["Polish"]}"\n').encode("iso-8859-2"))
    assert list(csv.reader(io.StringIO(output.decode()), delimiter="\t"))[-1][1] == TEXTS["Polish"]
    assert warn.detected["encoding"] == "iso-8859-2"


def test_markup_tells_nothing_of_the_language() -> None:
    text = page("".join(f'<p class="a-{number}">{escape(TEXTS["Spanish"])}</p>' for number in range(3)))
    assert encodings.read(text.encode("cp1252"), Warn()) == text
