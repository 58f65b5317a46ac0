"""Text in pictures in the languages that pip installs, and in those that `make ocr-languages` adds to them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.families.ocr.options import LANGUAGES
from tests.converters.test_searchable import convert
from tests.families.ocr.vectors import errors, saved, scan

TEXTS = {
    "eng": "The quarry behind the church was closed for weeks, because nobody had found the keeper's yellow gloves.",
    "deu": "Größere Schäden müssen spätestens übermorgen gemeldet werden; dafür genügt ein kurzer Brief an das Büro.",
    "fra": "Le garçon a reçu hier la clé de l'hôtel où sa mère, déjà très âgée, passait l'été près de la forêt.",
    "spa": "El niño pequeño llegó mañana y tarde; ¿quién le enseñó a tocar aquella canción con corazón y pasión?",
    "ita": "Perché la città è così bella? Più tardi visiterò il museo, poi berrò un caffè sotto l'albero laggiù.",
    "por": "Não há razão para a confusão: as crianças já estão à espera da avó, que traz pão, maçãs e açúcar.",
    "nld": "De oude koningin bezocht gisteren een ziekenhuis waar zij geïnteresseerd naar alle verhalen luisterde.",
    "pol": "Żółta łódź płynęła wzdłuż brzegu, gdzie chłopcy łowili ryby, a dziewczęta śpiewały pieśń o źródle.",
}


@pytest.mark.parametrize("language", TEXTS)
def test_a_scan_is_read_in_its_language(tmp_path: Path, language: str) -> None:
    if language not in LANGUAGES:
        assert not os.environ.get("REQUIRE_MODELS"), "make ocr-languages"
        pytest.skip("make ocr-languages")
    words = TEXTS[language].split()
    # Lines that begin with another word each: equal ones have gaps above one another, as columns do.
    text = "\n\n".join(" ".join(words[3 * at :] + words[: 3 * at]) for at in range(6))
    output, warn = convert(
        "png-to-txt", saved(scan(tilt=1.0, noise=0.2, text=text), "png"), tmp_path, language=language
    )
    assert errors(text, output.decode()) <= 0.012
    assert not warn.warnings
