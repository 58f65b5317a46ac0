"""Show a hyphen where a line breaks a word at a soft hyphen (CSS Text 3, 5.4), which PlutoPrint does not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate

import pikepdf

from engine.families.html_pdf import printed_text
from engine.families.html_pdf.plutoprint import divided_words, measured_places
from engine.families.html_pdf.plutoprint.divided_words import Text, Word
from engine.families.html_pdf.plutoprint.measured_places import Place
from engine.families.html_pdf.plutoprint.torn_words import TornWords
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.toolkit.word_search import DIVISION

MOST = 10_000
"""The soft hyphens of a page whose places are looked at: each is a named destination of each layout, 0.05 ms."""
_FEW = 300
"""The soft hyphens up to which the places of all are looked at, and not only of those that seem to break."""
_ROUNDS = 8
"""Layouts of a page. A hyphen that no longer fits moves its break, and so the next ones of its paragraph."""
_LAST = 3
"""Layouts after these, in which blocks that still change lose their hyphens."""
_SAME_LINE = 1.0
"""CSS pixels between the tops of two pieces of text on one line."""
_NAME = "fc-y-"

Draw = Callable[[Element], pikepdf.Pdf]
"""Lays out the page's tree as the page will be, and gives its PDF."""
_Torn = tuple[list[Word], int]
"""Words one of which may be broken, and how many of its letters are before the break."""


def may_occur(page: Page) -> bool:
    """Whether a page has soft hyphens."""
    return DIVISION in page.characters


def show(page: Page, draw: Draw, *, without: Sequence[Element] = ()) -> bool:
    """End each piece of a word that a line breaks at a soft hyphen with a hyphen; False if there is none.

    Elements of `without` keep their soft hyphens: they are laid out on other papers, where lines end elsewhere.

    A soft hyphen whose piece doesn't fit its line with a hyphen is removed, so that the word breaks at an earlier one.
    A block whose lines don't settle gets no hyphens.
    """
    texts = divided_words.found(page.root, frozenset(without))
    words = {word: text for text in texts for word in text.words}
    if not words:
        return False
    hyphens = _Hyphens(words)
    if sum(each.breaks for each in words) <= _FEW:
        hyphens.split(words)
    torn = TornWords(words)
    for _ in range(_ROUNDS):
        if not hyphens.changed(page.root, draw, torn):
            return hyphens.is_any
    for _ in range(_LAST):
        if not (wrong := hyphens.misplaced(page.root, draw)):
            return True
        hyphens.hide(wrong)
    hyphens.hide({each.block for each in texts})
    return True


class _Hyphens:
    """The hyphens of a page, as its layouts settle them."""

    def __init__(self, words: Mapping[Word, Text]) -> None:
        self._words = words
        self._numbers = {each: number for number, each in enumerate(words)}
        self._split: dict[Word, None] = {}
        self._left = MOST

    @property
    def is_any(self) -> bool:
        """Whether the page's tree was changed."""
        return bool(self._split)

    def split(self, words: Iterable[Word]) -> None:
        """Put words into elements, piece by piece."""
        _write(self._added(words))

    def changed(self, root: Element, draw: Draw, torn: TornWords) -> bool:
        """Lay the page out, and put hyphens where its lines break words now; False if they all had been there."""
        broken, found = self._laid_out(root, draw, torn)
        changed: set[Text] = set()
        removed: set[Element] = set()
        for word in sorted(self._split, key=self._numbers.__getitem__):
            text = self._words[word]
            now = broken.get(word, set())
            if now == word.shown:
                continue
            changed.add(text)
            unfit = word.shown - now
            if unfit and text.block not in removed and not word.is_doubtful:
                # It is the first of its block that changes, so that its line had no room for it.
                word.removed |= unfit
            if unfit:
                removed.add(text.block)
            word.shown, word.is_doubtful = now - word.removed, text.block in removed
        new: list[Word] = []
        for alike, letters in found:
            new += alike
            if len(alike) == 1 and not alike[0].is_split:
                places = list(accumulate(map(len, alike[0].parts[:-1])))
                if letters in places:
                    alike[0].shown.add(places.index(letters))
                    alike[0].is_doubtful = self._words[alike[0]].block in removed
        changed |= self._added(new)
        _write(changed)
        return bool(changed)

    def misplaced(self, root: Element, draw: Draw) -> set[Element]:
        """Lay the page out; the blocks with a hyphen where no line ends."""
        broken, _ = self._laid_out(root, draw, None)
        return {self._words[each].block for each in self._split if each.shown - broken.get(each, set())}

    def hide(self, blocks: set[Element]) -> None:
        """Remove the hyphens of blocks; their words still break."""
        hidden = [each for each in self._split if self._words[each].block in blocks]
        for word in hidden:
            word.shown.clear()
        _write({self._words[each] for each in hidden})

    def _added(self, words: Iterable[Word]) -> set[Text]:
        changed: set[Text] = set()
        for word in words:
            if word.is_split or self._left < word.breaks:
                continue
            self._left -= word.breaks
            word.is_split = True
            self._split[word] = None
            changed.add(self._words[word])
        return changed

    def _laid_out(self, root: Element, draw: Draw, torn: TornWords | None) -> tuple[dict[Word, set[int]], list[_Torn]]:
        """The soft hyphens at which lines end, of words in elements; and words that they may break."""
        links = root.makeelement("div", hidden="")
        names: dict[Element, str] = {}
        for word in self._split:
            for piece in (each for pair in word.pieces.values() for each in pair):
                if piece not in names:
                    names[piece] = f"{_NAME}{len(names)}"
                    piece.set("id", names[piece])
                    links.append(links.makeelement("a", href=f"#{names[piece]}"))
        body = root.find("body")
        body.append(links)
        with draw(root) as pdf:
            places = measured_places.places(pdf, _NAME)
            is_read = torn is not None and len(self._split) < len(self._words)
            text = " ".join(printed_text.text_on(pdf)) if is_read else ""
        body.remove(links)
        for piece in names:
            del piece.attrib["id"]
        broken: dict[Word, set[int]] = {}
        for word in self._split:
            for at, (one, two) in word.pieces.items():
                if _is_parted(places.get(names[one]), places.get(names[two])):
                    broken.setdefault(word, set()).add(at)
        return broken, list(torn.of(text, broken)) if torn is not None and is_read else []


def _write(texts: Iterable[Text]) -> None:
    for each in texts:
        each.write()


def _is_parted(one: Place | None, two: Place | None) -> bool:
    return one is not None and two is not None and (one.page != two.page or abs(one.top - two.top) > _SAME_LINE)
