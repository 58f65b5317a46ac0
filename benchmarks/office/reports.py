"""Word documents of several pages: reports, contracts, essays with notes, drafts with tracked changes."""

from __future__ import annotations

from pathlib import Path

from benchmarks.office.document import Word
from benchmarks.office.prose import paragraph, photo
from benchmarks.office.wordml import box, cell, field_, p, picture, run, section, table, texts

_LINK = '<w:hyperlink w:anchor="{anchor}">{text}</w:hyperlink>'


def report(path: Path) -> None:
    """A title page, a table of contents, headings, tables, pictures with captions, headers and footers."""
    made = Word(
        heads={"default": p(run("Annual report\t\tOffice of Works"), style="Header"), "first": p("")},
        feet={"default": p(run("\tpage "), field_("PAGE"), style="Footer"), "first": p("")},
        pictures={"chart": photo(21)},
    )
    heads = [f"{what} in the year" for what in ("Costs", "Roads", "Bridges", "Harbours")]
    made.body = [
        p("Annual report", style="Title", before=3000),
        p("Office of Works, 2024", style="Subtitle"),
        p("Contents", style="Heading1", pageBreakBefore=True),
    ]
    lines = [(1, f"{at} {text}", at + 2) for at, text in enumerate(heads, 1)]
    for at, (level, text, page) in enumerate(lines):
        shown = field_(f"PAGEREF _Toc{at}", str(page))
        begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> TOC \\o "1-2" \\h </w:instrText></w:r>'
        begin += '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
        entry = _LINK.format(anchor=f"_Toc{at}", text=run(f"{text}\t") + shown)
        end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>' if at == len(lines) - 1 else ""
        made.body.append(p((begin if not at else "") + entry + end, style=f"TOC{level}"))
    for at, text in enumerate(heads):
        mark = f'<w:bookmarkStart w:id="{at}" w:name="_Toc{at}"/>'
        made.body.append(
            p(mark + run(f"{at + 1} {text}") + f'<w:bookmarkEnd w:id="{at}"/>', style="Heading1", pageBreakBefore=True)
        )
        made.body += [p(paragraph(at * 7 + n, 5), align="both") for n in range(3)]
        made.body.append(p(f"{at + 1}.1 Figures", style="Heading2"))
        rows = [
            ["Region", "Planned", "Spent"],
            *([f"{each}", f"{at * 10 + 120}", f"{at * 9 + 117}"] for each in ("North", "East", "South", "West")),
        ]
        made.body += [
            texts(rows, (3000, 3000, 3000), right=(1, 2), style="GridTable4"),
            p(f"Table {at + 1}: what was spent", style="Caption"),
            p(paragraph(at + 99, 4)),
        ]
        if at == 1:
            made.body += [
                p(picture("chart", 260, 160), align="center"),
                p("Figure 1: roads", style="Caption", align="center"),
            ]
    made.write(path, section(references=made.references(), first=True))


def contract(path: Path) -> None:
    """Numbering in three levels."""
    made = Word(font=("Times New Roman", "Times New Roman"), feet={"default": p(field_("PAGE"), align="center")})
    made.body = [
        p(run("AGREEMENT", b=True, size=16), align="center"),
        p(
            run("between "),
            run("Northwind Instruments", b=True),
            run(" and "),
            run("Analytical Works Ltd", b=True),
            align="center",
        ),
    ]
    for at in range(6):
        names = ("Definitions", "Supply", "Prices", "Liability", "Term", "General")
        made.body.append(p(run(names[at], b=True, caps=True), num=(4, 0), before=240, keepNext=True))
        for n in range(3):
            made.body.append(p(paragraph(at * 11 + n, 2), num=(4, 1), align="both"))
        made.body += [p(paragraph(at * 13 + n, 1), num=(4, 2), align="both") for n in range(2)]
    made.body.append(texts([["For the seller", "For the buyer"], ["\n\n", "\n\n"]], (4500, 4500), head=False))
    made.write(path)


def landscape(path: Path) -> None:
    """A portrait page, and landscape pages with a wide table."""
    made = Word(feet={"default": p(run("Budget\t\t"), field_("PAGE"), style="Footer")})
    made.body = [
        p("Budget", style="Title"),
        *(p(paragraph(at, 6)) for at in range(4)),
        p(section=section(references=made.references())),
    ]
    months = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep")
    rows = [["Post", *months, "Sum"]]
    rows += [
        [f"Post {at}", *(f"{at * 3 + n * 7 % 11}.0" for n in range(len(months))), f"{at * 40}.0"] for at in range(1, 31)
    ]
    made.body.append(p("Posts by month", style="Heading1"))
    made.body.append(texts(rows, (2000, *(1100,) * 10), right=range(1, 11), style="GridTable4"))
    made.write(path, section(landscape=True, references=made.references()))


def essay(path: Path) -> None:
    """Footnotes, quotations, one-and-a-half line spacing."""
    made = Word(font=("Georgia", "Georgia"))
    made.body = [p("On harbours", style="Title"), p("Bob Stone", style="Subtitle")]
    for at in range(9):
        note = made.note(paragraph(at + 200, 1)) if at % 2 == 0 else ""
        made.body.append(
            p(run(paragraph(at + 300, 3)), note, run(f" {paragraph(at + 310, 2)}"), align="both", line=360, first=567)
        )
        if at in (2, 5):
            made.body.append(p(paragraph(at, 1), style="Quote"))
    made.write(path)


