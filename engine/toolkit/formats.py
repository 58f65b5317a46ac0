"""The file formats of the service, by id, extension and magic bytes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

HEAD_BYTES = 4096

_UNICODE_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")
_BINARY_MARKS = (  # binary formats: a text never begins with one of these
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"%PDF-",
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"\x7fELF",
    b"\xd0\xcf\x11\xe0",
)
_CONTROLS = bytes({*range(1, 32)} - {*b"\t\n\f\r\x1b"})
"""Control characters that no text has, but for NUL."""


def _text(head: bytes) -> bool:
    """Whether `head` can be text: no binary signature, and no NUL outside UTF-16 and UTF-32."""
    if head.startswith(_BINARY_MARKS):
        return False
    if head.startswith(_UNICODE_MARKS):
        return True
    zeros = head.count(0)
    # UTF-16 and UTF-32 without a mark: in ASCII text every second byte, or three of four, are NUL.
    return zeros == 0 or zeros * 5 >= len(head) * 2


def _delimited(head: bytes) -> bool:
    """Whether `head` can be a table as text, in which cells may hold a NUL, as database exports have them."""
    rare = head.count(0) * 5 < len(head) and len(head.translate(None, _CONTROLS)) == len(head)
    return _text(head) or (rare and not head.startswith(_BINARY_MARKS))


def _starts(*marks: bytes) -> Callable[[bytes], bool]:
    return lambda head: head.startswith(marks)


def _riff(kind: bytes) -> Callable[[bytes], bool]:
    return lambda head: head[:4] == b"RIFF" and head[8:12] == kind


def _brand(*brands: bytes) -> Callable[[bytes], bool]:
    """Whether the major brand or a compatible one is among `brands` (ISO/IEC 14496-12, file type box)."""

    def check(head: bytes) -> bool:
        if head[4:8] != b"ftyp":
            return False
        box = head[8 : max(16, min(int.from_bytes(head[:4], "big"), HEAD_BYTES))]
        return any(box[at : at + 4] in brands for at in range(0, len(box), 4))

    return check


def _targa(head: bytes) -> bool:
    """Whether `head` is a plausible Truevision TGA 2.0 header, which has no signature: image type, depth and size."""
    if len(head) < 18:
        return False
    palette, kind, depth = head[1], head[2], head[16]
    sizes = head[12:14] != b"\0\0" != head[14:16]
    indexed = kind in (1, 9)
    return (
        sizes
        and palette in (0, 1)
        and kind in (1, 2, 3, 9, 10, 11)
        and depth in (1, 8, 15, 16, 24, 32)
        and (not indexed or (palette == 1 and depth in (8, 16)))
    )


def _camera_raw(head: bytes) -> bool:
    """Whether `head` is a TIFF, or has one of the makers' own signatures."""
    return head.startswith((b"II*\x00", b"MM\x00*", b"IIRO", b"IIRS", b"MMOR", b"IIU\x00", b"FUJIFILMCCD-RAW")) or (
        head[4:12] == b"ftypcrx "
    )


def _movie(head: bytes) -> bool:
    """Whether the first box is one that a video begins with, and not the brand of a picture (ISO/IEC 14496-12)."""
    if head[4:8] == b"ftyp":
        return head[8:12] not in (b"avif", b"heic", b"heix", b"mif1", b"crx ")
    return head[4:8] in (b"moov", b"mdat", b"free", b"skip", b"wide", b"pnot", b"uuid")


def _mpeg_audio(head: bytes) -> bool:
    """Whether `head` has an ID3 tag, or a frame header near the start (ISO/IEC 11172-3, 2.4.1.3)."""
    if head.startswith((b"ID3", b"APETAGEX")):
        return True
    return any(head[at] == 0xFF and head[at + 1] & 0xE0 == 0xE0 for at in range(len(head) - 1))


def _adts(head: bytes) -> bool:
    """Whether `head` has an ID3 tag, or a frame header (ISO/IEC 14496-3, 1.A.2.2.1)."""
    return head.startswith((b"ID3", b"ADIF")) or (head[:1] == b"\xff" and head[1:2] != b"" and head[1] & 0xF6 == 0xF0)


def _transport(head: bytes) -> bool:
    """Whether packets of 188, 192 (with timestamp) or 204 bytes start with the sync byte (ISO/IEC 13818-1, 2.4.3.2)."""
    return any(
        head[at : at + 1] == b"G" and (len(head) <= at + size or head[at + size : at + size + 1] == b"G")
        for at, size in ((0, 188), (4, 192), (0, 204))
    )


