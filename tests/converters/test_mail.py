"""Mails as readers show them: headers with raw bytes, parts in their order, reports, invitations, and mailboxes."""

from __future__ import annotations

import base64
import json
import struct
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from engine.families import auditing
from engine.families.registry import CONVERTERS
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.families.mail.vectors import PIXEL, compound, outlook

HEAD = b"From: a@example.org\nSubject: x\nMIME-Version: 1.0\nContent-Type: "
PICTURE = b"Content-Type: image/png\nContent-Transfer-Encoding: base64\n\n" + base64.b64encode(PIXEL)


def shown(folder: Path, data: bytes, slug: str = "eml-to-txt", **options: Any) -> tuple[str, Warn]:
    converter, warn = CONVERTERS[slug], Warn()
    source = folder / f"input.{converter.input.id}"
    source.write_bytes(data)
    target = folder / f"output.{converter.output.id}"
    auditing.run(converter, source, target, build(converter.options, options), warn)
    return target.read_text("utf-8"), warn


def parts(kind: str, *inside: bytes) -> bytes:
    return HEAD + f"multipart/{kind}; boundary=b\n\n".encode() + b"".join(b"--b\n" + each + b"\n" for each in inside)


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("Jörg – 日本".encode(), "Jörg – 日本"),
        ("Jörg".encode("latin-1"), "Jörg"),
        ("=?utf-8?q?J=C3=B6rg?= Müller".encode(), "Jörg Müller"),
        (b"=?utf-8?q?J=C3?= =?utf-8?q?=B6rg?= =?utf-8?b?w58=?=", "Jörgß"),
        (b"=?x-unknown?q?J=C3=B6rg?=", "Jörg"),
        (b"one =?broken two", "one =?broken two"),
    ],
)
def test_letters_of_headers_come_out_however_they_are_sent(tmp_path: Path, raw: bytes, text: str) -> None:
    value = json.loads(shown(tmp_path, b"Subject: " + raw + b"\n\nx\n", "eml-to-json")[0])
    assert value["subject"] == text


def test_headers_without_a_charset_are_read_as_the_text_is(tmp_path: Path) -> None:
    mail = "Subject: Привет\nContent-Type: text/plain; charset=koi8-r\n\nДа\n".encode("koi8-r")
    text, _ = shown(tmp_path, mail)
    assert "Subject: Привет" in text
    assert "Да" in text


def test_a_report_of_delivery_is_shown(tmp_path: Path) -> None:
    report = b"Content-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\nDiagnostic-Code: smtp; 550 no box\n"
    text, warn = shown(tmp_path, parts("report", b"Content-Type: text/plain\n\nFailed.", report))
    assert "Diagnostic-Code: smtp; 550 no box" in text
    assert warn.warnings == ()


@pytest.mark.parametrize("kind", ["external-body; access-type=url", "partial; id=1", "x-unknown"])
def test_a_message_of_another_kind_is_attached_and_named(tmp_path: Path, kind: str) -> None:
    other = f"Content-Type: message/{kind}\n\nSubject: inner\n\nwords\n".encode()
    text, warn = shown(tmp_path, parts("mixed", b"\nhello", other))
    assert "Attached: inner.eml" in text
    assert [each.code for each in warn.warnings] == ["CONTENT_DROPPED"]


def test_what_when_and_where_of_an_invitation_are_shown(tmp_path: Path) -> None:
    calendar = (
        b"Content-Type: text/calendar; method=REQUEST\n\nBEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;TZID=Europe/Berlin:"
        b"20260305T100000\nSUMMARY:Budget\\, again\nLOCATION:Room 7\nORGANIZER;CN=Ann:mailto:ann@example.org\n"
        b"END:VEVENT\nEND:VCALENDAR\n"
    )
    for form in (b"Content-Type: text/plain\n\nPlease come", b"Content-Type: text/html\n\n<p>Please come</p>"):
        text, _ = shown(tmp_path, parts("alternative", form, calendar))
        assert "Please come\n\nWhat: Budget, again\nStart: 2026-03-05 10:00 (Europe/Berlin)\nWhere: Room 7\n" in text
        assert "Organizer: Ann <ann@example.org>" in text


def test_flowed_lines_are_one_paragraph(tmp_path: Path) -> None:
    text, _ = shown(
        tmp_path,
        HEAD
        + b"text/plain; format=flowed\n\nbroken \nby the program\nlast\n\n> quoted \n> words\n>> deeper\n\n-- \nAnn\n",
    )
    assert "broken by the program\nlast\n\n> quoted words\n>> deeper\n\n-- \nAnn\n" in text
    joined, _ = shown(tmp_path, HEAD + b"text/plain; format=flowed; delsp=yes\n\nDonaudampf \nschiff\n")
    assert "Donaudampfschiff" in joined


