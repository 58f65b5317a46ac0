"""Word documents of a page or two, as offices write them: letters, forms, invoices, a newsletter."""

from __future__ import annotations

from pathlib import Path

from benchmarks.office.document import Word
from benchmarks.office.prose import paragraph, photo
from benchmarks.office.wordml import box, cell, field_, p, picture, run, section, table, texts


def letter(path: Path) -> None:
    made = Word(
        heads={
            "default": p(
                run("Northwind Instruments", b=True, color="1F3763", size=14),
                style="Header",
                border=[("bottom", 8, "1F3763")],
            )
        },
        feet={"default": p(run("12 Harbour Road, Bergen\t\tpage "), field_("PAGE"), style="Footer")},
    )
    made.body = [
        *(p(line, after=0) for line in ("Ms Ada Byron", "Analytical Works Ltd", "4 Mill Lane", "London")),
        p("12 March 2024", align="right", before=480, after=480),
        p(run("Your order 4711: two barometers", b=True)),
        p("Dear Ms Byron,"),
        *(p(paragraph(at, 4), align="both") for at in range(4)),
        p("Yours sincerely,", before=240, after=720),
        p(run("Bob Stone", i=True), after=0),
        p("Head of Sales"),
    ]
    made.write(path)


def vitae(path: Path) -> None:
    made = Word(font=("Arial", "Arial"))
    entry = [(2268, "left", "")]
    made.body = [
        p(run("Jane Doe", size=26, b=True, color="2F5496"), after=0),
        p(run("Engineer of bridges and other structures", color="7F7F7F"), border=[("bottom", 12, "2F5496")]),
    ]
    for at, (head, years) in enumerate((("Work", (2019, 2014, 2011)), ("Education", (2008, 2005)))):
        made.body.append(p(head, style="Heading1"))
        for year in years:
            made.body += [
                p(
                    run(f"{year} to {year + 3}\t", color="7F7F7F"),
                    run("Office of Works, Trondheim", b=True),
                    tabs=entry,
                    after=0,
                ),
                p(paragraph(year, 2), left=2268),
            ]
        made.body.append(p(paragraph(at, 1), num=(1, 0), style="ListParagraph"))
    made.body += [
        p("Languages", style="Heading1"),
        texts([["Norwegian", "mother tongue"], ["English", "fluent"], ["German", "good"]], (3000, 6000), head=False),
    ]
    made.write(path)


def invoice(path: Path) -> None:
    goods = [
        ("Barometer, brass", 2, 129.0),
        ("Hygrometer", 5, 44.5),
        ("Carriage and insurance", 1, 18.0),
        ("Calibration with certificate", 7, 35.0),
    ]
    widths = (4600, 1400, 1500, 1500)
    rows = [["Article", "Number", "Each", "Sum"]]
    rows += [[name, str(number), f"{each:.2f}", f"{number * each:.2f}"] for name, number, each in goods]
    total = sum(number * each for _, number, each in goods)
    made = Word(feet={"default": p(run("IBAN NO93 8601 1117 947, due within 14 days", size=8), align="center")})
    made.body = [
        p(run("INVOICE", size=28, b=True, color="4472C4", theme="accent1"), align="right"),
        table(
            [
                [
                    cell(p(run("Northwind Instruments", b=True), after=0), p("12 Harbour Road", after=0), width=4500),
                    cell(
                        p("No. 2024-113", align="right", after=0),
                        p("12 March 2024", align="right", after=0),
                        width=4500,
                    ),
                ]
            ],
            (4500, 4500),
            style="TableNormal",
            head=False,
        ),
        p(paragraph(3, 2), before=360),
        texts(rows, widths, right=(1, 2, 3), style="GridTable4"),
        p(run("Total "), run(f"EUR {total:.2f}", b=True, size=14), align="right", before=240),
        p(paragraph(4, 3)),
        p(run("Thank you for your order.", i=True), align="center"),
    ]
    made.write(path)


def memo(path: Path) -> None:
    made = Word(font=("Times New Roman", "Times New Roman"))
    made.body = [p(run("MEMORANDUM", b=True, size=18), align="center")]
    made.body += [
        p(run(f"{what}:\t", b=True), run(line), tabs=[(1134, "left", "")], after=60)
        for what, line in (
            ("To", "All departments"),
            ("From", "The secretary"),
            ("Date", "12 March 2024"),
            ("Subject", "Moving the archive"),
        )
    ]
    made.body += [p("", border=[("top", 6, "000000")])]
    for at in range(3):
        made.body += [
            p(paragraph(at + 20, 3), align="both"),
            p(paragraph(at + 40, 1), num=(1, 0), after=0),
            p(paragraph(at + 50, 1), num=(1, 1), after=0),
            p(paragraph(at + 60, 1), num=(1, 2)),
        ]
    made.write(path)


