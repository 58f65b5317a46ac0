"""What a conversion of markup loses is named, in each language, and what the language hides on purpose is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.families.registry import CONVERTERS
from tests.engine.test_false_alarms import warned
from tests.engine.test_torn_results import told, without

WHOLE = {
    "latex": (
        "\\documentclass{article}\n\\newcommand{\\hide}[1]{}\n\\begin{document}\n\\section{Alpha}\n% secretly\n"
        "Some \\emph{marvellous} words\\footnote{Below there.} and \\href{https://example.org/a}{linking}.\n"
        "\\hide{nowhere shown} $\\alpha + fraction$\n\\begin{verbatim}\nlisting()\n\\end{verbatim}\n\\end{document}\n"
    ),
    "typst": (
        '#let unused = [nowhere]\n#set text(lang: "en")\n= Alpha\n// secretly\n'
        'Some *marvellous* words#footnote[Below there.] and #link("https://example.org/a")[linking]. $x + y$\n\n'
        "```py\nlisting()\n```\n"
    ),
    "rst": (
        "Alpha\n=====\n\n.. secretly\n   nowhere\n\nSome **marvellous** words [1]_ and `linking <https://example.org/a>`_.\n\n"
        ".. [1] Below there.\n\n.. raw:: latex\n\n   nowhere\n\n.. code-block:: python\n   :linenos:\n\n   listing()\n"
    ),
    "org": (
        "#+OPTIONS: nowhere:nil\n* TODO Alpha :label:\n:PROPERTIES:\n:ID: nowhere\n:END:\n# secretly\n"
        "Some *marvellous* words[fn:1] and [[https://example.org/a][linking]].\n\n"
        "#+begin_src python\nlisting()\n#+end_src\n* COMMENT Nowhere\nHidden below.\n* Notes\n[fn:1] Below there.\n"
    ),
    "asciidoc": (
        "= Alpha\n:nowhere: value\n\n// secretly\nSome *marvellous* words footnote:[Below there.] and "
        "https://example.org/a[linking].\n\n////\nHidden below.\n////\n\nifdef::nothing[]\nNowhere.\nendif::[]\n\n"
        "[source,python]\n----\nlisting()\n----\n"
    ),
    "mediawiki": (
        "== Alpha ==\n<!-- secretly -->\nSome '''marvellous''' words<ref>Below there.</ref> and "
        "[https://example.org/a linking].\n\n<pre>listing()</pre>{{nowhere}}\n"
    ),
    "jira": "h1. Alpha\n\nSome *marvellous* words and [linking|https://example.org/a].\n\n{code}\nlisting()\n{code}\n",
    "textile": 'h1. Alpha\n\nSome *marvellous* words and "linking":https://example.org/a.\n\nbc. listing()\n',
    "man": '.TH ALPHA 1\n.\\" secretly\n.SH ONE\nSome \\fBmarvellous\\fP words\n.B linking\nwith listing\\-commands.\n',
    "docbook": (
        '<article xmlns="http://docbook.org/ns/docbook" xmlns:l="http://www.w3.org/1999/xlink"><title>Alpha</title>'
        "<!-- secretly --><para>Some <emphasis>marvellous</emphasis> words"
        "<footnote><para>Below there.</para></footnote>"
        ' and <link l:href="https://example.org/a">linking</link>.</para>'
        "<programlisting>listing()</programlisting></article>"
    ),
    "opml": (
        '<opml><body><outline text="Alpha"><outline text="Some marvellous words, linking, listing"/></outline>'
        "</body></opml>"
    ),
    "ipynb": (
        '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": ['
        '{"cell_type": "markdown", "metadata": {}, "source": "Some *marvellous* [linking](https://example.org/a)"},'
        '{"cell_type": "code", "metadata": {}, "execution_count": null, "outputs": [], "source": "listing()"}]}'
    ),
}
DRAWN = frozenset({"png", "jpg", "webp", "opml"})
NOTED = frozenset({"latex", "typst", "rst", "org", "asciidoc", "mediawiki", "docbook"})
LINKED = frozenset(WHOLE) - {"man", "opml"}


@pytest.mark.parametrize("input", WHOLE)
@pytest.mark.parametrize("output", ["html", "markdown", "txt"])
def test_words_and_code_that_a_result_lacks_are_named(tmp_path: Path, input: str, output: str) -> None:
    slug, data = f"{input}-to-{output}", WHOLE[input].encode()
    assert told(tmp_path, slug, data, None) == []
    for word in ("marvellous", "listing"):
        assert told(tmp_path, slug, data, without(word)) == [f"Words are missing from the result: 1 (“{word}”)."]


@pytest.mark.parametrize("input", sorted(LINKED))
def test_links_that_a_result_lacks_are_named(tmp_path: Path, input: str) -> None:
    said = told(tmp_path, f"{input}-to-html", WHOLE[input].encode(), without('href="https', 'title="https'))
    assert said == ["Links are missing from the result: 1."]


@pytest.mark.parametrize("input", sorted(NOTED))
def test_notes_that_a_result_lacks_are_named(tmp_path: Path, input: str) -> None:
    said = told(tmp_path, f"{input}-to-markdown", WHOLE[input].encode(), without("[^1]"))
    assert said == ["Footnotes are missing from the result: 1."]


OUTPUTS = ("latex", "typst", "rst", "org", "asciidoc", "mediawiki", "jira", "docbook")


@pytest.mark.parametrize("output", OUTPUTS)
def test_what_written_markup_lacks_is_named(tmp_path: Path, output: str) -> None:
    slug, data = (
        f"markdown-to-{output}",
        b"# Alpha\n\nSome *marvellous* words and a [linking](https://example.org/a) one.\n",
    )
    assert told(tmp_path, slug, data, None) == []
    assert told(tmp_path, slug, data, without("marvellous")) == ["Words are missing from the result: 1 (“marvellous”)."]


@pytest.mark.parametrize(
    ("input", "text", "word"),
    [
        ("typst", "#show raw: set text(size: 9pt) if false\n\n`codewords`\n", "codewords"),
        ("rst", "Text here.\n\n.. rst:directive:option:: name\n   :type: none\n\n   Described inside.\n", "Described"),
    ],
)
def test_what_the_reader_leaves_out_in_silence_is_named(tmp_path: Path, input: str, text: str, word: str) -> None:
    said = " ".join(str(each.message) for each in warned(tmp_path, f"{input}-to-html", text.encode()).warnings)
    assert word in said


def test_a_picture_that_became_a_link_is_missing(tmp_path: Path) -> None:
    said = warned(tmp_path, "mediawiki-to-html", b"Text.\n\n[[File:folder/scheme.png|framed|center|Flow]]\n").warnings
    assert "Pictures are missing from the result: 1." in [str(each.message) for each in said]


def test_every_markup_language_is_counted() -> None:
    from engine.families.auditing import audited_kinds

    assert [
        slug
        for slug, each in CONVERTERS.items()
        if each.input.id in WHOLE and each.output.id not in DRAWN and not audited_kinds(each)
    ] == []