def test_parts_are_shown_in_their_order(tmp_path: Path) -> None:
    mail = parts("mixed", b"\nBEFORE", PICTURE, b"Content-Type: text/html\n\n<p>BETWEEN</p>", b"\nAFTER")
    page, warn = shown(tmp_path, mail, "eml-to-html")
    places = [page.index(each) for each in ("BEFORE", base64.b64encode(PIXEL).decode(), "BETWEEN", "AFTER")]
    assert places == sorted(places)
    assert warn.warnings == ()
    text, warn = shown(tmp_path, mail)
    assert text.split("\n\n", 1)[1].split() == ["BEFORE", "BETWEEN", "AFTER"]
    assert [str(each.message) for each in warn.warnings] == [
        "Attachments are only listed: 1 (part.png). Use attachments=zip to keep them."
    ]


def test_a_picture_between_whole_pages_is_drawn_between_them(tmp_path: Path) -> None:
    shape = "Content-Type: text/html\n\n<html><body><p>{}</p></body></html>"
    source = tmp_path / "input.eml"
    source.write_bytes(parts("mixed", shape.format("BEFORE").encode(), PICTURE, shape.format("AFTER").encode()))
    target, warn, converter = tmp_path / "output.pdf", Warn(), CONVERTERS["eml-to-pdf"]
    auditing.run(converter, source, target, build(converter.options, {}), warn)
    [page] = pypdfium2.PdfDocument(target)
    [picture] = page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_IMAGE])
    texts = page.get_textpage()
    places = [texts.get_charbox(texts.search(word).get_next()[0])[3] for word in ("BEFORE", "AFTER")]
    assert places[0] > picture.get_bounds()[3] > places[1]
    assert warn.warnings == ()


def test_the_text_of_outlook_stands_on_the_page_of_its_head(tmp_path: Path) -> None:
    style = (
        b"<style><!--\n@page WordSection1 {size:8.5in 11.0in;}\ndiv.WordSection1\n\t{page:WordSection1;}\n--></style>"
    )
    page = b"<html><head>" + style + b"</head><body><div class=WordSection1><p>Hello there</p></div></body></html>"
    converter = CONVERTERS["eml-to-pdf"]
    source, target = tmp_path / "input.eml", tmp_path / "output.pdf"
    source.write_bytes(HEAD + b"text/html\n\n" + page)
    converter.run(source, target, build(converter.options, {}), Warn())
    pages = [each.get_textpage().get_text_range() for each in pypdfium2.PdfDocument(target)]
    assert len(pages) == 1
    assert "a@example.org" in pages[0]
    assert "Hello there" in pages[0]


def test_a_text_that_stands_for_the_page_is_not_shown_in_its_place(tmp_path: Path) -> None:
    page = (
        b"Content-Type: text/html\n\n<p>" + " ".join(f"word{chr(97 + each)}" for each in range(20)).encode() + b"</p>"
    )
    text, warn = shown(tmp_path, parts("alternative", b"\nUse a reader of HTML.", page))
    assert "worda wordb" in text
    assert warn.warnings == ()


def test_words_that_only_the_page_has_are_named(tmp_path: Path) -> None:
    page = b"Content-Type: text/html\n\n<p>The plain words, and unlike</p>"
    _, warn = shown(tmp_path, parts("alternative", b"\nThe plain words", page))
    assert [str(each.message) for each in warn.warnings] == ["Words are missing from the result: 2 (“and”, “unlike”)."]


def test_enriched_text_is_shown_without_its_commands(tmp_path: Path) -> None:
    text, _ = shown(
        tmp_path, HEAD + b"text/enriched\n\n<bold>Now</bold> <color><param>red</param>is\nthe</color> time\n\n<<x\n"
    )
    assert text.endswith("\nNow is the time\n<x\n")


def test_a_mail_whose_parts_have_no_boundary_is_shown_as_it_stands(tmp_path: Path) -> None:
    text, warn = shown(tmp_path, HEAD + b"multipart/mixed\n\nwords that stand alone\n")
    assert "words that stand alone" in text
    assert warn.warnings == ()


def test_a_boundary_may_be_folded(tmp_path: Path) -> None:
    text, _ = shown(tmp_path, HEAD + b'multipart/mixed; boundary="a\n b"\n\n--a b\n\nhello\n--a b--\n')
    assert text.endswith("\n\nhello\n")


