"""Meaningless sentences and pictures for generated documents, the same every time."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator

_SENTENCES = (
    "The committee met in Geneva on the twelfth of March to review progress against the plan agreed last year.",
    "Costs rose by four per cent in the first quarter, mostly because freight became dearer.",
    "Nobody had expected the river to freeze before the end of November.",
    "A second survey, carried out by an independent laboratory, came to much the same result.",
    "Please read the notes on the back of this sheet before you sign it.",
    "We have therefore decided to move the whole archive to the new building in two steps.",
    "Of the 128 households that were asked, 97 answered within three weeks.",
    "The old bridge will be closed to lorries until the bearings have been replaced.",
    "It remains to be seen whether the new rules will be followed in practice.",
    "Each member may bring one guest, whose name has to be given to the office beforehand.",
    "Rain set in at noon and went on until the following morning.",
    "The instrument has to be calibrated every six months by somebody who is trained for it.",
    "What looks like a small change on paper may well take a year to carry out.",
    "Deliveries are made on weekdays between eight and four o'clock, and on Saturdays by arrangement.",
    "The figures for 2023 are provisional and will be corrected in the next edition.",
    "Most visitors come by train, a few by bicycle, and hardly anybody by car.",
    "If the seal is broken, do not use the contents and return the package to the sender.",
    "Her first book, a history of the harbour, was printed in only three hundred copies.",
    "Both parties agree to keep the terms of this arrangement confidential.",
    "The garden behind the library is open to readers from May to September.",
    "In the northern districts the harvest was the best for a decade.",
    "Questions about the timetable should be addressed to the secretary by the end of the month.",
    "The machine stops by itself as soon as the lid is opened.",
    "Nothing in this paragraph limits the rights that the law gives to consumers.",
)  # fmt: skip


def sentences(seed: int) -> Iterator[str]:
    """An endless sequence of sentences, without immediate repetition."""
    dice = random.Random(seed)
    before = ""
    while True:
        found = dice.choice(_SENTENCES)
        if found != before:
            yield found
            before = found


def paragraph(seed: int, count: int = 4) -> str:
    """A paragraph of that many sentences."""
    from itertools import islice

    return " ".join(islice(sentences(seed), count))


def photo(seed: int, size: tuple[int, int] = (320, 240)) -> bytes:
    """A JPEG of soft colours, the same every time."""
    from PIL import Image

    dice = random.Random(seed)
    small = Image.frombytes("RGB", (8, 6), dice.randbytes(144)).resize(size, Image.Resampling.BICUBIC)
    file = io.BytesIO()
    small.save(file, "JPEG", quality=85)
    return file.getvalue()
