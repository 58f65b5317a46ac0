"""Files of notebooks, outlines and markup: a report and an awkward contract each, as the programs write them."""

from __future__ import annotations

import base64
import json
from typing import Any

from tests.families.documents.files import png

_PICTURE = base64.b64encode(png()).decode()


def notebook(*cells: dict[str, Any]) -> bytes:
    """A notebook as JupyterLab saves it."""
    return json.dumps(
        {
            "cells": [{"id": f"c{number}", "metadata": {}, **cell} for number, cell in enumerate(cells)],
            "metadata": {
                "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                "language_info": {"name": "python", "version": "3.11.2"},
            },
            "nbformat": 4,
            "nbformat_minor": 5,
        },
        indent=1,
        ensure_ascii=False,
    ).encode()


def markdown_cell(*lines: str, **more: Any) -> dict[str, Any]:
    return {"cell_type": "markdown", "source": [f"{each}\n" for each in lines], **more}


def code_cell(source: str, *outputs: dict[str, Any]) -> dict[str, Any]:
    return {"cell_type": "code", "execution_count": None, "source": [source], "outputs": list(outputs)}


def printed(*text: str, name: str = "stdout") -> dict[str, Any]:
    return {"output_type": "stream", "name": name, "text": list(text)}


def shown(data: dict[str, Any]) -> dict[str, Any]:
    return {"output_type": "display_data", "metadata": {}, "data": data}


def _frame(rows: str) -> str:
    return (
        "<div>\n<style scoped>\n    .dataframe tbody tr th {\n        vertical-align: top;\n    }\n</style>\n"
        '<table border="1" class="dataframe">\n  <thead>\n    <tr style="text-align: right;">\n      <th></th>\n'
        "      <th>region</th>\n      <th>units</th>\n    </tr>\n  </thead>\n  <tbody>\n"
        f"{rows}  </tbody>\n</table>\n</div>"
    )


FRAME = _frame("    <tr>\n      <th>0</th>\n      <td>North</td>\n      <td>1,200</td>\n    </tr>\n")