def draft(path: Path) -> None:
    """Tracked changes, comment marks and highlighted text."""
    by = 'w:id="1" w:author="Bob" w:date="2024-03-12T10:00:00Z"'
    made = Word()
    made.body = [p("Draft of the rules", style="Heading1")]
    for at in range(8):
        made.body.append(
            p(
                run(f"{paragraph(at, 2)} "),
                f"<w:ins {by}>{run(paragraph(at + 10, 1), b=True)}</w:ins>",
                f"<w:del {by}><w:r><w:delText>{paragraph(at + 20, 1)}</w:delText></w:r></w:del>",
                run(" "),
                run(paragraph(at + 30, 1), highlight="yellow"),
                num=(2, 0),
            )
        )
    made.write(path)


def formulas(path: Path) -> None:
    """Equations on lines of their own and within text."""

    def r(text: str) -> str:
        return f"<m:r><m:t>{text}</m:t></m:r>"

    def fraction(above: str, below: str) -> str:
        return f"<m:f><m:num>{above}</m:num><m:den>{below}</m:den></m:f>"

    power = f"<m:sSup><m:e>{r('b')}</m:e><m:sup>{r('2')}</m:sup></m:sSup>"
    root = f'<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e>{power}{r("−4ac")}</m:e></m:rad>'
    total = (
        f'<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>{r("i=1")}</m:sub><m:sup>{r("n")}</m:sup><m:e>'
        f"<m:sSub><m:e>{r('x')}</m:e><m:sub>{r('i')}</m:sub></m:sSub></m:e></m:nary>"
    )
    shown = [
        f"<m:oMath>{r('x=')}{fraction(r('−b±') + root, r('2a'))}</m:oMath>",
        f"<m:oMath>{r('s=')}{total}</m:oMath>",
    ]
    made = Word()
    made.body = [p("Formulas", style="Heading1")]
    for at in range(5):
        made.body += [
            p(paragraph(at, 4)),
            f"<w:p><m:oMathPara>{shown[at % 2]}</m:oMathPara></w:p>",
            p(run("Here "), f"<m:oMath>{r('a+b=c')}</m:oMath>", run(f" holds. {paragraph(at + 9, 2)}")),
        ]
    made.write(path)


def manual(path: Path) -> None:
    """Steps with pictures floating next to them, inline and anchored to a paragraph."""
    made = Word(pictures={f"step{at}": photo(at + 30) for at in range(4)})
    made.body = [p("Using the press", style="Title")]
    for at in range(4):
        made.body += [
            p(f"Step {at + 1}", style="Heading2"),
            p(picture(f"step{at}", 150, 110, at=(300 if at % 2 else 0, 4)), run(paragraph(at + 60, 9))),
            p(paragraph(at + 64, 1), num=(1, 0), after=0),
            p(paragraph(at + 68, 1), num=(1, 0)),
        ]
    made.write(path)


def boxes(path: Path) -> None:
    """Text boxes that text wraps around, and paragraphs with borders and background."""
    made = Word(font=("Verdana", "Verdana"))
    made.body = [p("Safety at the quay", style="Heading1")]
    for at in range(3):
        inside = p(run("Mind", b=True, color="C00000")) + p(run(paragraph(at + 90, 1), size=9))
        made.body += [
            p(box(inside, 150, 110, at=(290, 0), fill="FFF2CC", line="C00000"), run(paragraph(at + 77, 8))),
            p(
                paragraph(at + 88, 3),
                fill="E2EFD9",
                border=[(side, 8, "70AD47") for side in ("top", "left", "bottom", "right")],
            ),
        ]
    made.write(path)


def survey(path: Path) -> None:
    """Nested tables, merged cells and long tables with a repeated header row."""
    made = Word()
    widths = (1600, 3000, 2200, 2200)
    rows = [
        [
            cell(p(run(text, b=True), after=0), width=width, fill="BDD6EE")
            for text, width in zip(("No.", "Question", "Yes", "No"), widths, strict=True)
        ]
    ]
    for at in range(1, 25):
        merged = "restart" if at % 4 == 1 else "more"
        rows.append(
            [
                cell(f"Part {at // 4 + 1}" if merged == "restart" else "", width=1600, merge=merged),
                cell(p(paragraph(at, 1), after=0), width=3000),
                cell(p(f"{at * 3} %", align="right", after=0), width=2200),
                cell(p(f"{100 - at * 3} %", align="right", after=0), width=2200),
            ]
        )
    inner = texts([["a", "b"], ["c", "d"]], (1500, 1500), head=False)
    made.body = [
        p("Survey", style="Heading1"),
        p(paragraph(1, 4)),
        table(rows, widths),
        p("", after=120),
        table([[cell(p("Sums"), width=4500), cell(inner, p(""), width=4500)]], (4500, 4500), head=False),
    ]
    made.write(path)


def outline(path: Path) -> None:
    """Nested lists, indents, theme colours, small capitals, superscript and strikethrough."""
    made = Word()
    made.body = [p("Outline", style="Heading1")]
    for at in range(4):
        made.body.append(p(run(paragraph(at, 1), theme=f"accent{at + 1}", b=True), num=(3, 0), after=60))
        for n in range(2):
            made.body.append(p(paragraph(at * 5 + n, 1), num=(3, 1), after=60))
            made.body += [p(paragraph(at * 7 + n + k, 1), num=(3, 2), after=60) for k in range(2)]
    made.body += [
        p(
            run("Small capitals ", smallCaps=True),
            run("struck", strike=True),
            run(" H"),
            run("2", raised="subscript"),
            run("O, m"),
            run("2", raised="superscript"),
            run(" in "),
            run("Courier", font="Courier New"),
            run(", "),
            run("large", size=20),
            run(" and "),
            run("underlined", u=True),
        ),
        *(p(paragraph(at, 3), left=at * 400, right=at * 300, hanging=300, line=300) for at in range(1, 5)),
    ]
    made.write(path)


MADE = (report, contract, landscape, essay, draft, formulas, manual, boxes, survey, outline)