def _anymap(head: bytes) -> bool:
    """Whether `head` is a Netpbm header: P1 to P6, then white space or a comment."""
    return head[:1] == b"P" and head[1:2] in b"123456" and head[2:3] in b" \t\r\n\v\f#" and len(head) > 2


def _stereolithography(head: bytes) -> bool:
    """Whether `head` is an STL: text, or 80 arbitrary bytes, a count and triangles of 50 bytes."""
    return _text(head) or (len(head) >= 84 and not head.startswith(_BINARY_MARKS))


def _palm(head: bytes) -> bool:
    """Whether the type and creator of a Palm OS database are those of a book."""
    return head[60:68] in (b"BOOKMOBI", b"TEXtREAd")


def _tar(head: bytes) -> bool:
    """Whether the checksum of the first header is right (POSIX.1-2001, pax), or it is empty: two zero blocks."""
    block = head[:512]
    if len(block) < 512:
        return False
    checksum = block[148:156].strip(b" \0")
    total = sum(block) - sum(block[148:156]) + 8 * 32
    return not any(block) or (checksum.isdigit() and len(checksum) < 8 and int(checksum, 10) == int(f"{total:o}"))


def _pdf(head: bytes) -> bool:
    # Readers accept the header anywhere in the first 1,024 bytes (ISO 32000-1, annex H).
    return b"%PDF-" in head[:1024]


Kind = Literal["documents", "data", "pictures", "audio", "video", "mail", "archives", "fonts", "geo", "3D"]
KINDS: Mapping[Kind, str] = {
    "documents": "Documents",
    "data": "Data",
    "pictures": "Pictures",
    "audio": "Audio",
    "video": "Video and subtitles",
    "mail": "Email",
    "archives": "Archives",
    "fonts": "Fonts",
    "geo": "Maps and places",
    "3D": "3D models",
}
"""The groups that formats are listed under, in display order, with their names."""
_KIND_OF: Mapping[str, Kind] = {
    "image": "pictures",
    "audio": "audio",
    "video": "video",
    "font": "fonts",
    "model": "3D",
}


@dataclass(frozen=True)
class Format:
    """One file format.

    `id` is its name in slugs. `extensions` are lower case without a dot, the canonical one first. `recognises` checks
    the first HEAD_BYTES bytes of a file: False means that it can't be this format. A `gzipped` format is unpacked
    before that check, and its extensions include those of the packed form. `becomes` are the ids of what most people
    want of such a file, best first: the first one that can be made is its default.
    """

    id: str
    name: str
    extensions: tuple[str, ...]
    content_type: str
    recognises: Callable[[bytes], bool]
    gzipped: bool = False
    listed: Kind | None = None
    becomes: tuple[str, ...] = ()

    @property
    def kind(self) -> Kind:
        """The group it is listed under: `listed`, or derived from the content type; documents by default."""
        return self.listed or _KIND_OF.get(self.content_type.partition("/")[0], "documents")

    @property
    def extension(self) -> str:
        return self.extensions[0]


