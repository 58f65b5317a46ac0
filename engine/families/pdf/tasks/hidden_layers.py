"""Remove the layers of a PDF that are not shown, with their content (ISO 32000-1, 8.11)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pikepdf
from pikepdf import Name, Operator

from engine.families.pdf.reached import dictionaries, reached
from engine.families.pdf.read import DAMAGED
from engine.families.pdf.tasks import unused_resources
from engine.families.pdf.tasks.drawn_sizes import Id
from engine.families.pdf.tasks.entry_changes import Changes
from engine.families.pdf.tasks.redaction.advances import Advances, Fonts
from engine.families.pdf.tasks.redaction.shown_text import without
from engine.families.pdf.tasks.redaction.text_state import SHOWING, State, States

_EVENTS = (Name.View, Name.Print)
_MOST_OPERATORS = 200
"""Of a visibility expression, whose parts may repeat or contain each other."""
_PATHS = frozenset({"m", "l", "c", "v", "y", "h", "re"})
_PAINTS = frozenset({"f", "F", "f*", "B", "B*", "b", "b*", "S", "s", "n"})
_DRAWS = frozenset({"Do", "sh", "MP", "DP"})


@dataclass(frozen=True)
class Hidden:
    """The layers that no one sees: those that are off, or that go off by themselves, on the screen and on paper."""

    layers: frozenset[Id]

    @classmethod
    def of(cls, pdf: pikepdf.Pdf) -> Hidden:
        """The hidden layers of a document in its default configuration."""
        about = pdf.Root.get(Name.OCProperties)
        default = about.get(Name.D) if isinstance(about, pikepdf.Dictionary) else None
        if about is None or not isinstance(default, pikepdf.Dictionary):
            return cls(frozenset())
        every = _ids(about.get(Name.OCGs))
        off = _ids(default.get(Name.OFF)) & every
        if default.get(Name.BaseState) == Name.OFF:
            off |= every - _ids(default.get(Name.ON))
        layers = {each.objgen: each for each in about.get(Name.OCGs, ()) if isinstance(each, pikepdf.Dictionary)}
        hidden = [off - on | set_off for on, set_off in (_automatic(default, layers, event) for event in _EVENTS)]
        return cls(frozenset(set.intersection(*hidden)))

    def has(self, member: Any) -> bool:
        """Whether what belongs to a layer, or to a membership dictionary, is hidden."""
        if not isinstance(member, pikepdf.Dictionary):
            return False
        if member.get(Name.Type) != Name.OCMD:
            return member.objgen in self.layers
        if isinstance(member.get(Name.VE), pikepdf.Array):
            return not self._holds(member[Name.VE], itertools.count())
        found = member.get(Name.OCGs)
        groups = [found] if isinstance(found, pikepdf.Dictionary) else found if isinstance(found, pikepdf.Array) else []
        shown = [each.objgen not in self.layers for each in groups if isinstance(each, pikepdf.Dictionary)]
        policy = str(member.get(Name.P, "/AnyOn"))
        if policy in ("/AllOn", "/AllOff"):
            return bool(shown) and not all(each is (policy == "/AllOn") for each in shown)
        return bool(shown) and not any(each is (policy != "/AnyOff") for each in shown)

    def _holds(self, expression: Any, read: Iterator[int]) -> bool:
        """The value of a visibility expression; what it doesn't say, or says after too many operators, is visible."""
        if isinstance(expression, pikepdf.Dictionary):
            return expression.objgen not in self.layers
        if not isinstance(expression, pikepdf.Array) or not len(expression) or next(read) > _MOST_OPERATORS:
            return True
        values = (self._holds(expression[at], read) for at in range(1, len(expression)))
        operator = str(expression[0])
        return not next(values, False) if operator == "/Not" else (any if operator == "/Or" else all)(values)


def remove(pdf: pikepdf.Pdf, hidden: Hidden) -> None:
    """Remove layers in place, with what only they show and their names; notes on them stay."""
    if not hidden.layers:
        return
    elsewhere = [_properties(page.resources) for page in pdf.pages]
    names = {name for each in elsewhere for name, layer in each.items() if hidden.has(layer)}
    fonts = Fonts()
    written: dict[tuple[bytes, ...], pikepdf.Object | None] = {}
    for holder, resources in _contents(pdf):
        own = names if resources is None else {n for n, one in _properties(resources).items() if hidden.has(one)}
        if not own:
            continue
        if isinstance(holder, pikepdf.Stream):
            data = _without(holder, own, fonts.within(resources))
            if data is not None:
                holder.write(data)
            continue
        shown = tuple(each.unparse() for each in (holder.get(Name.Contents), resources) if each is not None)
        if shown not in written:  # pages may share it
            data = _without(holder, own, fonts.within(resources))
            written[shown] = None if data is None else pdf.make_stream(data)
        if written[shown] is not None:
            holder[Name.Contents] = written[shown]
    for each in pdf.objects:
        if isinstance(each, pikepdf.Stream) and hidden.has(each.get(Name.OC)):
            _empty(each)
    for each in dictionaries(pdf):
        if each.get(Name.Type) == Name.OCMD and _names(each, hidden):
            for name in (Name.OCGs, Name.VE, Name.P):  # it is as visible as it was, without what is left out
                if name in each:
                    del each[name]
    unused_resources.remove(pdf, list(pdf.pages), Changes())
    _undeclare(pdf, hidden)


def _names(member: pikepdf.Object, hidden: Hidden) -> bool:
    found = reached([member.get(Name.OCGs), member.get(Name.VE)], _in_lists)
    return any(each.objgen in hidden.layers for each in found if not isinstance(each, pikepdf.Array))


