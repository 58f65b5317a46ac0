"""Tasks for documents, slides, mails and books."""

from __future__ import annotations

from conversions.pages.tasks.task import Field, Task, pairs

_PAPER = Field("pageSize", "Paper", "A4, Letter or another size. Leave empty to use the document's own size.")

TASKS = (
    Task(
        "word-to-pdf",
        "Word to PDF",
        "As it looks in Word, with its fonts, tables, headers, footers and page numbers.",
        "Documents",
        pairs("docx doc odt rtf", "pdf"),
        asked=(
            (
                "What if my fonts are uncommon?",
                (
                    "Similar fonts with the same widths are used, so that "
                    "lines and pages stay the same. The result lists them."
                ),
            ),
        ),
        called="doc docx document print writer",
    ),
    Task(
        "powerpoint-to-pdf",
        "PowerPoint to PDF",
        "Get one page per slide, to send or print.",
        "Documents",
        pairs("pptx ppt odp", "pdf"),
        called="ppt slides presentation keynote impress",
    ),
    Task(
        "excel-to-pdf",
        "Excel to PDF",
        "Convert sheets to pages, with number formats and colours.",
        "Documents",
        pairs("xlsx xls ods", "pdf"),
        called="xls spreadsheet print calc",
    ),
    Task(
        "html-to-pdf",
        "HTML to PDF",
        "Convert a web page or invoice to a PDF with page numbers, links and bookmarks.",
        "Documents",
        ("html-to-pdf",),
        fields=(
            _PAPER,
            Field(
                "orientation",
                "Orientation",
                "",
                "auto",
                {"auto": "As the page says", "portrait": "Portrait", "landscape": "Landscape"},
            ),
            Field("headerText", "At the top of each page", ""),
            Field("footerText", "At the foot of each page", ""),
        ),
        asked=(
            (
                "Are pictures from the web loaded?",
                (
                    "No. We don't load anything, to protect your privacy. Save the page with its pictures "
                    "embedded, and they appear in the PDF."
                ),
            ),
        ),
        called="webpage website print htm url save page",
    ),
    Task(
        "word-to-markdown",
        "Word to Markdown",
        "Get text with headings, lists, tables and links, for a wiki, a repository or an AI assistant.",
        "Documents",
        pairs("docx odt rtf", "markdown"),
        called="doc md llm wiki readme",
    ),
    Task(
        "markdown-to-word",
        "Markdown to Word",
        "Convert notes and READMEs to a document with real headings, lists and tables.",
        "Documents",
        ("markdown-to-docx",),
        called="md doc docx",
    ),
    Task(
        "markdown-to-pdf",
        "Markdown to PDF",
        "Get a printable page with code, tables and pictures.",
        "Documents",
        ("markdown-to-pdf",),
        fields=(_PAPER,),
        called="md readme print",
    ),
    Task(
        "mail-to-pdf",
        "Email to PDF",
        "Convert an email with its headers, pictures and a list of attachments.",
        "Documents",
        pairs("eml msg", "pdf"),
        fields=(
            Field(
                "attachments",
                "Attachments",
                "",
                "list",
                {"list": "Name them", "zip": "Put them beside it, in a ZIP", "drop": "Leave them out"},
            ),
        ),
        called="email outlook eml msg message archive",
    ),
    Task(
        "kindle-to-epub",
        "Kindle to EPUB",
        "Convert your own Kindle books for other readers.",
        "Books and more",
        pairs("mobi azw3", "epub"),
        asked=(
            (
                "Can you open purchased books?",
                "Not if they have copy protection (DRM). We tell you, and you aren't charged.",
            ),
        ),
        called="mobi azw3 ebook book amazon",
    ),
    Task(
        "comic-to-pdf",
        "Comic to PDF",
        "Convert the pages of a CBZ to a PDF without recompression.",
        "Books and more",
        ("cbz-to-pdf",),
        called="cbz manga book",
    ),
    Task(
        "web-fonts",
        "Font for a website",
        "Convert a TrueType or OpenType font to WOFF2, with only the characters you need.",
        "Books and more",
        pairs("ttf otf", "woff2"),
        "smaller",
        fields=(Field("subset", "Only these letters", "Leave empty for all."),),
        called="woff2 ttf otf webfont subset font face",
    ),
    Task(
        "subtitles",
        "Subtitles to SRT",
        "Subtitles that every player can read, moved in time if they run late.",
        "Books and more",
        pairs("vtt ass sub ttml srt", "srt"),
        fields=(Field("shift", "Shift by, in seconds", "Later with 1.5, earlier with -1.5."),),
        called="vtt ass srt captions sync delay shift",
    ),
)
