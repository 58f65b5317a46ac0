"""Identify a PDF as conforming to a standard, and repeat its metadata in XMP (ISO 14289-1, 5; ISO 19005-2, 6.6)."""

from __future__ import annotations

from html import escape

import pikepdf
from pikepdf import Name
from pikepdf.models.metadata import decode_pdf_date

_IDENTIFIED = {
    "ua-1": "<pdfuaid:part>1</pdfuaid:part>",
    "a-2b": "<pdfaid:part>2</pdfaid:part>\n<pdfaid:conformance>B</pdfaid:conformance>",
    "a-3b": "<pdfaid:part>3</pdfaid:part>\n<pdfaid:conformance>B</pdfaid:conformance>",
}
_TEXTS = {
    "/Title": "dc:title",
    "/Author": "dc:creator",
    "/Subject": "dc:description",
    "/Keywords": "pdf:Keywords",
    "/Creator": "xmp:CreatorTool",
    "/Producer": "pdf:Producer",
}
_DATES = {"/CreationDate": "xmp:CreateDate", "/ModDate": "xmp:ModifyDate"}
_LISTS = {"dc:creator": "rdf:Seq", "dc:title": "rdf:Alt", "dc:description": "rdf:Alt"}
_PACKET = """\
<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"
 xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
{properties}
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>
"""


def identify(pdf: pikepdf.Pdf, standard: str) -> None:
    """Rewrite the metadata with the `standard` it conforms to, ua-1, a-2b or a-3b, and only what that allows."""
    info = pdf.trailer.get(Name.Info)
    info = info if isinstance(info, pikepdf.Dictionary) else pikepdf.Dictionary()
    kept: dict[str, str] = {}
    properties = []
    for key, name in (_TEXTS | _DATES).items():
        value = "".join(each for each in str(info.get(key, "")) if each.isprintable() or each == "\n").strip()
        if not value:
            continue
        shown = escape(value, quote=False)
        if key in _DATES:
            try:
                shown = decode_pdf_date(value).isoformat()
            except ValueError:
                continue  # not a valid date
        kept[key] = value
        inside = _LISTS.get(name)
        if inside:
            language = ' xml:lang="x-default"' if inside == "rdf:Alt" else ""
            shown = f"<{inside}><rdf:li{language}>{shown}</rdf:li></{inside}>"
        properties.append(f"<{name}>{shown}</{name}>")
    packet = _PACKET.format(properties="\n".join([*properties, _IDENTIFIED[standard]]))
    pdf.Root[Name.Metadata] = pdf.make_stream(packet.encode(), Type=Name.Metadata, Subtype=Name.XML)
    pdf.trailer[Name.Info] = pdf.make_indirect(pikepdf.Dictionary(kept))