@pytest.mark.parametrize(
    "between",
    [
        b"\n\nFrom b@x Mon Nov 23 10:00:00 2026\n",
        b"\nFrom - Mon Nov 23 10:00:00 2026\n",  # as Netscape wrote it, right behind the last line
        b"\nFrom - \n",
        b"\r\n\r\nFrom nobody\n",
    ],
)
def test_mails_of_a_mailbox_are_found(tmp_path: Path, between: bytes) -> None:
    mark = b"\xef\xbb\xbf"
    box = mark + b"From a@x Mon Nov 23 09:00:00 2026\nSubject: one\n\nFirst\n\nFrom here on, text.\n"
    mails = json.loads(shown(tmp_path, box + between + b"Subject: two\n\nSecond\n", "mbox-to-json")[0])
    assert [each["subject"] for each in mails] == ["one", "two"]
    assert "From here on, text." in mails[0]["text"]


def test_headers_beyond_what_is_read_are_named(tmp_path: Path) -> None:
    _, warn = shown(tmp_path, b"".join(b"X-%d: y\n" % each for each in range(1_003)) + b"\nhello\n")
    assert [str(each.message) for each in warn.warnings] == [
        "Headers after the first 1,000 in an email were left out: 3."
    ]


@pytest.mark.parametrize(
    ("page", "encoding", "rtf"),
    [
        (28592, "iso8859_2", b""),
        (1250, "cp1250", b""),
        (28605, "iso8859_15", b""),
        (65001, "utf-8", b""),
        (0, "cp1250", rb"{\rtf1\ansi\ansicpg1250 Wi\'eacej s\'b3\'f3w}"),
    ],
)
def test_texts_of_outlook_are_read_in_the_code_page_that_it_names(
    page: int, encoding: str, rtf: bytes, tmp_path: Path
) -> None:
    text, warn = shown(
        tmp_path, outlook("Žena", "Jörg <j@example.org>", "", page=page, narrow=encoding, rtf=rtf), "msg-to-txt"
    )
    assert "Subject: Žena" in text
    assert "Jörg" in text
    assert [each.code for each in warn.warnings] == []


def _item(kind: str, texts: dict[int, str], moments: dict[int, int], named: dict[int, int]) -> bytes:
    """An item of Outlook; `named` is the number of each named property."""
    streams = {
        "__properties_version1.0": bytes(32)
        + b"".join(struct.pack("<HHIQ", 0x40, number, 6, value) for number, value in moments.items()),
        "__nameid_version1.0/__substg1.0_00030102": b"".join(
            struct.pack("<IHH", name, 0, number - 0x8000) for name, number in named.items()
        ),
    }
    for number, text in ({0x1A: kind, 0x37: "Quick Fox", 0x1000: "Jumps"} | texts).items():
        streams[f"__substg1.0_{number:04X}001F"] = text.encode("utf-16-le")
    return compound(streams)


def test_a_contact_of_outlook_has_its_numbers_and_addresses(tmp_path: Path) -> None:
    texts = {
        0x3A16: "Fence Co",
        0x3A1C: "(456) 789-0123",
        0x8003: "fox@example.org",
        0x8005: "12 Lazy Dog Lane\r\nTown",
    }
    contact = _item("IPM.Contact", texts, {}, {0x8083: 0x8003, 0x801B: 0x8005})
    text, _ = shown(tmp_path, contact, "msg-to-txt")
    for line in (
        "Company: Fence Co",
        "Mobile phone: (456) 789-0123",
        "Email: fox@example.org",
        "Business address: 12 Lazy Dog Lane, Town",
    ):
        assert line in text.splitlines()
    assert "Jumps" in text


def test_an_appointment_of_outlook_has_its_time_and_place(tmp_path: Path) -> None:
    begin = int((datetime(2026, 11, 23, 9, 30, tzinfo=UTC) - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds()) * 10**7
    named = {0x820D: 0x8001, 0x820E: 0x8002, 0x8208: 0x8003}
    moments = {0x8001: begin, 0x8002: 0x0CB34557A3DD4000}  # the second one is none
    text, _ = shown(tmp_path, _item("IPM.Appointment", {0x8003: "Under the dog"}, moments, named), "msg-to-txt")
    assert "Start: 2026-11-23 09:30 UTC" in text
    assert "Where: Under the dog" in text
    assert "End:" not in text
    mail, _ = shown(tmp_path, _item("IPM.Note", {0x8003: "Under the dog"}, moments, named), "msg-to-txt")
    assert "Under the dog" not in mail
