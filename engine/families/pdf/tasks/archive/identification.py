"""The PDF/A identification and document metadata in XMP (ISO 19005-2, 6.6)."""

from __future__ import annotations

from xml.sax.saxutils import escape

import pikepdf
from pikepdf import Name
from pikepdf.models.metadata import decode_pdf_date

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
 xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
{properties}<pdfaid:part>2</pdfaid:part>
<pdfaid:conformance>B</pdfaid:conformance>
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>
"""


def write_metadata(pdf: pikepdf.Pdf) -> None:
    """Rewrite the metadata with only what the standard allows."""
    info = pdf.trailer.get(Name.Info)
    info = info if isinstance(info, pikepdf.Dictionary) else pikepdf.Dictionary()
    kept: dict[str, str] = {}
    properties = ""
    for key, name in (_TEXTS | _DATES).items():
        value = "".join(each for each in str(info.get(key, "")) if each.isprintable() or each == "\n").strip()
        if not value:
            continue
        shown = escape(value)
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
        properties += f"<{name}>{shown}</{name}>\n"
    pdf.Root[Name.Metadata] = pdf.make_stream(
        _PACKET.format(properties=properties).encode("utf-8"), Type=Name.Metadata, Subtype=Name.XML
    )
    pdf.trailer[Name.Info] = pdf.make_indirect(pikepdf.Dictionary(kept))