_ZIP = _starts(b"PK\x03\x04", b"PK\x05\x06")
_OLE = _starts(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
_SHEET = _starts(  # also the first record of Excel 2, 3 and 4, which are refused by name (MS-XLS does not have these)
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"\x09\x00\x04\x00", b"\x09\x02\x06\x00", b"\x09\x04\x06\x00"
)
# Encrypted packages are compound files.
_PACKAGE = _starts(b"PK\x03\x04", b"PK\x05\x06", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
_OFFICE = "application/vnd.openxmlformats-officedocument."

JSON = Format(
    "json", "JSON", ("json", "json.gz"), "application/json", _text, gzipped=True, listed="data", becomes=("csv", "xlsx")
)
NDJSON = Format(
    "ndjson",
    "NDJSON (JSON lines)",
    ("ndjson", "jsonl", "ndjson.gz", "jsonl.gz"),
    "application/x-ndjson",
    _text,
    gzipped=True,
    listed="data",
    becomes=("csv", "json"),
)
GEOJSON = Format(
    "geojson",
    "GeoJSON",
    ("geojson", "geojson.gz"),
    "application/geo+json",
    _text,
    gzipped=True,
    listed="geo",
    becomes=("kml", "csv"),
)
CSV = Format(
    "csv", "CSV", ("csv", "csv.gz"), "text/csv", _delimited, gzipped=True, listed="data", becomes=("xlsx", "json")
)
TSV = Format(
    "tsv",
    "TSV",
    ("tsv", "tab", "tsv.gz", "tab.gz"),
    "text/tab-separated-values",
    _delimited,
    gzipped=True,
    listed="data",
    becomes=("csv", "xlsx"),
)
XML = Format(
    "xml", "XML", ("xml", "xml.gz"), "application/xml", _text, gzipped=True, listed="data", becomes=("json", "csv")
)
YAML = Format("yaml", "YAML", ("yaml", "yml"), "application/yaml", _text, listed="data", becomes=("json",))
TOML = Format("toml", "TOML", ("toml",), "application/toml", _text, listed="data", becomes=("json",))
XLSX = Format(
    "xlsx",
    "Excel workbook",
    ("xlsx", "xltx"),
    _OFFICE + "spreadsheetml.sheet",
    _PACKAGE,
    listed="data",
    becomes=("csv", "pdf"),
)
XLSM = Format(
    "xlsm",
    "Excel workbook with macros",
    ("xlsm", "xltm"),
    "application/vnd.ms-excel.sheet.macroEnabled.12",
    _PACKAGE,
    listed="data",
    becomes=("xlsx", "csv"),
)
XLSB = Format(
    "xlsb",
    "Excel binary workbook",
    ("xlsb",),
    "application/vnd.ms-excel.sheet.binary.macroEnabled.12",
    _PACKAGE,
    listed="data",
    becomes=("xlsx", "csv"),
)
XLS = Format(
    "xls",
    "Excel 97-2003 workbook",
    ("xls",),
    "application/vnd.ms-excel",
    _SHEET,
    listed="data",
    becomes=("xlsx", "csv"),
)
ODS = Format(
    "ods",
    "OpenDocument spreadsheet",
    ("ods",),
    "application/vnd.oasis.opendocument.spreadsheet",
    _ZIP,
    listed="data",
    becomes=("xlsx", "csv"),
)
PARQUET = Format(
    "parquet",
    "Apache Parquet",
    ("parquet",),
    "application/vnd.apache.parquet",
    _starts(b"PAR1", b"PARE"),
    listed="data",
    becomes=("csv", "xlsx"),
)
SQLITE = Format(
    "sqlite",
    "SQLite database",
    ("sqlite", "db", "sqlite3", "db3"),
    "application/vnd.sqlite3",
    _starts(b"SQLite format 3\x00"),
    listed="data",
    becomes=("csv", "xlsx"),
)
ARROW = Format(
    "arrow",
    "Apache Arrow",
    ("arrow", "feather", "ipc", "arrows"),
    "application/vnd.apache.arrow.file",
    _starts(b"ARROW1", b"\xff\xff\xff\xff"),  # a file, or a stream
    listed="data",
    becomes=("parquet", "csv"),
)
AVRO = Format(
    "avro",
    "Apache Avro",
    ("avro",),
    "application/vnd.apache.avro",
    _starts(b"Obj\x01"),
    listed="data",
    becomes=("parquet", "csv"),
)
ORC = Format(
    "orc",
    "Apache ORC",
    ("orc",),
    "application/vnd.apache.orc",
    _starts(b"ORC"),
    listed="data",
    becomes=("parquet", "csv"),
)
VCF = Format("vcf", "vCard contacts", ("vcf", "vcard"), "text/vcard", _text, listed="data", becomes=("csv",))
ICS = Format("ics", "iCalendar", ("ics", "ical", "ifb"), "text/calendar", _text, listed="data", becomes=("csv",))
BIBTEX = Format(
    "bibtex", "BibTeX", ("bib", "bibtex"), "application/x-bibtex", _text, listed="data", becomes=("ris", "csv")
)
RIS = Format(
    "ris",
    "RIS references",
    ("ris",),
    "application/x-research-info-systems",
    _text,
    listed="data",
    becomes=("bibtex", "csv"),
)
CSLJSON = Format(
    "csljson",
    "CSL JSON",
    ("csl.json", "csljson"),
    "application/vnd.citationstyles.csl+json",
    _text,
    listed="data",
    becomes=("bibtex", "csv"),
)
FEED = Format(
    "rss", "RSS or Atom feed", ("rss", "atom", "rdf"), "application/rss+xml", _text, listed="data", becomes=("csv",)
)
INI = Format("ini", "INI settings", ("ini", "cfg", "conf"), "text/x-ini", _text, listed="data", becomes=("json",))
PROPERTIES = Format(
    "properties", "Java properties", ("properties",), "text/x-java-properties", _text, listed="data", becomes=("json",)
)
ENV = Format("env", ".env variables", ("env",), "text/x-env", _text, listed="data", becomes=("json",))
HTML = Format("html", "HTML", ("html", "htm"), "text/html", _text, becomes=("pdf", "docx"))
MHTML = Format("mhtml", "MHTML web page", ("mhtml", "mht"), "multipart/related", _text, becomes=("pdf", "html"))
WEBARCHIVE = Format(
    "webarchive",
    "Safari web archive",
    ("webarchive",),
    "application/x-webarchive",
    _starts(b"bplist00"),
    becomes=("pdf", "html"),
)
HTMLZ = Format(
    "htmlz", "HTML page in a ZIP", ("htmlz", "html.zip"), "application/x-htmlz", _ZIP, becomes=("pdf", "html")
)
MARKDOWN = Format("markdown", "Markdown", ("md", "markdown"), "text/markdown", _text, becomes=("pdf", "docx", "html"))
TXT = Format("txt", "Plain text", ("txt",), "text/plain", _text, becomes=("pdf", "docx", "html"))
RST = Format("rst", "reStructuredText", ("rst",), "text/x-rst", _text, becomes=("html", "pdf"))
DOCX = Format(
    "docx",
    "Word document",
    ("docx", "docm", "dotx", "dotm"),
    _OFFICE + "wordprocessingml.document",
    _PACKAGE,
    becomes=("pdf", "html"),
)
ODT = Format(
    "odt", "OpenDocument text", ("odt",), "application/vnd.oasis.opendocument.text", _ZIP, becomes=("docx", "pdf")
)
RTF = Format("rtf", "Rich Text Format", ("rtf",), "application/rtf", _starts(b"{\\rtf"), becomes=("docx", "pdf"))
EPUB = Format("epub", "EPUB", ("epub",), "application/epub+zip", _ZIP, becomes=("pdf", "docx"))
IPYNB = Format("ipynb", "Jupyter notebook", ("ipynb",), "application/x-ipynb+json", _text, becomes=("pdf", "docx"))
LATEX = Format("latex", "LaTeX", ("tex", "latex", "ltx"), "application/x-tex", _text, becomes=("pdf", "docx"))
ORG = Format("org", "Org mode", ("org",), "text/x-org", _text, becomes=("html", "pdf"))
ASCIIDOC = Format("asciidoc", "AsciiDoc", ("adoc", "asciidoc", "asc"), "text/asciidoc", _text, becomes=("html", "pdf"))
TYPST = Format("typst", "Typst", ("typ", "typst"), "text/vnd.typst", _text, becomes=("pdf", "docx"))
DOCBOOK = Format("docbook", "DocBook", ("dbk", "docbook"), "application/docbook+xml", _text, becomes=("html", "pdf"))
MEDIAWIKI = Format(
    "mediawiki", "MediaWiki", ("wiki", "mediawiki"), "text/x-mediawiki", _text, becomes=("markdown", "html")
)
JIRA = Format("jira", "Jira and Confluence wiki", ("jira",), "text/x-jira", _text, becomes=("markdown", "html"))
TEXTILE = Format("textile", "Textile", ("textile",), "text/x-textile", _text, becomes=("markdown", "html"))
MAN = Format(
    "man", "Manual page", ("man", "1", "2", "3", "4", "5", "6", "7", "8"), "text/troff", _text, becomes=("html", "pdf")
)
FB2 = Format("fb2", "FictionBook", ("fb2",), "application/x-fictionbook+xml", _text, becomes=("epub", "pdf"))
OPML = Format("opml", "OPML outline", ("opml",), "text/x-opml", _text, listed="data", becomes=("csv",))
PPTX = Format(
    "pptx",
    "PowerPoint presentation",
    ("pptx", "pptm", "ppsx", "ppsm", "potx", "potm"),
    _OFFICE + "presentationml.presentation",
    _PACKAGE,
    becomes=("pdf", "docx"),
)
REVEALJS = Format("revealjs", "reveal.js presentation", ("slides.html",), "text/html", _text, becomes=("pdf",))
DOC = Format("doc", "Word 97-2003 document", ("doc", "dot"), "application/msword", _OLE, becomes=("docx", "pdf"))
PPT = Format(
    "ppt",
    "PowerPoint 97-2003 presentation",
    ("ppt", "pps", "pot"),
    "application/vnd.ms-powerpoint",
    _OLE,
    becomes=("pdf", "pptx"),
)
ODP = Format(
    "odp",
    "OpenDocument presentation",
    ("odp",),
    "application/vnd.oasis.opendocument.presentation",
    _ZIP,
    becomes=("pdf", "pptx"),
)
ODG = Format(
    "odg", "OpenDocument drawing", ("odg",), "application/vnd.oasis.opendocument.graphics", _ZIP, becomes=("pdf",)
)
PAGES = Format(
    "pages", "Apple Pages document", ("pages",), "application/vnd.apple.pages", _ZIP, becomes=("docx", "pdf")
)
PDF = Format("pdf", "PDF", ("pdf",), "application/pdf", _pdf, becomes=("docx", "txt"))
PNG = Format("png", "PNG", ("png",), "image/png", _starts(b"\x89PNG\r\n\x1a\n"), becomes=("jpg", "webp"))
JPG = Format(
    "jpg", "JPEG", ("jpg", "jpeg", "jpe", "jfif"), "image/jpeg", _starts(b"\xff\xd8\xff"), becomes=("pdf", "png")
)
WEBP = Format("webp", "WebP", ("webp",), "image/webp", _riff(b"WEBP"), becomes=("png", "jpg"))
AVIF = Format("avif", "AVIF", ("avif",), "image/avif", _brand(b"avif", b"avis"), becomes=("jpg", "png"))
HEIC = Format(
    "heic",
    "HEIC",
    ("heic", "heif"),
    "image/heic",
    _brand(b"heic", b"heix", b"hevc", b"hevx", b"mif1", b"msf1"),
    becomes=("jpg", "png"),
)
GIF = Format("gif", "GIF", ("gif",), "image/gif", _starts(b"GIF87a", b"GIF89a"), becomes=("mp4", "png"))
BMP = Format("bmp", "BMP", ("bmp",), "image/bmp", _starts(b"BM"), becomes=("jpg", "png"))
TIFF = Format(
    "tiff",
    "TIFF",
    ("tiff", "tif"),
    "image/tiff",
    _starts(b"II*\x00", b"MM\x00*", b"II+\x00", b"MM\x00+"),
    becomes=("pdf", "jpg"),
)
ICO = Format(
    "ico", "Windows icon", ("ico",), "image/vnd.microsoft.icon", _starts(b"\x00\x00\x01\x00"), becomes=("png", "jpg")
)
PSD = Format(
    "psd", "Photoshop document", ("psd",), "image/vnd.adobe.photoshop", _starts(b"8BPS\x00\x01"), becomes=("png", "jpg")
)
JP2 = Format(
    "jp2",
    "JPEG 2000",
    ("jp2", "j2k", "jpx", "jpf", "j2c", "jpc"),
    "image/jp2",
    _starts(b"\x00\x00\x00\x0cjP  \r\n\x87\n", b"\xff\x4f\xff\x51"),
    becomes=("jpg", "png"),
)
TGA = Format("tga", "Targa", ("tga", "icb", "vda", "vst"), "image/x-tga", _targa, becomes=("png", "jpg"))
QOI = Format("qoi", "QOI", ("qoi",), "image/qoi", _starts(b"qoif"), becomes=("png", "jpg"))
PCX = Format(
    "pcx",
    "PCX",
    ("pcx",),
    "image/vnd.zbrush.pcx",
    _starts(b"\x0a\x00", b"\x0a\x02", b"\x0a\x03", b"\x0a\x05"),
    becomes=("png", "jpg"),
)
DDS = Format(
    "dds", "DirectDraw surface", ("dds",), "image/vnd-ms.dds", _starts(b"DDS \x7c\x00\x00\x00"), becomes=("png", "jpg")
)
ICNS = Format("icns", "Apple icon", ("icns",), "image/icns", _starts(b"icns"), becomes=("png", "jpg"))
PPM = Format(
    "ppm", "PPM, PGM or PBM", ("ppm", "pgm", "pbm", "pnm"), "image/x-portable-anymap", _anymap, becomes=("png", "jpg")
)
SGI = Format(
    "sgi",
    "SGI picture",
    ("sgi", "rgb", "rgba", "bw"),
    "image/sgi",
    _starts(b"\x01\xda\x00", b"\x01\xda\x01"),
    becomes=("png", "jpg"),
)
JXL = Format(
    "jxl",
    "JPEG XL",
    ("jxl",),
    "image/jxl",
    _starts(b"\xff\x0a", b"\x00\x00\x00\x0cJXL \x0d\x0a\x87\x0a"),
    becomes=("jpg", "png"),
)
RAW = Format(
    "raw",
    "Camera raw",
    ("dng", "cr2", "cr3", "nef", "arw", "orf", "rw2", "raf", "pef", "srw", "raw"),
    "image/x-dcraw",
    _camera_raw,
    becomes=("jpg", "png"),
)
SVG = Format("svg", "SVG", ("svg", "svgz"), "image/svg+xml", _text, gzipped=True, becomes=("png", "jpg"))
EMF = Format(
    "emf",
    "EMF",
    ("emf", "emz"),
    "image/emf",
    lambda head: head[:4] == b"\x01\0\0\0" and head[40:44] == b" EMF",
    gzipped=True,
    becomes=("svg", "png"),
)
WMF = Format(
    "wmf",
    "WMF",
    ("wmf", "wmz"),
    "image/wmf",
    _starts(b"\xd7\xcd\xc6\x9a", b"\x01\0\x09\0", b"\x02\0\x09\0"),
    gzipped=True,
    becomes=("svg", "png"),
)
SRT = Format("srt", "SubRip subtitles", ("srt",), "application/x-subrip", _text, listed="video", becomes=("vtt",))
VTT = Format("vtt", "WebVTT subtitles", ("vtt", "webvtt"), "text/vtt", _text, listed="video", becomes=("srt",))
ASS = Format("ass", "SubStation Alpha subtitles", ("ass", "ssa"), "text/x-ssa", _text, listed="video", becomes=("srt",))
SUB = Format("sub", "MicroDVD subtitles", ("sub",), "text/x-microdvd", _text, listed="video", becomes=("srt",))
TTML = Format(
    "ttml", "TTML subtitles", ("ttml", "dfxp", "itt"), "application/ttml+xml", _text, listed="video", becomes=("srt",)
)
CBZ = Format("cbz", "Comic book", ("cbz",), "application/vnd.comicbook+zip", _ZIP, becomes=("pdf",))
MOBI = Format(
    "mobi", "Mobipocket book", ("mobi", "prc", "azw"), "application/x-mobipocket-ebook", _palm, becomes=("epub", "pdf")
)
AZW3 = Format("azw3", "Kindle book", ("azw3", "kf8"), "application/vnd.amazon.ebook", _palm, becomes=("epub", "pdf"))
ZIP = Format("zip", "ZIP archive", ("zip",), "application/zip", _ZIP, listed="archives", becomes=("pdf", "tgz"))
TTF = Format(
    "ttf",
    "TrueType font",
    ("ttf",),
    "font/ttf",
    _starts(b"\x00\x01\x00\x00", b"true", b"OTTO", b"ttcf"),
    becomes=("woff2", "otf"),
)
OTF = Format(
    "otf",
    "OpenType font",
    ("otf",),
    "font/otf",
    _starts(b"OTTO", b"\x00\x01\x00\x00", b"true", b"ttcf"),
    becomes=("ttf",),
)
WOFF = Format("woff", "WOFF font", ("woff",), "font/woff", _starts(b"wOFF"), becomes=("ttf",))
WOFF2 = Format("woff2", "WOFF2 font", ("woff2",), "font/woff2", _starts(b"wOF2"), becomes=("ttf",))
EML = Format("eml", "Email message", ("eml",), "message/rfc822", _text, listed="mail", becomes=("pdf", "html"))
MSG = Format(
    "msg", "Outlook message", ("msg", "oft"), "application/vnd.ms-outlook", _OLE, listed="mail", becomes=("pdf", "html")
)
MBOX = Format("mbox", "Mailbox", ("mbox", "mbx"), "application/mbox", _text, listed="mail", becomes=("pdf", "html"))
TAR = Format("tar", "tar archive", ("tar",), "application/x-tar", _tar, listed="archives", becomes=("zip",))
TGZ = Format(
    "tgz",
    "tar archive, gzip",
    ("tar.gz", "tgz"),
    "application/gzip",
    _starts(b"\x1f\x8b"),
    listed="archives",
    becomes=("zip",),
)
TBZ2 = Format(
    "tbz2",
    "tar archive, bzip2",
    ("tar.bz2", "tbz2", "tbz"),
    "application/x-bzip2",
    _starts(b"BZh"),
    listed="archives",
    becomes=("zip",),
)
TXZ = Format(
    "txz",
    "tar archive, xz",
    ("tar.xz", "txz"),
    "application/x-xz",
    _starts(b"\xfd7zXZ\x00"),
    listed="archives",
    becomes=("zip",),
)
TZST = Format(
    "tzst",
    "tar archive, Zstandard",
    ("tar.zst", "tzst"),
    "application/zstd",
    _starts(b"\x28\xb5\x2f\xfd"),
    listed="archives",
    becomes=("zip",),
)
SEVEN_ZIP = Format(
    "7z",
    "7z archive",
    ("7z",),
    "application/x-7z-compressed",
    _starts(b"7z\xbc\xaf\x27\x1c"),
    listed="archives",
    becomes=("zip",),
)
_OGG = _starts(b"OggS")
_ASF = _starts(b"\x30\x26\xb2\x75\x8e\x66\xcf\x11")
_EBML = _starts(b"\x1a\x45\xdf\xa3")
_PROGRAM_STREAM = _starts(b"\0\0\1\xba", b"\0\0\1\xb3")
MP3 = Format("mp3", "MP3", ("mp3", "mp2", "mpga"), "audio/mpeg", _mpeg_audio, becomes=("wav",))
M4A = Format("m4a", "M4A", ("m4a", "m4b", "m4r"), "audio/mp4", _movie, becomes=("mp3",))
AAC = Format("aac", "AAC", ("aac", "adts"), "audio/aac", _adts, becomes=("mp3",))
OGG = Format("ogg", "Ogg", ("ogg", "oga"), "audio/ogg", _OGG, becomes=("mp3",))
OPUS = Format("opus", "Opus", ("opus",), "audio/opus", _OGG, becomes=("mp3",))
FLAC = Format("flac", "FLAC", ("flac",), "audio/flac", _starts(b"fLaC", b"ID3"), becomes=("mp3",))
WAV = Format(
    "wav",
    "WAV",
    ("wav", "wave"),
    "audio/wav",
    lambda head: head[:4] in (b"RIFF", b"RF64") and head[8:12] == b"WAVE",
    becomes=("mp3",),
)
AIFF = Format(
    "aiff",
    "AIFF",
    ("aiff", "aif", "aifc"),
    "audio/aiff",
    lambda head: head[:4] == b"FORM" and head[8:12] in (b"AIFF", b"AIFC"),
    becomes=("mp3",),
)
WMA = Format("wma", "Windows Media Audio", ("wma",), "audio/x-ms-wma", _ASF, becomes=("mp3",))
AMR = Format("amr", "AMR", ("amr", "awb"), "audio/amr", _starts(b"#!AMR"), becomes=("mp3",))
MP4 = Format("mp4", "MP4 video", ("mp4", "m4v"), "video/mp4", _movie, becomes=("mp3", "webm"))
MOV = Format("mov", "QuickTime video", ("mov", "qt"), "video/quicktime", _movie, becomes=("mp4",))
MKV = Format("mkv", "Matroska video", ("mkv", "mka"), "video/matroska", _EBML, becomes=("mp4",))
WEBM = Format("webm", "WebM video", ("webm", "weba"), "video/webm", _EBML, becomes=("mp4",))
AVI = Format("avi", "AVI video", ("avi", "divx"), "video/vnd.avi", _riff(b"AVI "), becomes=("mp4",))
MPG = Format("mpg", "MPEG video", ("mpg", "mpeg", "vob"), "video/mpeg", _PROGRAM_STREAM, becomes=("mp4",))
MPEG_TS = Format("ts", "MPEG transport stream", ("ts", "m2ts", "mts"), "video/mp2t", _transport, becomes=("mp4",))
FLV = Format("flv", "Flash video", ("flv",), "video/x-flv", _starts(b"FLV\x01"), becomes=("mp4",))
WMV = Format("wmv", "Windows Media Video", ("wmv", "asf"), "video/x-ms-wmv", _ASF, becomes=("mp4",))
THREE_GP = Format("3gp", "3GPP video", ("3gp", "3g2", "3gpp"), "video/3gpp", _movie, becomes=("mp4",))
KML = Format(
    "kml", "KML", ("kml",), "application/vnd.google-earth.kml+xml", _text, listed="geo", becomes=("geojson", "csv")
)
GPX = Format("gpx", "GPX", ("gpx",), "application/gpx+xml", _text, listed="geo", becomes=("kml", "geojson"))
SHP = Format(
    "shp", "Shapefile in a ZIP", ("shp.zip",), "application/vnd.shp+zip", _ZIP, listed="geo", becomes=("geojson", "csv")
)
GPKG = Format(
    "gpkg",
    "GeoPackage",
    ("gpkg",),
    "application/geopackage+sqlite3",
    _starts(b"SQLite format 3\x00"),
    listed="geo",
    becomes=("geojson", "csv"),
)
FGB = Format(
    "fgb",
    "FlatGeobuf",
    ("fgb",),
    "application/vnd.flatgeobuf",
    _starts(b"fgb\x03fgb"),
    listed="geo",
    becomes=("geojson", "csv"),
)
STL = Format("stl", "STL", ("stl",), "model/stl", _stereolithography, becomes=("obj",))
OBJ = Format("obj", "Wavefront OBJ", ("obj",), "model/obj", _text, becomes=("stl",))
PLY = Format("ply", "PLY", ("ply",), "model/x-ply", _starts(b"ply\n", b"ply\r"), becomes=("stl",))
GLB = Format("glb", "glTF in one file", ("glb",), "model/gltf-binary", _starts(b"glTF"), becomes=("stl",))
OFF = Format("off", "OFF", ("off",), "model/x-off", _text, becomes=("stl",))
THREE_MF = Format("3mf", "3MF", ("3mf",), "model/3mf", _ZIP, becomes=("stl",))
APNG = Format("apng", "Animated PNG", ("apng",), "image/apng", _starts(b"\x89PNG\r\n\x1a\n"), becomes=("gif", "png"))

FORMATS: dict[str, Format] = {
    each.id: each
    for each in (
        JSON, NDJSON, CSV, TSV, XML, YAML, TOML, XLSX, XLSM, XLSB, XLS, ODS, PARQUET, SQLITE, ARROW, AVRO, ORC,
        GEOJSON, VCF, ICS, INI, PROPERTIES, ENV,
        IPYNB, LATEX, ORG, ASCIIDOC, TYPST, DOCBOOK, MEDIAWIKI, JIRA, TEXTILE, MAN, FB2,
        HTML, MHTML, WEBARCHIVE, HTMLZ, MARKDOWN, TXT, RST, DOCX, ODT, RTF, EPUB, PPTX, REVEALJS, DOC, PPT,
        ODP, ODG, PAGES, PDF,
        PNG, JPG, WEBP, AVIF, HEIC, GIF, BMP, TIFF, ICO, SVG, ZIP,
        TTF, OTF, WOFF, WOFF2, EML, MSG, MBOX, TAR, TGZ, TBZ2, TXZ, TZST, SEVEN_ZIP,
        SRT, VTT, ASS, SUB, TTML, CBZ, MOBI, AZW3, BIBTEX, RIS, CSLJSON, FEED, OPML,
        PSD, JP2, TGA, QOI, PCX, DDS, ICNS, PPM, SGI, JXL, RAW, EMF, WMF,
        MP3, M4A, AAC, OGG, OPUS, FLAC, WAV, AIFF, WMA, AMR,
        MP4, MOV, MKV, WEBM, AVI, MPG, MPEG_TS, FLV, WMV, THREE_GP, APNG,
        KML, GPX, SHP, GPKG, FGB, STL, OBJ, PLY, GLB, OFF, THREE_MF,
    )
}  # fmt: skip

_BY_NAME = {name: each for each in FORMATS.values() for name in (each.id, *each.extensions)}


def by_name(name: str) -> Format | None:
    """The format with this id or extension (case-insensitive, no dot), or None."""
    return _BY_NAME.get(name.lower())


def by_filename(filename: str) -> Format | None:
    """The format for the extension of `filename`, which may be double (`csv.gz`), or None."""
    stem, dot, extension = filename.rpartition(".")
    inner = stem.rpartition(".")[2]
    return (by_name(f"{inner}.{extension}") or by_name(extension)) if dot else None