def ipynb() -> bytes:
    return notebook(
        markdown_cell("# Sales", "", "Sales grew in *Zürich* and **東京**, by $\\frac{1}{2}$.", "", "Audited figures"),
        code_cell(
            "frame",
            printed("reading\n", "10 %\r100 %\n"),
            {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/html": FRAME}},
        ),
        code_cell("frame.plot()", shown({"image/png": f"{_PICTURE}\n", "text/plain": ["<Figure size 640x480>"]})),
    )


def ipynb_awkward() -> bytes:
    return notebook(
        markdown_cell("# Contract 😀", "", "The price is 1000 euros. <script>alert(1)</script>"),
        code_cell(
            "1/0",
            {
                "output_type": "error",
                "ename": "ZeroDivisionError",
                "evalue": "division by zero",
                "traceback": ["\x1b[0;31m----\x1b[0m", "\x1b[0;31mZeroDivisionError\x1b[0m: division by zero"],
            },
        ),
        code_cell(
            "figure.show()",
            shown({"text/html": "<div id='p'></div><script>alert(1)</script>", "text/plain": ["Figure()"]}),
        ),
    )


LATEX = r"""\documentclass[11pt]{article}
\usepackage[utf8]{inputenc}
\usepackage{amsmath,graphicx}
\title{Quarterly report}
\author{Ann}
\date{2026}
\begin{document}
\maketitle
\section{Sales}\label{sec:sales}
Sales grew in \emph{Zürich} and \textbf{東京}\footnote{Audited figures}, as Section~\ref{sec:regions} says.
\begin{equation}\label{eq:mean}
  \bar{x} = \frac{1}{n} \sum_{i=1}^{n} x_i
\end{equation}
\subsection{Regions}\label{sec:regions}
\begin{tabular}{lr}
\hline
Region & Units \\
\hline
North & 1,200 \\
South & 950 \\
\hline
\end{tabular}
\begin{itemize}
  \item one
  \item two
\end{itemize}
\end{document}
"""
LATEX_AWKWARD = r"""\documentclass{article}
\newcommand{\price}[1]{The price is #1 euros}
\begin{document}
\section{Contract 😀}
\price{1000}, says \cite{knuth}. \input{terms}
\begin{tikzpicture}\draw (0,0) -- (1,1);\end{tikzpicture}
\includegraphics{http://203.0.113.7/a.png}
\end{document}
"""

ORG = """\
#+TITLE: Quarterly report
#+AUTHOR: Ann

* Sales
Sales grew in /Zürich/ and *東京* [fn:1].

| Region | Units |
|--------+-------|
| North  | 1,200 |
| South  |   950 |

- [X] done
- [ ] +to do+

#+BEGIN_SRC python
print(1)
#+END_SRC

* Footnotes

[fn:1] Audited figures
"""
ORG_AWKWARD = """\
#+INCLUDE: "terms.org"
* TODO Contract 😀 :legal:
The price is 1000 euros.
#+BEGIN_EXPORT html
<script>alert(1)</script>
#+END_EXPORT
"""

ASCIIDOC = """\
= Quarterly report
Ann <ann@example.com>
:toc:

== Sales

Sales grew in _Zürich_ and *東京*.footnote:[Audited figures]

[cols="1,>1",options="header"]
|===
|Region |Units

|North |1,200
|South |950
|===

NOTE: All figures are in units.

[source,python]
----
print(1)
----

* one
* two
"""
ASCIIDOC_AWKWARD = """\
= Contract 😀

include::terms.adoc[]

ifdef::draft[]
This is a draft.
endif::[]

The price is 1000 euros.

++++
<script>alert(1)</script>
++++
"""

TYPST = """\
#set document(title: "Quarterly report")
#let units = 1200
= Sales
Sales grew in _Zürich_ and *東京*#footnote[Audited figures].

$ sum_(i=1)^n x_i / n $

#table(
  columns: 2,
  [Region], [Units],
  [North], [1,200],
  [South], [950],
)

- one
- two
"""
TYPST_AWKWARD = """\
#include "terms.typ"
= Contract 😀
#let price = 500 * 2
The price is #price euros.
"""

DOCBOOK = """\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE article PUBLIC "-//OASIS//DTD DocBook XML V4.5//EN" "http://www.oasis-open.org/docbook/xml/4.5/docbookx.dtd" [
<!ENTITY city "Zürich">
]>
<article lang="en">
  <articleinfo><title>Quarterly report</title><author><firstname>Ann</firstname></author></articleinfo>
  <sect1 id="sales"><title>Sales</title>
    <para>Sales grew in &city; &mdash; and <emphasis role="bold">東京</emphasis><footnote><para>Audited
    figures</para></footnote>.</para>
    <table><title>Regions</title><tgroup cols="2"><thead><row><entry>Region</entry><entry>Units</entry></row></thead>
    <tbody><row><entry>North</entry><entry>1,200</entry></row></tbody></tgroup></table>
    <itemizedlist><listitem><para>one</para></listitem></itemizedlist>
  </sect1>
</article>
""".replace("Audited\n    figures", "Audited figures")
DOCBOOK_AWKWARD = """\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE article [<!ENTITY terms SYSTEM "terms.xml">]>
<article xmlns="http://docbook.org/ns/docbook" xmlns:xi="http://www.w3.org/2001/XInclude" version="5.0">
  <title>Contract 😀</title>
  <para>The price is 1000 euros.</para>
  <xi:include href="chapter.xml"/>
  &terms;
</article>
"""

MEDIAWIKI = """\
== Sales ==
Sales grew in ''Zürich'' and '''東京'''.<ref>Audited figures</ref>

{| class="wikitable"
! Region !! Units
|-
| North || 1,200
|-
| South || 950
|}

* one
* two

<references/>
"""
MEDIAWIKI_AWKWARD = """\
{{Infobox company|name=A}}
== Contract 😀 ==
The price is 1000 euros. [[File:Far.png|thumb|A far picture]]
"""

JIRA = """\
h1. Sales

Sales grew in _Zürich_ and *東京*. Audited figures.

||Region||Units||
|North|1,200|
|South|950|

* one
* two

{code:python}
print(1)
{code}
"""
JIRA_AWKWARD = """\
h2. Contract 😀

{panel:title=Terms}
The price is 1000 euros. [Run|javascript:alert(1)]
{panel}

!http://203.0.113.7/a.png!
"""

TEXTILE = """\
h1. Sales

Sales grew in _Zürich_ and *東京*[1].

|_. Region |_. Units |
|North |1,200 |
|South |950 |

* one
* two

fn1. Audited figures
"""
TEXTILE_AWKWARD = """\
h2. Contract 😀

The price is 1000 euros. <script>alert(1)</script>

!http://203.0.113.7/a.png(A far picture)!
"""

MAN = r"""'\" t
.TH REPORT 1 "2026-01-01" "report 1.0" "User Commands"
.SH SALES
Sales grew in \fIZürich\fR and \fB東京\fR.
Audited figures.
.SH OPTIONS
.TP
\fB\-\-north\fR=\fIUNITS\fR
print 1,200
.TP
.B \-\-south
print 950
.TS
tab(;);
l r.
Region;Units
North;1,200
.TE
.SH "SEE ALSO"
.BR ls (1)
"""
MAN_AWKWARD = r""".TH CONTRACT 7
.so man7/terms.7
.SH CONTRACT 😀
.de PRICE
The price is \\$1 euros.
..
.PRICE 1000
.unknownrequest x
"""

FB2 = f"""\
<?xml version="1.0" encoding="UTF-8"?>
<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink">
<description><title-info><genre>reference</genre><author><first-name>Ann</first-name></author>
<book-title>Quarterly report</book-title><lang>en</lang></title-info></description>
<body><section><title><p>Sales</p></title>
<p>Sales grew in <emphasis>Zürich</emphasis> and <strong>東京</strong><a l:href="#n1" type="note">[1]</a>.</p>
<p>By 1,200.</p>
<p><image l:href="#red.png"/></p></section></body>
<body name="notes"><section id="n1"><title><p>1</p></title><p>Audited figures</p></section></body>
<binary id="red.png" content-type="image/png">{_PICTURE}</binary>
</FictionBook>
"""
FB2_AWKWARD = """\
<?xml version="1.0" encoding="windows-1251"?>
<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink">
<description><title-info><book-title>Договор</book-title><lang>ru</lang></title-info></description>
<body><section><title><p>Contract &#128512;</p></title><p>The price is 1000 euros.</p>
<custom>Left alone</custom><p><image l:href="#gone.png"/></p></section></body>
</FictionBook>
""".encode("windows-1251")

OPML = """\
<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0">
  <head><title>Quarterly report</title></head>
  <body>
    <outline text="Sales" _note="Sales grew in *Zürich* and **東京**.">
      <outline text="North: 1,200"/>
      <outline text="Audited figures"/>
    </outline>
    <outline text="News" title="News">
      <outline type="rss" text="Example" xmlUrl="https://example.com/feed.xml" htmlUrl="https://example.com/"/>
    </outline>
  </body>
</opml>
"""
OPML_AWKWARD = """\
<opml version="1.0"><head/><body>
<outline text="Contract 😀">
<outline text="The price is &lt;b onclick='alert(1)'>1000&lt;/b> euros." owner="ann"/></outline>
</body></opml>
"""
