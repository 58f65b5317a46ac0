"""Compare rendered pages with their document, and report the words and pictures that are not visible on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pypdfium2

from engine.families.html_pdf import printed_text
from engine.families.html_pdf.visibility import document, drawn, report, soft_hyphens, words
from engine.families.html_pdf.visibility.spelling import words_of
from engine.toolkit.warnings import Warn
from engine.toolkit.word_search import DIVISION


def check(
    target: Path, sources: Sequence[str | bytes], warn: Warn, *, media: str = "print", whole: bool = True
) -> None:
    """Compare the PDF in `target` with its HTML, and report what is not visible.

    `whole` means that the PDF has all pages of the document; otherwise only text on its pages is checked. A source in
    bytes is the uploaded file, a source in text was generated from it.
    """
    given = [document.contents(each) for each in sources]
    expected, text = words.Text(document.texts(given)), words.Text(printed_text.text_of(target))
    lost = words.lacking(expected, text) if whole else Counter[str]()
    warn.keep_texts(target, text.pieces, compared=whole and not lost and isinstance(sources[0], bytes))
    broken: list[str] = []
    if any(DIVISION in each for each in expected.pieces):
        broken = soft_hyphens.broken(expected.pieces, _read(target))
        warn.tally(soft_hyphens.UNDRAWN, len(broken), (f"“{each}”" for each in broken))
    if any(map(soft_hyphens.asked, sources)):
        torn = [each for each in soft_hyphens.unhyphenated(expected.pieces, _read(target)) if each not in broken]
        warn.tally(soft_hyphens.UNHYPHENATED, len(torn), (f"“{each}”" for each in torn))
    found = drawn.unseen(target)
    report.sample(found, warn)
    if not lost and not found.phrases and not _pictures(found, given, whole=whole):
        return
    doubtful = words.doubtful(expected, text) if lost else set[str]()
    doubtful = doubtful.union(*(words_of(phrase) for phrase, _ in found.phrases))

    def is_doubtful(piece: str) -> bool:
        return not doubtful.isdisjoint(words_of(piece))

    given = [document.shown(each, is_doubtful, media=media) for each in sources]
    expected = words.Text(document.texts(given))
    if lost:
        before = lost
        unprintable = any(each.code == "GLYPH_MISSING" for each in warn.warnings)
        lost = words.lacking(expected, text, unprintable=unprintable)
        if lost:
            text = words.Text(_read(target))
            lost = words.lacking(expected, text, unprintable=unprintable)
        warn.leave_out(before - lost)  # what the author hides is no loss
        if unprintable:  # GLYPH_MISSING has reported their characters
            warn.leave_out(words.lacking(expected, text))
    phrases = _of_document(found.phrases, expected, text)
    report.words(phrases, words.phrases(expected, lost, report.MOST_NAMED), lost.total(), warn)
    report.pictures(_pictures(found, given, whole=whole), warn)


def _pictures(found: drawn.Unseen, given: Sequence[document.Contents], *, whole: bool) -> int:
    """Return how many pictures of the document are not visible on its pages."""
    expected = sum(each.pictures for each in given)
    if whole and not found.is_sample:
        return max(expected - (found.pictures - found.pictures_unseen), 0)
    return min(found.pictures_unseen, expected)


def _read(target: Path) -> Iterator[str]:
    """Yield the text of each page as PDFium extracts it, with right-to-left text in logical order."""
    with pypdfium2.PdfDocument(target) as pdf:
        for page in pdf:
            text_page = page.get_textpage()
            yield text_page.get_text_range()
            text_page.close()
            page.close()


def _of_document(phrases: list[tuple[str, int]], expected: words.Text, text: words.Text) -> list[tuple[str, int]]:
    """Drop phrases that are not in the document, that its author hides, or that are visible elsewhere."""
    squeezed = ["".join(words_of(phrase)) for phrase, _ in phrases]
    all_squeezed = " ".join(squeezed)
    unseen = Counter(word for phrase, _ in phrases for word in words_of(phrase))
    found = []
    for (phrase, page), letters in zip(phrases, squeezed, strict=True):
        if wanted := expected.squeezed.count(letters):
            if wanted > text.squeezed.count(letters) - all_squeezed.count(letters):
                found.append((phrase, page))
            continue
        run = []
        for each in phrase.split():
            own = words_of(each)
            if own and all(expected.counted[word] > text.counted[word] - unseen[word] for word in own):
                run.append(each)
        found += [(" ".join(run), page)] if run else []
    return found
