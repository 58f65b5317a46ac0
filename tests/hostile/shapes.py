"""Shapes of markup, mails, feeds, notebooks and PDFs of any size: numbered, nested, never closed, with references."""

from __future__ import annotations

import io
import itertools
import json
from collections.abc import Callable, Mapping

import pikepdf
from pikepdf import Array, Dictionary, Name

Make = Callable[[int], bytes]
"""An input of some so many bytes."""


def repeated(fragment: bytes, size: int) -> bytes:
    """A fragment an even number of times, so that marks that come in pairs are closed at every size or at none."""
    return fragment * max(2, size // len(fragment) // 2 * 2)


def after(head: bytes, fragment: bytes, tail: bytes = b"") -> Make:
    """A fragment again and again between a head and a tail."""
    return lambda size: head + repeated(fragment, size) + tail


def nested(start: bytes, end: bytes, head: bytes = b"", inside: bytes = b"x", tail: bytes = b"") -> Make:
    """What is opened again and again, and then closed as often."""

    def make(size: int) -> bytes:
        times = max(1, size // len(start + end))
        return head + start * times + inside + end * times + tail

    return make


def numbered(fragment: bytes, head: bytes = b"", tail: bytes = b"") -> Make:
    """A fragment with the number of its turn in place of each `#`."""

    def make(size: int) -> bytes:
        parts, length = [], 0
        for number in itertools.count():
            parts.append(fragment.replace(b"#", b"%d" % number))
            length += len(parts[-1])
            if length >= size:
                return head + b"".join(parts) + tail
        raise AssertionError

    return make


def doubled(head: bytes, note: bytes, last: bytes) -> Make:
    """Notes that refer twice to the next one, whose number takes the place of each `+`."""

    def make(size: int) -> bytes:
        times = max(1, size // len(note))
        notes = (note.replace(b"+", b"%d" % (number + 1)).replace(b"#", b"%d" % number) for number in range(1, times))
        return head + b"".join(notes) + last.replace(b"#", b"%d" % times)

    return make


_DOCBOOK = b'<article xmlns="http://docbook.org/ns/docbook" version="5.0"><title>t</title>'
_FB2 = (
    b'<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink">'
    b"<description/><body><section>"
)
_FB2_END = b"</section></body></FictionBook>"
_OPML = b'<opml version="2.0"><head/><body>'
_OPML_END = b"</body></opml>"
_LATEX, _LATEX_END = b"\\documentclass{article}\\begin{document}\n", b"\n\\end{document}\n"
_MAN = b".TH A 1\n.SH NAME\na\n"
_RTF = b"{\\rtf1\\ansi "
_MAIL = b"From a@b Thu Jan  1 00:00:00 2026\nFrom: a@b\nSubject: "


def _notebook(cell: Mapping[str, object]) -> Make:
    text = json.dumps(cell).encode() + b","
    return lambda size: (
        b'{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":['
        + (text * max(1, size // len(text))).rstrip(b",")
        + b"]}"
    )


def _long_cell(text: str, kind: str = "markdown") -> Make:
    def make(size: int) -> bytes:
        cell: dict[str, object] = {"cell_type": kind, "metadata": {}, "source": text * max(1, size // len(text))}
        if kind == "code":
            cell |= {"outputs": [], "execution_count": None}
        return _notebook(cell)(1)

    return make


def _form(size: int) -> bytes:
    """A page for each field of a form that has one outermost field, and resources that all pages have."""
    with pikepdf.new() as pdf:
        shared = pdf.make_indirect(Dictionary(XObject=Dictionary()))
        top = pdf.make_indirect(Dictionary(T="form", Kids=Array()))
        for at in range(max(1, size // 500)):
            pdf.add_blank_page()
            page = pdf.pages[-1].obj
            field = Dictionary(Subtype=Name.Widget, FT=Name.Tx, T=f"{at}", Rect=Array([0, 0, 9, 9]), Parent=top)
            page.Annots, page.Resources = Array([pdf.make_indirect(field)]), shared
            page.Contents = pdf.make_stream(b"/X%d Do" % at)
            top.Kids.append(page.Annots[0])
            shared.XObject[f"/X{at}"] = pdf.make_stream(b"n", {"/Subtype": Name.Form, "/BBox": Array([0, 0, 9, 9])})
        pdf.Root.AcroForm = Dictionary(Fields=Array([top]))
        out = io.BytesIO()
        pdf.save(out)
        return out.getvalue()


_STREAM = {"output_type": "stream", "name": "stdout", "text": "\x1b[1mx"}
_CODE: dict[str, object] = {"cell_type": "code", "metadata": {}, "source": "x", "execution_count": None}
SHAPES: Mapping[str, Mapping[str, Make]] = {
    "markdown": {
        "notes in notes": doubled(b"t [^1]\n\n", b"[^#]: [^+] [^+]\n\n", b"[^#]: x\n"),
        "one note": after(b"[^1]: " + b"word " * 400 + b"\n\n", b"t [^1]\n\n"),
        "open notes": after(b"", b"[^a]: "),
    },
    "textile": {
        "notes in notes": doubled(b"t[1]\n\n", b"fn#. [+] [+]\n\n", b"fn#. x\n"),
        "footnotes": numbered(b"a[#]\n\nfn#. b\n\n"),
        "links": numbered(b'"a":b#\n\n[b#]http://a\n\n'),
        "lists": numbered(b"* a\n"),
        "deep list": lambda size: b"".join(b"*" * number + b" a\n" for number in range(1, int((2 * size) ** 0.5))),
        "table": after(b"", b"|_. a|\\2. b|\n"),
        "long row": after(b"", b"|a", b"|\n"),
        "spans": after(b"", b"%{color:red}a "),
        "closed spans": after(b"", b"%{color:red}a% "),
        "styles": after(b"p(", b"a ", b"). x\n"),
        "acronyms": after(b"", b"A(b "),
        "code": after(b"", b"@a "),
        "pre": after(b"", b"<pre>"),
        "images": after(b"", b"!a "),
        "quotes": after(b"", b'"a ":'),
        "notextile": after(b"", b"==a "),
        "tags": nested(b"<b>", b"</b>"),
        "deleted": after(b"", b"-a "),
        "cited": after(b"", b"??a "),
        "brackets": after(b"", b"[*a"),
    },
    "mediawiki": {
        "links": after(b"", b"[[a|"),
        "closed links": after(b"", b"[[a|b]] "),
        "templates": nested(b"{{a|", b"}}"),
        "open templates": after(b"", b"{{a|b="),
        "tables": nested(b"{|\n|\n", b"|}\n"),
        "open tables": after(b"", b"{|\n|\n"),
        "cells": after(b"{|\n", b"|-\n|a||b\n", b"|}\n"),
        "long row": after(b"{|\n|a", b"||a", b"\n|}\n"),
        "references": numbered(b"a<ref name=b#>c</ref> <ref name=b# />\n"),
        "open references": after(b"", b"<ref>a "),
        "headings": numbered(b"== a# ==\n"),
        "open headings": after(b"", b"== a "),
        "lists": lambda size: b"".join(b"*" * number + b" a\n" for number in range(1, int((2 * size) ** 0.5))),
        "mixed list": after(b"", b"*#:;", b" a\n"),
        "definitions": after(b"", b"; a : b\n"),
        "quotes": after(b"", b"''a '''b "),
        "five quotes": after(b"", b"'''''a"),
        "tags": nested(b"<div>", b"</div>"),
        "open tags": after(b"", b"<div>"),
        "nowiki": after(b"", b"<nowiki>a"),
        "math": after(b"", b"<math>a"),
        "code": after(b"", b"<syntaxhighlight>a"),
        "comments": after(b"", b"<!-- a "),
        "attributes": after(b"<div ", b"a=b ", b">x</div>"),
        "addresses": after(b"", b"[http://a b "),
        "categories": numbered(b"[[Category:a#]]\n"),
        "files": nested(b"[[File:a.png|thumb|", b"]]"),
        "entities": after(b"", b"&amp"),
        "pre": after(b"", b" a ''b\n"),
    },
    "latex": {
        "macros": numbered(b"\\newcommand{\\a#}{b}\n", _LATEX, _LATEX_END),
        "macros in macros": lambda size: (
            _LATEX
            + b"\\newcommand{\\xa}{x}"
            + b"".join(b"\\newcommand{\\x%s}{\\x%s}" % (b"a" * (at + 1), b"a" * at) for at in range(1, int(size**0.5)))
            + _LATEX_END
        ),
        "macros used": after(_LATEX + b"\\newcommand{\\a}[1]{b#1}", b"\\a{c} ", _LATEX_END),
        "macros in arguments": nested(b"\\a{", b"}", _LATEX + b"\\newcommand{\\a}[1]{b#1}", b"x", _LATEX_END),
        "environments": numbered(b"\\newenvironment{e#}{a}{b}\n", _LATEX, _LATEX_END),
        "groups": nested(b"{", b"}", _LATEX, b"x", _LATEX_END),
        "open groups": after(_LATEX, b"{\\bf a "),
        "bold": nested(b"\\textbf{", b"}", _LATEX, b"x", _LATEX_END),
        "open bold": after(_LATEX, b"\\textbf{a "),
        "labels": numbered(b"\\section{a#}\\label{b#} \\ref{b#}\n", _LATEX, _LATEX_END),
        "equations": numbered(b"\\begin{equation}\\label{b#}a\\end{equation} \\eqref{b#}\n", _LATEX, _LATEX_END),
        "footnotes": after(_LATEX, b"a\\footnote{b} ", _LATEX_END),
        "nested footnotes": nested(b"\\footnote{", b"}", _LATEX, b"x", _LATEX_END),
        "open footnotes": after(_LATEX, b"\\footnote{a "),
        "lists": nested(b"\\begin{itemize}\\item ", b"\\end{itemize}", _LATEX, b"x", _LATEX_END),
        "open lists": after(_LATEX, b"\\begin{itemize}\\item "),
        "items": after(_LATEX + b"\\begin{itemize}", b"\\item a\n", b"\\end{itemize}" + _LATEX_END),
        "math": after(_LATEX, b"$a$ ", _LATEX_END),
        "long math": after(_LATEX + b"$", b"a+", b"a$" + _LATEX_END),
        "open math": after(_LATEX, b"$a "),
        "fractions": nested(b"\\frac{1}{", b"}", _LATEX + b"$", b"x", b"$" + _LATEX_END),
        "powers": nested(b"a^{", b"}", _LATEX + b"$", b"x", b"$" + _LATEX_END),
        "fences": nested(b"\\left(", b"\\right)", _LATEX + b"$", b"x", b"$" + _LATEX_END),
        "brackets": after(_LATEX, b"\\item["),
        "options": after(_LATEX, b"\\includegraphics["),
        "rows": after(_LATEX + b"\\begin{tabular}{ll}", b"a & b \\\\\n", b"\\end{tabular}" + _LATEX_END),
        "tables": nested(b"\\begin{tabular}{l}", b"\\end{tabular}", _LATEX, b"x", _LATEX_END),
        "columns": after(_LATEX + b"\\begin{tabular}{", b"l", b"}a\\end{tabular}" + _LATEX_END),
        "repeated columns": nested(
            b"*{9}{", b"}", _LATEX + b"\\begin{tabular}{", b"l", b"}a\\end{tabular}" + _LATEX_END
        ),
        "verbatim": after(_LATEX, b"\\verb|a"),
        "open verbatim": after(_LATEX, b"\\begin{verbatim}"),
        "comments": after(_LATEX, b"%"),
        "comment lines": after(_LATEX, b"%a\n"),
        "conditions": nested(b"\\iftrue ", b"\\fi ", _LATEX, b"x", _LATEX_END),
        "open conditions": after(_LATEX, b"\\iffalse "),
        "definitions": after(_LATEX, b"\\def\\a{b}"),
        "delimited arguments": after(_LATEX + b"\\def\\a#1;{b}", b"\\a "),
        "citations": numbered(b"\\cite{a#}", _LATEX, _LATEX_END),
        "long citation": after(_LATEX + b"\\cite{", b"a,", b"a}" + _LATEX_END),
        "bibliography": numbered(
            b"\\bibitem{a#} b\n", _LATEX + b"\\begin{thebibliography}{9}", b"\\end{thebibliography}" + _LATEX_END
        ),
        "accents": after(_LATEX, b"\\'a\\\"o"),
        "dashes": after(_LATEX, b"-"),
        "quotes": after(_LATEX, b"``a "),
        "lines": after(_LATEX, b"a\\\\ "),
        "colors": numbered(b"\\definecolor{a#}{rgb}{0,0,0}", _LATEX, _LATEX_END),
        "counters": numbered(b"\\newcounter{a#}", _LATEX, _LATEX_END),
        "theorems": numbered(b"\\newtheorem{a#}{b}\\begin{a#}x\\end{a#}", _LATEX, _LATEX_END),
        "acronyms": numbered(b"\\acro{a#}{b}\\ac{a#}", _LATEX, _LATEX_END),
        "glossary": numbered(b"\\newacronym{a#}{b}{c}\\gls{a#}", _LATEX, _LATEX_END),
        "units": after(_LATEX, b"\\SI{1e3}{\\metre\\per\\second}", _LATEX_END),
        "lets": numbered(b"\\let\\a=b", _LATEX, _LATEX_END),
    },
    "typst": {
        "calls": nested(b"#text[", b"]"),
        "open calls": after(b"", b"#text["),
        "functions": numbered(b"#let a# = 1\n"),
        "functions in functions": lambda size: (
            b"#let a0 = 1\n"
            + b"".join(b"#let a%d = a%d + 1\n" % (at + 1, at) for at in range(size // 20))
            + b"#a%d" % (size // 20)
        ),
        "labels": numbered(b"= a# <b#>\n@b#\n"),
        "footnotes": after(b"", b"a#footnote[b] "),
        "lists": lambda size: b"".join(b"  " * at + b"- a\n" for at in range(int(size**0.5))),
        "math": nested(b"(", b")", b"$", b"x", b"$"),
        "open math": after(b"$", b"("),
        "fractions": nested(b"1/(", b")", b"$", b"x", b"$"),
        "long math": after(b"$", b"a + ", b"a$"),
        "powers": after(b"$", b"a^", b"a$"),
        "arrays": nested(b"(", b",)", b"#let a = "),
        "long array": after(b"#let a = (", b"1,", b")"),
        "dictionary": numbered(b"a#: 1,", b"#let a = (", b")"),
        "sums": after(b"#let a = 1", b"+1"),
        "text sums": after(b'#let a = "x"', b'+"x"', b"\n#a"),
        "blocks": nested(b"#{", b"}"),
        "inner blocks": nested(b"{", b"}", b"#"),
        "conditions": nested(b"if true {", b"}", b"#"),
        "comments": after(b"", b"/*"),
        "emphasis": after(b"", b"*a _b "),
        "raw": after(b"", b"```a "),
        "tables": after(b"#table(columns: 2,", b"[a], [b],", b")"),
        "columns": after(b"#table(columns: (", b"1fr,", b"), [a])"),
        "shows": after(b"", b"#show heading: it => it\n", b"= a\n"),
        "shows of text": after(b'#show "a": [a]\n', b"a "),
        "sets": after(b"", b"#set text(red)\n", b"a\n"),
        "loops": nested(b"for a in (1,) {", b"}", b"#"),
        "accesses": after(b"#a", b".b"),
        "headings": numbered(b"= a#\n"),
        "imports": after(b"", b'#import "a": b\n'),
        "strings": after(b"#", b'"a\\"'),
        "equations": after(b"", b"$a$ "),
        "signs": after(b"", b"-"),
        "negations": after(b"#let a = ", b"-", b"1"),
    },
    "man": {
        "fonts": after(_MAN, b"\\fBa\\fI"),
        "font lines": after(_MAN, b".B a\n"),
        "continued fonts": after(_MAN, b".B a\\\n"),
        "macros": numbered(b".de a#\nb\n..\n", _MAN),
        "open macros": after(_MAN, b".de a\n"),
        "macros used": after(_MAN + b".de XX\na\n..\n", b".XX\n"),
        "strings": numbered(b".ds a# b\n", _MAN),
        "strings used": after(_MAN + b".ds a b\n", b"\\*[a] "),
        "strings in strings": after(_MAN, b".ds a \\*[a]\\*[a]\n", b"\\*[a]\n"),
        "indents": after(_MAN, b".RS\n"),
        "closed indents": nested(b".RS\na\n", b".RE\n", _MAN),
        "items": after(_MAN, b".TP\na\nb\n"),
        "bullets": after(_MAN, b".IP \\(bu\na\n"),
        "tables": after(_MAN, b".TS\nl l.\na\tb\n.TE\n"),
        "open tables": after(_MAN, b".TS\nl l.\n"),
        "long table": after(_MAN + b".TS\nl l.\n", b"a\tb\n", b".TE\n"),
        "long row": after(_MAN + b".TS\nl.\na", b"\ta", b"\n.TE\n"),
        "formats": after(_MAN + b".TS\n", b"l ", b".\na\n.TE\n"),
        "conditions": nested(b".if n \\{\\\n", b".\\}\n", _MAN),
        "open conditions": after(_MAN, b".if n \\{ "),
        "arguments": after(_MAN + b".B", b' "a'),
        "escapes": after(_MAN, b"\\"),
        "names": after(_MAN, b"\\["),
        "comments": after(_MAN, b'\\"'),
        "links": after(_MAN, b".UR http://a\n"),
        "examples": after(_MAN, b".EX\n"),
        "no fill": after(_MAN, b".nf\n"),
        "quotes": after(_MAN, b'"a '),
        "words": after(_MAN, b"a "),
        "moves": after(_MAN, b"\\h'1"),
        "characters": after(_MAN, b"\\(em"),
        "sections": numbered(b".SH a#\nb\n", _MAN),
        "mdoc": after(b".Dd a\n.Dt A 1\n.Os\n.Sh NAME\n", b".Nm a\n.Nd b\n"),
        "mdoc lists": after(b".Dd a\n.Dt A 1\n.Os\n.Sh NAME\n", b".Bl -tag\n.It a\n"),
        "mdoc quotes": after(b".Dd a\n.Dt A 1\n.Os\n.Sh NAME\n.Op", b" Fl a Op"),
        "mdoc openings": after(b".Dd a\n.Dt A 1\n.Os\n.Sh NAME\n", b".Oo\n"),
    },
    "docbook": {
        "sections": nested(b"<section><title>a</title>", b"</section>", _DOCBOOK, b"<para/>", b"</article>"),
        "many sections": numbered(
            b"<section xml:id='a#'><title>a#</title><para><xref linkend='a#'/></para></section>",
            _DOCBOOK,
            b"</article>",
        ),
        "links to one": after(
            _DOCBOOK + b"<section xml:id='a'><title>b</title><para>",
            b"<xref linkend='a'/>",
            b"</para></section></article>",
        ),
        "links to the last": lambda size: (
            _DOCBOOK
            + b"".join(b"<para xml:id='a%d'/>" % number for number in range(size // 40))
            + b"<para>"
            + b"<xref linkend='z'/>" * (size // 40)
            + b"</para></article>"
        ),
        "lists": nested(
            b"<itemizedlist><listitem>", b"</listitem></itemizedlist>", _DOCBOOK, b"<para/>", b"</article>"
        ),
        "emphasis": nested(b"<emphasis>", b"</emphasis>", _DOCBOOK + b"<para>", b"x", b"</para></article>"),
        "footnotes": after(_DOCBOOK + b"<para>", b"a<footnote><para>b</para></footnote>", b"</para></article>"),
        "rows": after(
            _DOCBOOK + b"<informaltable><tgroup cols='2'><tbody>",
            b"<row><entry>a</entry><entry>b</entry></row>",
            b"</tbody></tgroup></informaltable></article>",
        ),
        "columns": numbered(
            b"<colspec colname='c#'/>",
            _DOCBOOK + b"<informaltable><tgroup cols='2'>",
            b"<tbody><row><entry>a</entry></row></tbody></tgroup></informaltable></article>",
        ),
        "spans": lambda size: (
            _DOCBOOK
            + b"<informaltable><tgroup cols='2'>"
            + b"".join(b"<colspec colname='c%d'/>" % number for number in range(size // 60))
            + b"<tbody><row>"
            + b"".join(b"<entry namest='c%d' nameend='c%d'>a</entry>" % (at, at) for at in range(size // 60))
            + b"</row></tbody></tgroup></informaltable></article>"
        ),
        "attributes": numbered(b"a#='b' ", b"<article ", b"/>"),
        "entities": after(_DOCBOOK + b"<para>", b"&amp;", b"</para></article>"),
        "callouts": numbered(
            b"<callout arearefs='a#'><para/></callout>", _DOCBOOK + b"<calloutlist>", b"</calloutlist></article>"
        ),
        "open": after(_DOCBOOK, b"<section>"),
        "terms": numbered(
            b"<glossentry xml:id='a#'><glossterm>a</glossterm><glossdef><para/></glossdef></glossentry>",
            _DOCBOOK + b"<glossary>",
            b"</glossary></article>",
        ),
        "instructions": after(_DOCBOOK, b"<?a b?>", b"</article>"),
        "comments": after(_DOCBOOK, b"<!-- a -->", b"</article>"),
        "data": after(_DOCBOOK + b"<para>", b"<![CDATA[a]]>", b"</para></article>"),
        "quotes": nested(b"<quote>", b"</quote>", _DOCBOOK + b"<para>", b"x", b"</para></article>"),
    },
    "rtf": {
        "groups": nested(b"{", b"}", _RTF, b"x", b"}"),
        "bold groups": nested(b"{\\b a", b"}", _RTF, b"x", b"}"),
        "fonts": numbered(b"{\\f# Arial;}", _RTF + b"{\\fonttbl", b"}\\f1 x}"),
        "colors": after(_RTF + b"{\\colortbl;", b"\\red1\\green2\\blue3;", b"}x}"),
        "styles": numbered(b"{\\s#\\sbasedon1 a#;}", _RTF + b"{\\stylesheet", b"}x}"),
        "lists": numbered(
            b"{\\list\\listtemplateid#{\\listlevel\\levelnfc0{\\leveltext a;}}\\listid#}",
            _RTF + b"{\\*\\listtable",
            b"}x}",
        ),
        "overrides": numbered(b"{\\listoverride\\listid#\\ls#}", _RTF + b"{\\*\\listoverridetable", b"}x}"),
        "rows": after(_RTF, b"\\trowd\\cellx100\\cellx200\\intbl a\\cell b\\cell\\row\n", b"}"),
        "long row": after(_RTF + b"\\trowd\\cellx100\\intbl ", b"a\\cell ", b"\\row}"),
        "edges": after(_RTF + b"\\trowd", b"\\cellx100", b"\\intbl a\\cell\\row}"),
        "open rows": after(_RTF, b"\\trowd\\cellx100\\intbl a\\cell "),
        "nested tables": after(_RTF, b"\\itap2 a\\nestcell{\\*\\nesttableprops\\trowd\\cellx9\\nestrow}", b"}"),
        "deep tables": numbered(b"\\itap#\\intbl a\\nestcell ", _RTF, b"}"),
        "footnotes": after(_RTF, b"a{\\footnote b}", b"}"),
        "nested footnotes": nested(b"{\\footnote ", b"}", _RTF, b"x", b"}"),
        "fields": after(_RTF, b'{\\field{\\*\\fldinst HYPERLINK "a"}{\\fldrslt b}}', b"}"),
        "nested fields": nested(b"{\\field{\\fldrslt ", b"}}", _RTF, b"x", b"}"),
        "open fields": after(_RTF, b"{\\field{\\*\\fldinst "),
        "bookmarks": numbered(b"{\\*\\bkmkstart a#}b{\\*\\bkmkend a#}", _RTF, b"}"),
        "open bookmarks": numbered(b"{\\*\\bkmkstart a#}b", _RTF, b"}"),
        "letters": after(_RTF, b"\\u8364?", b"}"),
        "bytes": after(_RTF, b"\\'e4", b"}"),
        "skipped": after(_RTF, b"\\uc9\\u8364"),
        "paragraphs": after(_RTF, b"a\\par\n", b"}"),
        "switches": after(_RTF, b"\\b a\\b0 b", b"}"),
        "pictures": after(_RTF, b"{\\pict\\pngblip 89504e47}", b"}"),
        "long picture": after(_RTF + b"{\\pict\\pngblip ", b"89 ", b"}}"),
        "binary": after(_RTF, b"\\bin1 x", b"}"),
        "unknown": after(_RTF, b"{\\*\\a b}", b"}"),
        "shapes": after(_RTF, b"{\\shp{\\*\\shpinst{\\shptxt a\\par}}}", b"}"),
        "list items": numbered(b"\\ls1\\ilvl0 a\\par\n", _RTF, b"}"),
        "deep items": numbered(b"\\ls1\\ilvl# a\\par\n", _RTF, b"}"),
        "numbers": after(_RTF, b"{\\pntext a\\tab}b\\par\n", b"}"),
        "comments": numbered(b"{\\*\\atrfstart #}a{\\*\\atrfend #}{\\*\\annotation b}", _RTF, b"}"),
        "headings": after(_RTF, b"{\\outlinelevel0 a\\par}\n", b"}"),
    },
    "ipynb": {
        "cells": _notebook({"cell_type": "markdown", "metadata": {}, "source": "x"}),
        "code": _notebook(_CODE | {"outputs": []}),
        "outputs": _notebook(_CODE | {"outputs": [_STREAM] * 9}),
        "attachments": _notebook(
            {
                "cell_type": "markdown",
                "metadata": {},
                "source": "![a](attachment:a)",
                "attachments": {"a": {"text/plain": "x"}},
            }
        ),
        **{
            f"long {text!r}": _long_cell(text)
            for text in (
                "*a_ ",
                "*a **a ",
                "[a](",
                "[^1]: ",
                "> ",
                "<b>",
                "$a ",
                "- a\n",
                "# a\n\n",
                "|a|\n",
                "![a](attachment:a)",
            )
        },
        "long code": _long_cell("a\n", "code"),
        "controls": _long_cell("\x1b[1ma", "code"),
        "one output": lambda size: _notebook(_CODE | {"outputs": [_STREAM] * (size // 70)})(1),
        "controls of an output": lambda size: _notebook(
            _CODE | {"outputs": [_STREAM | {"text": "\x1b[1mx" * (size // 10)}]}
        )(1),
        "open controls": lambda size: _notebook(_CODE | {"outputs": [_STREAM | {"text": "\x1b[" * (size // 7)}]})(1),
        "lines of an output": lambda size: _notebook(_CODE | {"outputs": [_STREAM | {"text": ["x\r"] * (size // 7)}]})(
            1
        ),
        "open": after(b'{"cells":[', b'{"a":['),
    },
    "fb2": {
        "sections": nested(b"<section>", b"</section>", _FB2, b"<p>x</p>", _FB2_END),
        "titles": after(_FB2, b"<section><title><p>a</p></title><p>b</p></section>", _FB2_END),
        "notes": lambda size: (
            _FB2
            + b"".join(b"<p><a l:href='#n%d' type='note'>1</a></p>" % number for number in range(size // 100))
            + b"</section></body><body name='notes'>"
            + b"".join(b"<section id='n%d'><p>a</p></section>" % number for number in range(size // 100))
            + b"</body></FictionBook>"
        ),
        "one note": after(
            _FB2 + b"<p>",
            b"<a l:href='#n' type='note'>1</a>",
            b"</p></section></body><body name='notes'><section id='n'><p>a</p></section></body></FictionBook>",
        ),
        "notes in notes": numbered(
            b"<section id='n#'><p><a l:href='#n#' type='note'>1</a></p></section>",
            _FB2 + b"<p/></section></body><body name='notes'>",
            b"</body></FictionBook>",
        ),
        "emphasis": nested(b"<emphasis>", b"</emphasis>", _FB2 + b"<p>", b"x", b"</p>" + _FB2_END),
        "pictures": numbered(b"<image l:href='#a#'/>", _FB2, _FB2_END),
        "binaries": numbered(
            b"<binary id='a#' content-type='image/png'>AAAA</binary>",
            _FB2 + b"<p/></section></body>",
            b"</FictionBook>",
        ),
        "picture of many binaries": lambda size: (
            _FB2
            + b"".join(b"<image l:href='#a%d'/>" % number for number in range(size // 90))
            + b"</section></body>"
            + b"".join(
                b"<binary id='a%d' content-type='image/png'>AA==</binary>" % number for number in range(size // 90)
            )
            + b"</FictionBook>"
        ),
        "poems": after(_FB2, b"<poem><stanza><v>a</v></stanza></poem>", _FB2_END),
        "verses": after(_FB2 + b"<poem><stanza>", b"<v>a</v>", b"</stanza></poem>" + _FB2_END),
        "quotes": nested(b"<cite>", b"</cite>", _FB2, b"<p>x</p>", _FB2_END),
        "rows": after(_FB2 + b"<table>", b"<tr><td>a</td></tr>", b"</table>" + _FB2_END),
        "cells": after(_FB2 + b"<table><tr>", b"<td>a</td>", b"</tr></table>" + _FB2_END),
        "links": numbered(b"<p id='b#'><a l:href='#b#'>c</a></p>", _FB2, _FB2_END),
        "empty lines": after(_FB2, b"<empty-line/>", _FB2_END),
        "open": after(_FB2, b"<section><p>"),
    },
    "mbox": {
        "mails": after(b"", _MAIL + b"x\n\ny\n\n"),
        "mails of equal names": after(b"", _MAIL + b"x\nContent-Disposition: attachment; filename=a\n\ny\n\n"),
        "threads": numbered(_MAIL + b"x\nMessage-ID: <#@a>\nIn-Reply-To: <0@a>\n\ny\n\n"),
        "words": after(_MAIL, b"=?utf-8?q?a?= ", b"\n\nx\n"),
        "quoted": after(_MAIL + b"x\n\n", b">From a\n"),
        "false starts": after(_MAIL + b"x\n\n", b"From a\n"),
        "blank lines": after(_MAIL + b"x\n\n", b"\n"),
        "headers": after(_MAIL + b"x\n", b"A: b\n", b"\nx\n"),
        "folded": after(_MAIL + b"x\nA: b\n", b" c\n", b"\nx\n"),
        "parts": after(_MAIL + b"x\nContent-Type: multipart/mixed; boundary=b\n\n", b"--b\n\nx\n"),
        "starts": after(b"", b"From a@b Thu Jan  1 00:00:00 2026\n"),
        "quotes": nested(b">", b"", _MAIL + b"x\n\n"),
        "html": after(_MAIL + b"x\nContent-Type: text/html\n\n", b"<b>"),
    },
    "pdf": {"pages of a form": _form},
    "bibtex": {
        "entries": numbered(b"@article{a#, title={b}}\n"),
        "equal keys": after(b"", b"@article{a, title={b}}\n"),
        "strings": numbered(b"@string{a#={b}}\n"),
        "strings in strings": lambda size: (
            b"@string{a0={b}}\n" + b"".join(b"@string{a%d=a%d}\n" % (at + 1, at) for at in range(size // 20))
        ),
        "doubled strings": lambda size: (
            b"@string{a0={b}}\n"
            + b"".join(b"@string{a%d=a%d # a%d}\n" % (at + 1, at, at) for at in range(size // 25))
            + b"@book{c, title=a%d}" % (size // 25)
        ),
        "fields": numbered(b"b#={c},", b"@article{a,", b"}"),
        "braces": nested(b"{", b"}", b"@article{a, title={", b"x", b"}}"),
        "authors": after(b"@article{a, author={", b"A B and ", b"C}}"),
        "long author": after(b"@article{a, author={", b"A ", b"}}"),
        "commas": after(b"@article{a, author={", b"A, ", b"}}"),
        "commands": after(b"@article{a, title={", b"\\'e", b"}}"),
        "nested commands": nested(b"\\textbf{", b"}", b"@article{a, title={", b"x", b"}}"),
        "math": after(b"@article{a, title={", b"$a ", b"}}"),
        "joined": after(b'@article{a, title="b"', b' # "c"', b"}"),
        "crossed": numbered(b"@article{a#, crossref={a0}}\n"),
        "chained": lambda size: b"".join(b"@article{a%d, crossref={a%d}}\n" % (at, at + 1) for at in range(size // 28)),
        "comments": after(b"", b"@comment{a}\n"),
        "open comments": after(b"", b"@comment{"),
        "between": after(b"", b"a\n"),
        "signs": after(b"", b"@"),
        "preambles": after(b"", b"@preamble{a}"),
        "keywords": after(b"@article{a, keywords={", b"b, ", b"}}"),
        "pages": after(b"@article{a, pages={", b"1--2, ", b"}}"),
        "dates": after(b"@article{a, date={", b"2020/", b"}}"),
    },
    "opml": {
        "outlines": nested(b"<outline text='a'>", b"</outline>", _OPML, b"", _OPML_END),
        "flat": numbered(b"<outline text='a#' xmlUrl='http://a/#'/>", _OPML, _OPML_END),
        "own attributes": numbered(b"<outline text='a' b#='c'/>", _OPML, _OPML_END),
        "attributes": numbered(b"a#='b' ", _OPML + b"<outline ", b"/>" + _OPML_END),
        "notes": after(_OPML + b"<outline text='a' _note='", b"*a **a ", b"'/>" + _OPML_END),
        "marked texts": after(_OPML + b"<outline text='", b"&lt;b&gt;", b"'/>" + _OPML_END),
        "open": after(_OPML, b"<outline text='a'>"),
        "head": numbered(b"<a#>b</a#>", b"<opml version='2.0'><head>", b"</head><body/></opml>"),
    },
}