def _in_lists(holder: pikepdf.Object) -> Iterable[Any]:
    return holder if isinstance(holder, pikepdf.Array) else ()


def _contents(pdf: pikepdf.Pdf) -> Iterator[tuple[pikepdf.Object, pikepdf.Object | None]]:
    """All content with its resources; None for that which uses those of the pages that show it."""
    for page in pdf.pages:
        yield page.obj, page.resources
    for each in pdf.objects:
        if isinstance(each, pikepdf.Stream) and (each.get(Name.Subtype) == Name.Form or Name.PatternType in each):
            yield each, each.get(Name.Resources)


def _properties(resources: pikepdf.Object | None) -> dict[str, pikepdf.Object]:
    found = resources.get(Name.Properties) if isinstance(resources, pikepdf.Dictionary) else None
    return dict(found.items()) if isinstance(found, pikepdf.Dictionary) else {}


@dataclass
class _Filter:
    """The instructions that are kept: state, and the path that clips; text is replaced by its width."""

    advances_named: Callable[[str], Advances]
    states: States = field(default_factory=lambda: States(State((1, 0, 0, 1, 0, 0))))
    out: list[Any] = field(default_factory=list)
    path: int = 0
    """Where the instructions of the current path start in `out`."""
    clips: bool = False

    def take(self, each: Any, *, shown: bool) -> None:
        if isinstance(each, pikepdf.ContentStreamInlineImage):
            self.out += [each] if shown else []
            return
        operands, name = list(each.operands), str(each.operator)
        if name in SHOWING:
            made, _ = without(name, operands, self.states.now, self.advances_named, lambda *_: True)
            self.out += [each] if shown else made
        elif name in _PAINTS:
            if not shown:
                del self.out[len(self.out) if self.clips else self.path :]
                each = (pikepdf.Array([]), Operator("n"))
            self.out += [each] if shown or self.clips else []
        elif shown or name not in _DRAWS:
            self.states.follow(name, operands)
            self.out.append(each)
        self.clips = name in ("W", "W*") or (self.clips and name not in _PAINTS)
        if name not in _PATHS and name not in ("W", "W*"):
            self.path = len(self.out)


def _without(holder: pikepdf.Object, names: set[str], advances_named: Callable[[str], Advances]) -> bytes | None:
    """The content without what it marks as belonging to layers of these names; None if it marks nothing so."""
    kept = _Filter(advances_named)
    marks: list[bool] = []
    found = False
    try:
        for each in pikepdf.parse_content_stream(holder):
            name = "" if isinstance(each, pikepdf.ContentStreamInlineImage) else str(each.operator)
            inside = any(marks)
            if name in ("BDC", "BMC"):
                operands = list(each.operands)
                off = name == "BDC" and len(operands) > 1 and operands[0] == Name.OC and str(operands[1]) in names
                found |= off
                marks.append(off)
                inside |= off
            elif name == "EMC" and marks:
                marks.pop()
            if not (inside and name in ("BDC", "BMC", "EMC")):
                kept.take(each, shown=not inside)
    except DAMAGED:
        return None
    return pikepdf.unparse_content_stream(kept.out) if found else None


def _empty(stream: pikepdf.Object) -> None:
    """Make a form or picture one that shows nothing."""
    for key in list(stream.keys()):
        if key != "/Length":
            del stream[key]
    stream.write(b"")
    stream[Name.Type], stream[Name.Subtype], stream[Name.BBox] = Name.XObject, Name.Form, pikepdf.Array([0, 0, 0, 0])


def _undeclare(pdf: pikepdf.Pdf, hidden: Hidden) -> None:
    about = pdf.Root.OCProperties
    for each in pdf.objects:
        if isinstance(each, pikepdf.Dictionary) and each.objgen in hidden.layers:
            for key in [key for key in each.keys() if key != "/Type"]:  # noqa: SIM118  # it is no mapping
                del each[key]
            each[Name.Name] = pikepdf.String("")
    for each in reached([about], _in_configurations):
        if isinstance(each, pikepdf.Array):
            for at in reversed(range(len(each))):
                if isinstance(each[at], pikepdf.Dictionary) and each[at].objgen in hidden.layers:
                    del each[at]
    if not len(about.get(Name.OCGs, ())):
        del pdf.Root[Name.OCProperties]


def _in_configurations(holder: pikepdf.Object) -> Iterable[Any]:
    if isinstance(holder, pikepdf.Array):
        return holder
    return () if holder.get(Name.Type) == Name.OCG else [value for _, value in holder.items()]


def _automatic(
    default: pikepdf.Object, layers: Mapping[Id, pikepdf.Object], event: pikepdf.Name
) -> tuple[set[Id], set[Id]]:
    """The layers that an event, showing or printing, turns on, and those that it turns off."""
    on, off = set[Id](), set[Id]()
    found = default.get(Name.AS)
    for each in found if isinstance(found, pikepdf.Array) else ():
        if not isinstance(each, pikepdf.Dictionary) or each.get(Name.Event) != event:
            continue
        for layer in _ids(each.get(Name.OCGs)) & layers.keys():
            usage = layers[layer].get(Name.Usage)
            about = usage.get(event) if isinstance(usage, pikepdf.Dictionary) else None
            state = about.get(f"{event}State") if isinstance(about, pikepdf.Dictionary) else None
            if state in (Name.ON, Name.OFF):
                (on if state == Name.ON else off).add(layer)
    return on, off


def _ids(value: object) -> set[Id]:
    found = value if isinstance(value, pikepdf.Array) else ()
    return {each.objgen for each in found if isinstance(each, pikepdf.Dictionary) and each.is_indirect}
