"""Identify a PDF as conforming to a standard, and repeat its metadata in XMP (ISO 14289-1, 5; ISO 19005-2, 6.6)."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape

import pikepdf

_IDENTIFIED = {
    "ua-1": "<pdfuaid:part>1</pdfuaid:part>",
    "a-2b": "<pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>",
    "a-3b": "<pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>",
}
_TEXTS = {
    "/Title": "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">{}</rdf:li></rdf:Alt></dc:title>",
    "/Author": "<dc:creator><rdf:Seq><rdf:li>{}</rdf:li></rdf:Seq></dc:creator>",
    "/Subject": "<dc:description><rdf:Alt><rdf:li xml:lang=\"x-default\">{}</rdf:li></rdf:Alt></dc:description>",
    "/Keywords": "<pdf:Keywords>{}</pdf:Keywords>",
    "/Producer": "<pdf:Producer>{}</pdf:Producer>",
    "/CreationDate": "<xmp:CreateDate>{}</xmp:CreateDate>",
    "/ModDate": "<xmp:ModifyDate>{}</xmp:ModifyDate>",
}  # fmt: skip
_DATE = re.compile(r"D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d).*")
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
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
    """Write the metadata of a document, with the `standard` it conforms to: ua-1, a-2b or a-3b."""
    info = pdf.docinfo
    properties = [_IDENTIFIED[standard]]
    for key, form in _TEXTS.items():
        text = _UNWRITABLE.sub("", str(info.get(key, ""))).strip()
        if text:
            properties.append(form.format(escape(_DATE.sub(r"\1-\2-\3T\4:\5:\6Z", text))))
    packet = _PACKET.format(properties="\n".join(properties))
    pdf.Root.Metadata = pdf.make_stream(packet.encode(), Type=pikepdf.Name.Metadata, Subtype=pikepdf.Name.XML)
