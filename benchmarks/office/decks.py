"""Typical presentations: talks, a review with charts, a plan with shapes, a lesson with pictures."""

from __future__ import annotations

from pathlib import Path

from benchmarks.office.prose import paragraph, photo
from benchmarks.office.slideml import Slide, line, write


def _opening(title: str, below: str) -> Slide:
    return Slide("title", {"ctrTitle": line(title), "subTitle": line(below)})


def talk(path: Path) -> None:
    """Titles and multi-level lists, with notes."""
    slides = [_opening("Bridges of the north", "Jane Doe, March 2024")]
    for at in range(4):
        texts = "".join(line(paragraph(at * 5 + n, 1), n % 3) for n in range(5))
        slides.append(Slide("content", {"title": line(f"Part {at + 1}"), "body": texts}, notes=paragraph(at, 2)))
    write(path, slides)


def review(path: Path) -> None:
    """Tables."""
    slides = [_opening("Review of the quarter", "Office of Works")]
    for at in range(3):
        slide = Slide("only", {"title": line(f"Region {at + 1}")})
        rows = [["Post", "Planned", "Spent"], *([f"Post {n}", f"{n * 110}", f"{n * 97}"] for n in range(1, 7))]
        slide.table(rows, (66, 150, 828, 252))
        slide.text((66, 430, 828, 60), line(paragraph(at + 3, 1), size=16, i=True))
        slides.append(slide)
    write(path, slides)


def figures(path: Path) -> None:
    """Charts next to text."""
    months = ("Jan", "Feb", "Mar", "Apr")
    slides = []
    for at, kind in enumerate(("bar", "line", "pie")):
        values = {"Roads": (12, 19, 9, 16)} if kind == "pie" else {"Roads": (12, 19, 9, 16), "Bridges": (7, 11, 15, 6)}
        slide = Slide(
            "two",
            {"title": line(f"Figures as a {kind}"), "left": "".join(line(paragraph(at + n, 1)) for n in range(3))},
        )
        slide.chart(kind, months, values, (486, 144, 408, 343))
        slides.append(slide)
    write(path, slides)


def plan(path: Path) -> None:
    """Shapes with texts and arrows between them, on a coloured background."""
    slides = []
    for at in range(3):
        slide = Slide("only", {"title": line(f"Phase {at + 1}")})
        for n, kind in enumerate(("roundRect", "rightArrow", "ellipse", "rightArrow", "rect")):
            shown = line(("Plan", "", "Build", "", "Open")[n], color="FFFFFF", align="ctr", b=True)
            slide.shape(
                kind, (66 + n * 168, 220, 150, 90), shown if n % 2 == 0 else "", fill=("4472C4", "A5A5A5")[n % 2]
            )
        slide.text((66, 350, 828, 100), line(paragraph(at + 30, 2), size=18))
        slides.append(slide)
    write(path, slides, ground="FFF2CC")


def lesson(path: Path) -> None:
    """Pictures next to text."""
    slides = [_opening("Harbours", "A lesson")]
    for at in range(3):
        slide = Slide("content", {"title": line(f"Harbour {at + 1}")})
        slide.picture(photo(at + 50), (66, 150, 400, 300))
        slide.text((490, 150, 400, 300), "".join(line(paragraph(at * 3 + n, 1), size=20) for n in range(3)))
        slides.append(slide)
    write(path, slides, font="Georgia")


def pitch(path: Path) -> None:
    """Large centred letters, two columns, colours."""
    slides = []
    for at in range(3):
        slide = Slide("only", {"title": line(f"Idea {at + 1}", color="C00000", align="ctr")})
        slide.text((120, 160, 720, 80), line(paragraph(at + 5, 1), size=28, b=True, align="ctr"))
        slides.append(slide)
        left, right = ("".join(line(paragraph(at * 9 + n + side, 1)) for n in range(3)) for side in (0, 4))
        slides.append(Slide("two", {"title": line("For and against"), "left": left, "right": right}))
    write(path, slides, font="Arial")


MADE = (talk, review, figures, plan, lesson, pitch)
