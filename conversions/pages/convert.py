"""The pages that convert any file, or one pair of formats."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from accounts.lanes import slow
from conversions.errors import UnknownConversion, UnsupportedFileType, UnsupportedFormat
from conversions.pages import converting
from conversions.pages.controls import controls, given_values
from conversions.pages.examples import examples
from conversions.pages.ocr_language import preset
from conversions.pages.refusals import Refusal
from conversions.pages.tasks.listing import TASKS, of_several_files
from conversions.templatetags.offers import named
from conversions.uploads import Upload
from conversions.wording import translated
from conversions.work.offer import current
from engine.toolkit.declaring import Converter
from engine.toolkit.formats import FORMATS, KINDS, Format, by_filename

_POPULAR = (
    "json-to-csv", "csv-to-xlsx", "xlsx-to-csv", "html-to-pdf", "markdown-to-pdf", "docx-to-pdf", "png-to-webp",
    "heic-to-jpg", "csv-to-parquet", "yaml-to-json", "markdown-to-html", "png-to-pdf",
)  # fmt: skip
_WANTED = (
    "compress-pdf", "merge-pdf", "jpg-to-pdf", "pdf-to-word", "word-to-pdf", "pdf-to-jpg", "organize-pdf", "ocr-pdf",
    "heic-to-jpg", "compress-image", "video-to-gif", "video-to-mp3",
)  # fmt: skip


# The token is checked once the upload is received: to find it in the form, Django would read the whole upload before
# any limit is checked.
@slow("POST")
@csrf_exempt
def convert(request: HttpRequest) -> HttpResponse:
    return converting.page(request, AnyFile())


@slow("POST")
@csrf_exempt
def conversion(request: HttpRequest, slug: str) -> HttpResponse:
    converter = current().resolve(slug)
    if converter is None:
        raise Http404
    if converter.slug != slug and request.method == "GET":
        return redirect("conversion", slug=converter.slug, permanent=True)
    return converting.page(request, OnePair(converter))


@dataclass(frozen=True)
class AnyFile:
    """The front page: file name and target choose the conversion, with default options."""

    template: str = "conversions/convert.html"

    def choose_converter(self, upload: Upload) -> Converter:
        offered = current()
        wanted = upload.fields.get("target", "")
        source, target = by_filename(upload.name), FORMATS.get(wanted)
        if source is None or source not in offered.inputs:
            raise UnsupportedFileType(_("Files like %(name)r can't be converted here.") % {"name": upload.name})
        usual = offered.usual(source)
        if not wanted and usual is not None:
            return usual
        if target is None:
            raise UnknownConversion(_("Choose a format to convert to."))
        found = offered.converters.get(f"{source.id}-to-{target.id}")
        if found is None:
            slugs = offered.alternatives(source)
            text = _("%(source)s can't be converted to %(target)s here.")
            names = {"source": named(source), "target": named(target)}
            raise UnsupportedFormat(text % names, reason="format", alternatives=slugs)
        return found

    def option_fields(self, converter: Converter, fields: QueryDict) -> QueryDict:
        return QueryDict()

    def initial_values(self, request: HttpRequest) -> dict[str, str]:
        return {}

    def context(self, request: HttpRequest, values: dict[str, str], refused: Refusal | None) -> dict[str, Any]:
        offered = current()
        converters = offered.converters
        popular = [converters[slug] for slug in _POPULAR if slug in converters]
        return {
            "accept": converting.accepted(offered.inputs),
            "targets": grouped({each.output for each in converters.values()}),
            "chosen": values.get("target", ""),
            "popular": popular[:8],
            "tasks": [TASKS[name].translated() for name in _WANTED if name in TASKS and TASKS[name].converters],
            "inputs": len(offered.inputs),
            "conversions": len(converters),
        }


def grouped(formats: Iterable[Format]) -> list[tuple[str, list[Format]]]:
    """Formats by the name of their kind, in the order that kinds are shown in, by name."""
    ordered = sorted(formats, key=lambda each: named(each).lower())
    groups = ((name, [each for each in ordered if each.kind == kind]) for kind, name in KINDS.items())
    return [(translated(name), members) for name, members in groups if members]


@dataclass(frozen=True)
class OnePair:
    """The page of one conversion, with all options."""

    converter: Converter
    template: str = "conversions/conversion.html"

    def choose_converter(self, upload: Upload) -> Converter:
        return self.converter

    def option_fields(self, converter: Converter, fields: QueryDict) -> QueryDict:
        return converting.option_fields(converter, fields)

    def initial_values(self, request: HttpRequest) -> dict[str, str]:
        return preset(request, self.converter)

    def context(self, request: HttpRequest, values: dict[str, str], refused: Refusal | None) -> dict[str, Any]:
        chosen = given_values(self.converter, values)
        source, offered = self.converter.input, current()
        others = [slug for slug in offered.alternatives(source) if slug != self.converter.slug]
        several = of_several_files(self.converter.slug)
        return {
            "see": several.translated() if several else None,
            "converter": self.converter,
            "slugs": self.converter.slug,
            "controls": controls(self.converter, chosen, refused.problems if refused else None),
            "prefilled": bool(chosen),
            "examples": examples(request, self.converter, chosen),
            "accept": converting.accepted({source}),
            "related": [offered.converters[slug] for slug in others[:12]],
        }