def form(path: Path) -> None:
    """Cells that span columns and rows, and shaded headers."""
    widths = (2300, 2300, 2300, 2300)
    grey = "D9D9D9"

    def head(text: str) -> list[str]:
        return [cell(p(run(text, b=True), after=0), width=9200, span=4, fill=grey)]

    def line(*pairs: str) -> list[str]:
        return [cell(p(run(each, size=9), after=120), width=2300) for each in pairs]

    rows = [
        head("1. Applicant"),
        line("Name", "", "First name", ""),
        line("Born on", "", "Nationality", ""),
        head("2. Address"),
        line("Street", "", "Town", ""),
        line("Country", "", "Post code", ""),
        head("3. Reasons"),
        [cell(p(paragraph(7, 5)), width=9200, span=4)],
        [
            cell("For the office", width=2300, merge="restart", fill=grey, upright="center"),
            cell("Received", width=2300),
            cell("", width=4600, span=2),
        ],
        [cell(width=2300, merge="more", fill=grey), cell("Decided", width=2300), cell("", width=4600, span=2)],
        [cell(width=2300, merge="more", fill=grey), cell("Signed", width=2300), cell("", width=4600, span=2)],
    ]
    made = Word(font=("Arial", "Arial"))
    made.body = [
        p(run("Application for a permit", b=True, size=16)),
        table(rows, widths, head=False),
        p(run("Tick what applies: "), run("☐ new  ☒ renewal  ☐ change"), before=240),
        p(paragraph(8, 3)),
    ]
    made.write(path)


def newsletter(path: Path) -> None:
    """A heading across the page, with two columns below."""
    made = Word(pictures={"harbour": photo(1), "garden": photo(2)})
    made.body = [
        p(run("The Harbour Post", size=36, font="Georgia", b=True, color="833C0B"), align="center", after=0),
        p(
            run("Number 12, spring 2024\tfree", i=True),
            tabs=[(9026, "right", "")],
            border=[("top", 8, "833C0B"), ("bottom", 8, "833C0B")],
            section=section(kind="continuous"),
        ),
    ]
    for at, name in ((1, "harbour"), (2, "garden"), (3, "")):
        made.body.append(
            p(("Bridge to close", "Readers in the garden", "Harvest in the north")[at - 1], style="Heading2")
        )
        if name:
            made.body.append(p(picture(name, 200, 130), align="center"))
        made.body += [p(paragraph(at * 10 + n, 5), align="both") for n in range(3)]
    made.write(path, section(kind="continuous", columns=2))


def minutes(path: Path) -> None:
    made = Word(
        heads={"default": p(run("Minutes of the 44th meeting\t\tconfidential", size=9), style="Header")},
        feet={"default": p(run("Page "), field_("PAGE"), run(" of "), field_("NUMPAGES", "2"), align="center")},
    )
    made.body = [p("Minutes", style="Title"), p("Geneva, 12 March 2024", style="Subtitle")]
    for at in range(5):
        made.body += [
            p(run(f"Item {at + 1}: ", b=True), run(paragraph(at + 70, 1), b=True), num=(2, 0)),
            p(paragraph(at + 80, 4), left=720),
            p(run("Decided: ", b=True, color="C00000"), run(paragraph(at, 1)), left=720, fill="F2F2F2"),
        ]
    made.write(path)


def prices(path: Path) -> None:
    """Dot leaders to prices, and a text box next to them."""
    made = Word(font=("Georgia", "Georgia"))
    stops = [(7200, "right", "dot")]
    note = p(run("Open daily\nfrom noon", b=True, color="FFFFFF"), align="center")
    made.body = [
        p(run("The Old Bridge", size=30, color="385623"), align="center"),
        p(box(note, 110, 50, at=(370, 6), fill="70AD47", line="385623"), run("What the kitchen has", i=True)),
    ]
    for head, dishes in (
        ("Soups", ("Fish soup", "Pea soup", "Soup of the day")),
        ("Mains", ("Baked cod with leeks", "Mutton and cabbage", "Barley with mushrooms", "Pie")),
        ("Sweets", ("Apple cake", "Cloudberries with cream")),
    ):
        made.body.append(p(head, style="Heading2", align="center"))
        made.body += [p(run(f"{dish}\t{7 + len(dish) % 9}.50"), tabs=stops, after=60) for dish in dishes]
    made.body.append(p(paragraph(5, 3), align="center", before=400))
    made.write(path)


def certificate(path: Path) -> None:
    """A landscape page with centred text."""
    made = Word(pictures={"seal": photo(9, (200, 200))}, font=("Georgia", "Georgia"))
    made.body = [
        p("", before=900),
        p(run("Certificate", size=44, smallCaps=True, color="7F6000"), align="center"),
        p(run("This is to say that", i=True), align="center"),
        p(run("Jane Doe", size=28, b=True), align="center"),
        p(paragraph(11, 2), align="center", left=1400, right=1400),
        p(picture("seal", 90, 90), align="center"),
        p(run("Director\tSecretary"), tabs=[(2500, "center", ""), (11000, "center", "")], before=500),
    ]
    made.write(path, section(landscape=True))


def arabic(path: Path) -> None:
    """Right-to-left text."""
    line = "اجتمعت اللجنة في جنيف في الثاني عشر من مارس لمراجعة التقدم المحرز في تنفيذ الخطة المتفق عليها "
    line += "في العام الماضي. "
    made = Word(font=("Arial", "Arial"))
    made.body = [p(run("تقرير اللجنة", rtl=True, b=True, size=20), bidi=True)]
    for at in range(5):
        made.body += [
            p(run(line * 3, rtl=True), bidi=True, align="both"),
            p(run(f"البند {at + 1}", rtl=True), bidi=True, num=(1, 0)),
        ]
    made.body.append(p(paragraph(2, 3)))
    made.write(path)


MADE = (letter, vitae, invoice, memo, form, newsletter, minutes, prices, certificate, arabic)
