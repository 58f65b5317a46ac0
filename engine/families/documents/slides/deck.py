"""The slides of a presentation in order, with properties inherited from layout and master (ECMA-376, part 1, 19)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from engine.families.documents.ooxml.diagram import Diagrams
from engine.families.documents.ooxml.package import Element, Package
from engine.families.documents.word.charts import OfficeCharts
from engine.families.documents.word.names import A, R, emu, integer
from engine.families.documents.word.recolouring import Recolouring
from engine.families.documents.word.theme import Theme
from engine.toolkit import office_objects
from engine.toolkit.data_uris import Repetitions
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind

P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"

DIAGRAM = Kind("VALUE_CONVERTED", "Diagrams became lists of their text: {count}{places}.")
OBJECT = office_objects.PREVIEWED
MEDIA = Kind("CONTENT_DROPPED", "Audio and video became still pictures, if they have any: {count}{places}.", drawn=True)
HIDDEN = Kind("CONTENT_DROPPED", "Hidden slides were left out: {count}{places}.", drawn=True)
SHAPE = Kind("CONTENT_DROPPED", "Shapes of unknown forms became boxes: {count}{places}.")
PICTURE = Kind(
    "CONTENT_DROPPED",
    "Missing and damaged pictures and those in formats that can't be shown were left out: {count}{places}.",
    counts="pictures",
)
COMMENT = Kind("COMMENTS_DROPPED", "Comments were left out: {count}{places}.")
DEEP = Kind("CONTENT_DROPPED", "Shapes were left out: {count}{places}.")
MOTION = Kind(
    "CONTENT_DROPPED", "Slide animations were left out, so everything shows at once: {count}{places}.", drawn=True
)

MAX_SLIDES = 5_000
"""The maximum slides: 5,000 of a few words take 1 s as HTML."""


@dataclass
class Slide:
    """One slide and the parts it inherits from; `layers` are the slide, its layout and its master."""

    number: int
    part: str
    root: Element
    layers: list[tuple[str, Element]]
    theme: Theme
    colours: dict[str, str]
    hidden: bool
    notes: list[Element] = field(default_factory=list)
    """The paragraphs of the speaker notes."""


class Deck:
    """A presentation; `found` counts content that can't be shown exactly.

    `drawn` says whether shapes are drawn at their places, rather than read for their contents.
    """

    def __init__(self, package: Package, *, drawn: bool = False) -> None:
        self.package = package
        self.drawn = drawn
        self.found: Counter[Kind] = Counter()
        self.pictures: dict[str, str | None] = {}
        self.repetitions = Repetitions()
        self.recolouring = Recolouring(self.found)
        self.diagrams = Diagrams(package)
        self.charts = OfficeCharts(package, size=18.0)
        main = package.main()
        root = package.xml(main) if main is not None and main in package.names else None
        if main is None or root is None or root.tag != P + "presentation":
            raise Unreadable("The file is an archive, but not a presentation.", reason="format")
        size = root.find(P + "sldSz")
        self.width = min(max(emu(None if size is None else size.get("cx")) or 720.0, 72.0), 4_000.0)
        self.height = min(max(emu(None if size is None else size.get("cy")) or 540.0, 72.0), 4_000.0)
        self.defaults = root.find(P + "defaultTextStyle")
        relations = package.relations(main)
        parts = [relations.get(each.get(R + "id") or "") for each in root.iterfind(f"{P}sldIdLst/{P}sldId")]
        self._parts = [each.target for each in parts if each and not each.external and each.target in package.names]
        if len(self._parts) > MAX_SLIDES:
            raise OverLimit("limit", say("The presentation has more than {max_slides} slides.", max_slides=MAX_SLIDES))
        self._read: dict[str, Element] = {}
        styles = package.related(main, "tableStyles")
        listed = () if styles is None else package.xml(styles).iterfind(A + "tblStyle")
        self.table_styles = {(each.get("styleId") or "").upper(): each for each in listed}
        """The table styles that the file declares, by id."""

    def slides(self, *, hidden: bool) -> list[Slide]:
        """All slides, hidden ones only if requested."""
        found = []
        for number, part in enumerate(self._parts, start=1):
            slide = self._slide(number, part)
            if slide.hidden and not hidden:
                self.found[HIDDEN] += 1
                continue
            found.append(slide)
        return found

    def _xml(self, part: str) -> Element:
        if part not in self._read:
            self._read[part] = self.package.xml(part)
        return self._read[part]

    def _slide(self, number: int, part: str) -> Slide:
        root = self.package.xml(part)
        layers = [(part, root)]
        for kind in ("slideLayout", "slideMaster"):
            above = self.package.related(layers[-1][0], kind)
            if above is None:
                break
            layers.append((above, self._xml(above)))
        name = self.package.related(layers[-1][0], "theme")
        theme = Theme(None if name is None else self._xml(name), name or "")
        mapping = layers[-1][1].find(P + "clrMap")
        colours = {} if mapping is None else {str(key): str(value) for key, value in mapping.attrib.items()}
        for _, layer in reversed(layers):
            own = layer.find(f"{P}clrMapOvr/{A}overrideClrMapping")
            if own is not None:
                colours |= {str(key): str(value) for key, value in own.attrib.items()}
        if root.find(P + "timing") is not None:
            self.found[MOTION] += 1
        slide = Slide(number, part, root, layers, theme, colours, root.get("show") in ("0", "false"))
        self._beside(slide)
        return slide

    def _beside(self, slide: Slide) -> None:
        for each in self.package.relations(slide.part).values():
            if each.external or each.target not in self.package.names:
                continue
            if each.kind == "notesSlide":
                for shape in self.package.xml(each.target).iter(P + "sp"):
                    place = shape.find(f"{P}nvSpPr/{P}nvPr/{P}ph")
                    if place is not None and place.get("type") == "body":
                        slide.notes += list(shape.iterfind(f"{P}txBody/{A}p"))
            elif each.kind == "comments":
                self.found[COMMENT] += sum(1 for one in self.package.xml(each.target) if isinstance(one.tag, str))
            elif each.kind in ("video", "audio", "media"):
                self.found[MEDIA] += each.kind != "media"


def number(element: Element | None, name: str) -> int | None:
    return None if element is None else integer(element.get(name))
