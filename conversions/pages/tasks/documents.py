"""Tasks for documents, slides, mails and books."""

from __future__ import annotations

from conversions.pages.tasks.task import Field, Task, pairs

_PAPER = Field("pageSize", "Paper", "A4, Letter or another; what the document says, if you leave it empty.")

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
        "A page for each slide, to send or print.",
        "Documents",
        pairs("pptx ppt odp", "pdf"),
        called="ppt slides presentation keynote impress",
    ),
    Task(
        "excel-to-pdf",
        "Excel to PDF",
        "Sheets as pages, with their number formats and colours.",
        "Documents",
        pairs("xlsx xls ods", "pdf"),
        called="xls spreadsheet print calc",
    ),
    Task(
        "html-to-pdf",
        "HTML to PDF",
        "A web page or invoice as a PDF with page numbers, links and bookmarks.",
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
                    "No. Nothing is fetched, so that nobody learns of your file. Save the page with its "
                    "pictures inside, and they are in the PDF."
                ),
            ),
        ),
        called="webpage website print htm url save page",
    ),
    Task(
        "word-to-markdown",
        "Word to Markdown",
        "Text with headings, lists, tables and links, for a wiki, a repository or an assistant.",
        "Documents",
        pairs("docx odt rtf", "markdown"),
        called="doc md llm wiki readme",
    ),
    Task(
        "markdown-to-word",
        "Markdown to Word",
        "Notes and READMEs as a document with real headings, lists and tables.",
        "Documents",
        ("markdown-to-docx",),
        called="md doc docx",
    ),
    Task(
        "markdown-to-pdf",
        "Markdown to PDF",
        "A page that looks printed, with code, tables and pictures.",
        "Documents",
        ("markdown-to-pdf",),
        fields=(_PAPER,),
        called="md readme print",
    ),
    Task(
        "mail-to-pdf",
        "Mail to PDF",
        "A mail with its header, its pictures and the list of what was attached.",
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
        "Books of your own from a Kindle, for every other reader.",
        "Books and more",
        pairs("mobi azw3", "epub"),
        asked=(
            (
                "Can you open bought books?",
                "Not if they are locked by their seller (DRM); then we say so, and it costs nothing.",
            ),
        ),
        called="mobi azw3 ebook book amazon",
    ),
    Task(
        "comic-to-pdf",
        "Comic to PDF",
        "The pages of a CBZ as a PDF, none of them compressed again.",
        "Books and more",
        ("cbz-to-pdf",),
        called="cbz manga book",
    ),
    Task(
        "web-fonts",
        "Font for a website",
        "A TrueType or OpenType font as WOFF2, with only the letters that you need.",
        "Books and more",
        pairs("ttf otf", "woff2"),
        "smaller",
        fields=(Field("subset", "Only these letters", "All of them, if you leave it empty."),),
        called="woff2 ttf otf webfont subset font face",
    ),
    Task(
        "subtitles",
        "Subtitles to SRT",
        "Subtitles that every player can read, moved in time if they run late.",
        "Books and more",
        pairs("vtt ass sub ttml srt", "srt"),
        fields=(Field("shift", "Move by, in seconds", "Later with 1.5, earlier with -1.5."),),
        called="vtt ass srt captions sync delay shift",
    ),
)
