"""Tasks for PDF files."""

from __future__ import annotations

from conversions.pages.tasks.task import CHOOSING_ORDER, TURNS, Field, Gathering, Task, pairs

_PAGES = Field("pages", "Which pages", "Leave empty for all, or list pages such as 1-3, 7.")
_ORGANIZER = "organize-pdf"
_PASSWORD = Field("password", "Password of the file", "Only if it asks for one when you open it.")
_LANGUAGE = Field(
    "language",
    "Language of the text",
    "Only for scanned pages: eng for English, deu for German.",
)
_PHOTOS = ("jpg", "png", "heic", "webp", "tiff", "gif", "bmp", "avif")
_SIZE = {"A4": "A4", "Letter": "Letter", "picture": "As large as each picture"}

TASKS = (
    Task(
        "compress-pdf",
        "Compress PDF",
        "Make a PDF small enough to email or upload.",
        "PDF",
        ("pdf-to-pdf",),
        "smaller",
        fields=(
            Field(
                "level",
                "How small",
                "Pictures are reduced to what a screen or printer can show. Text stays sharp.",
                "screen",
                {
                    "screen": "Smallest, to read on a screen",
                    "print": "Smaller, still good on paper",
                    "archive": "Visually lossless",
                },
            ),
            _PASSWORD,
        ),
        sets={"operation": "compress"},
        asked=(
            (
                "Will it look worse?",
                (
                    "Text and drawings stay as they are. Photos lose detail that a screen at full size "
                    "does not show; with the last choice nothing that can be seen is lost."
                ),
            ),
            (
                "Why is my file hardly smaller?",
                ("It is mostly text, or its pictures were already small. The result is never larger than your file."),
            ),
        ),
        called="shrink reduce smaller size optimise optimize make pdf small lighter minimise mb kb",
    ),
    Task(
        "merge-pdf",
        "Merge PDF",
        "Combine several PDFs and pictures in one PDF, in your order.",
        "PDF",
        ("zip-to-pdf",),
        "merge",
        fields=(
            Field("pageSize", "Pages for pictures", "PDF pages keep their size.", "A4", _SIZE),
            Field("bookmarks", "A bookmark for each file", "Readers show them beside the pages."),
            _PASSWORD,
        ),
        asked=(
            CHOOSING_ORDER,
            (
                "Can I send a ZIP?",
                (
                    "Yes. Its PDFs and pictures become one PDF in the order of their names, so that 2-report.pdf comes "
                    "before 10-appendix.pdf. Other files in it are left out and listed."
                ),
            ),
        ),
        gathers=Gathering("zip-to-pdf", ("pdf", *_PHOTOS)),
        see=_ORGANIZER,
        called="join combine unite together one file append bind",
    ),
    Task(
        _ORGANIZER,
        "Organise PDF pages",
        "Reorder, rotate, delete, insert and split pages by their thumbnails, in one PDF or several.",
        "PDF",
        ("zip-to-pdf",),
        "turn",
        fields=(
            Field(
                "pages",
                "Pages in order",
                "File and page, such as 1:3, 1:1-2r90, 2:4-. A semicolon starts a new PDF. Leave empty for all pages.",
            ),
            Field("password", "Password of the files", "Only if they ask for one. The result opens without it."),
        ),
        asked=(
            (
                "Do the thumbnails cost anything?",
                "No. You only pay for the result, no matter how often you change the pages.",
            ),
            (
                "How do I insert pages?",
                "Add another PDF or picture. Its pages come after the page that you selected, or at the end.",
            ),
            (
                "How do I split a PDF?",
                "Select the last page of each part and choose “Split after”. The parts come in a ZIP.",
            ),
        ),
        gathers=Gathering(
            "zip-to-pdf",
            ("pdf", "jpg", "png", "webp", "heic"),
            sets={"bookmarks": "false"},
            least=1,
            script="organize.js",
        ),
        called="organize organise reorder sort arrange move pages thumbnails insert delete remove split rotate extract",
    ),
    Task(
        "split-pdf",
        "Split PDF",
        "Cut a PDF into several, by pages, by ranges, by size or by its chapters.",
        "PDF",
        ("pdf-to-zip",),
        "split",
        fields=(
            Field(
                "by",
                "Where to cut",
                "",
                "count",
                {
                    "count": "After a number of pages",
                    "ranges": "At the ranges below",
                    "size": "When a part gets too large",
                    "outline": "At each chapter of its outline",
                },
            ),
            Field("every", "Pages in each part", "For the first choice."),
            Field("pages", "Ranges", "For the second choice: 1-3, 4-10 gives two files."),
            Field("megabytes", "Largest part, in MB", "For the third choice."),
            _PASSWORD,
        ),
        sets={"take": "pages"},
        asked=(
            ("What do I get?", "A ZIP with one PDF for each part. Links and bookmarks inside a part keep working."),
        ),
        see=_ORGANIZER,
        called="cut separate divide extract pages apart",
    ),
    Task(
        "rotate-pdf",
        "Rotate PDF",
        "Rotate all or some pages permanently.",
        "PDF",
        ("pdf-to-pdf",),
        "turn",
        fields=(Field("angle", "Rotate by", "", "90", TURNS), _PAGES, _PASSWORD),
        sets={"operation": "rotate"},
        asked=(("Is anything else changed?", "No. Text stays text, and nothing is compressed again."),),
        see=_ORGANIZER,
        called="turn orientation sideways landscape portrait upside",
    ),
    Task(
        "extract-pdf-pages",
        "Extract PDF pages",
        "Keep only the pages you list, in that order.",
        "PDF",
        ("pdf-to-pdf",),
        "cut",
        fields=(
            Field("pages", "Which pages to keep", "For example 1, 3-5. You choose the order: 5, 1 puts page 5 first."),
            _PASSWORD,
        ),
        sets={"operation": "pages"},
        asked=(("Can I delete pages with it?", "Yes: list all the others. 1-4, 6-20 leaves out page 5 of twenty."),),
        see=_ORGANIZER,
        called="delete remove pages reorder sort arrange select keep",
    ),
    Task(
        "crop-pdf",
        "Crop PDF",
        "Crop white margins, or any part of the page you don't need.",
        "PDF",
        ("pdf-to-pdf",),
        "cut",
        fields=(
            Field("margins", "Cut off", "Millimetres at the top, right, bottom and left.", "10,10,10,10"),
            _PAGES,
            _PASSWORD,
        ),
        sets={"operation": "crop"},
        asked=(
            (
                "Is what I cut off really gone?",
                "No, it is only hidden, as in every PDF program. To remove something permanently, redact it.",
            ),
        ),
        called="trim margins cut white border",
    ),
    Task(
        "number-pdf-pages",
        "Number PDF pages",
        "Write page numbers on every page, where and how you like them.",
        "PDF",
        ("pdf-to-pdf",),
        "becomes",
        fields=(
            Field("text", "Text", "{page} and {pages} become the numbers.", "{page} / {pages}"),
            Field("startAt", "First number", ""),
            Field(
                "position",
                "Where",
                "",
                "bottomCenter",
                {
                    "bottomCenter": "Bottom, in the middle",
                    "bottomRight": "Bottom right",
                    "bottomLeft": "Bottom left",
                    "topCenter": "Top, in the middle",
                    "topRight": "Top right",
                    "topLeft": "Top left",
                },
            ),
            _PASSWORD,
        ),
        sets={"operation": "number"},
        called="add page numbers bates paginate footer",
    ),
    Task(
        "watermark-pdf",
        "Watermark PDF",
        "Write a word such as DRAFT or your name across every page.",
        "PDF",
        ("pdf-to-pdf",),
        "covered",
        fields=(
            Field("watermarkText", "Text", "In any script.", "DRAFT"),
            Field("watermarkOpacity", "How strong", "From 0.05 (barely visible) to 1."),
            _PASSWORD,
        ),
        sets={"operation": "watermark"},
        called="stamp draft confidential overlay logo text over",
    ),
    Task(
        "redact-pdf",
        "Redact PDF",
        "Remove names, numbers or words from a PDF so that nobody can recover them.",
        "PDF",
        ("pdf-to-pdf",),
        "covered",
        fields=(
            Field("redactText", "Words to redact", "One per line, ignoring case."),
            Field("redactPattern", "Pattern", "A regular expression: \\d{4} \\d{4} removes numbers like 1234 5678."),
            _PASSWORD,
        ),
        sets={"operation": "redact"},
        asked=(
            (
                "Is it really gone?",
                (
                    "Yes. The letters are removed from the page, its notes, fields, bookmarks and hidden "
                    "data, and the result is searched for them before you get it."
                ),
            ),
        ),
        called="black out censor hide remove sensitive anonymise anonymize privacy",
    ),
    Task(
        "protect-pdf",
        "Protect PDF",
        "Lock a PDF with a password (AES, 256 bits).",
        "PDF",
        ("pdf-to-pdf",),
        "locked",
        fields=(
            Field(
                "userPassword",
                "New password",
                "Needed to open the file. We don't store it: without it, nobody can open the file.",
            ),
            Field(
                "allow",
                "Readers can",
                "",
                "all",
                {"all": "Everything", "print": "Read and print", "none": "Only read"},
            ),
            _PASSWORD,
        ),
        sets={"operation": "encrypt"},
        called="encrypt lock password secure",
    ),
    Task(
        "unlock-pdf",
        "Unlock PDF",
        "Remove the password from a PDF you can open.",
        "PDF",
        ("pdf-to-pdf",),
        "opened",
        fields=(
            Field(
                "password",
                "Password",
                "You don't need a password for files that open without one but restrict printing or copying.",
            ),
        ),
        sets={"operation": "decrypt"},
        asked=(("Can you open it without the password?", "No. Nobody can, if the password is strong."),),
        called="decrypt remove password restriction open",
    ),
    Task(
        "repair-pdf",
        "Repair PDF",
        "Open damaged PDFs and save everything that can still be read.",
        "PDF",
        ("pdf-to-pdf",),
        "cleaned",
        fields=(_PASSWORD,),
        sets={"operation": "repair"},
        called="fix damaged broken corrupt recover",
    ),
    Task(
        "flatten-pdf",
        "Flatten PDF",
        "Make form values, notes and signatures part of the page, so that they can't be changed by accident.",
        "PDF",
        ("pdf-to-pdf",),
        "merge",
        fields=(_PASSWORD,),
        sets={"operation": "flatten"},
        called="form fields annotations print lock in",
    ),
    Task(
        "pdf-to-pdfa",
        "PDF to PDF/A",
        "Make a PDF for long-term storage, as required by authorities and archives (PDF/A-2b).",
        "PDF",
        ("pdf-to-pdf",),
        "locked",
        fields=(_PASSWORD,),
        sets={"operation": "archive"},
        called="archive pdfa long term iso 19005",
    ),
    Task(
        "ocr-pdf",
        "Make a scan searchable",
        "Add a text layer to scanned pages, so that you can search, select and copy the text.",
        "PDF",
        ("pdf-to-pdf",),
        "read",
        fields=(
            _LANGUAGE,
            Field("deskew", "Straighten pages that are tilted", ""),
            Field("rotatePages", "Rotate sideways pages", ""),
            _PASSWORD,
        ),
        sets={"operation": "compress", "ocr": "auto"},
        asked=(
            (
                "Does the page look different?",
                ("No. The picture stays, with invisible text behind it. Pages that already have text are not changed."),
            ),
        ),
        called="ocr scan text recognition searchable recognise recognize image",
    ),
    Task(
        "pdf-to-word",
        "PDF to Word",
        ("Get a Word document you can edit, with headings, lists, tables and pictures, not just pictures of pages."),
        "PDF",
        ("pdf-to-docx",),
        "becomes",
        fields=(
            Field(
                "layout",
                "What matters more",
                "",
                "flow",
                {"flow": "Easy to edit: running text", "exact": "Looks the same: text in frames"},
            ),
            _PAGES,
            _LANGUAGE,
            _PASSWORD,
        ),
        asked=(
            ("Are tables kept?", "Yes, as Word tables, with or without lines between cells."),
            ("What about scans?", "We recognise their text, and list pages that could not be read well."),
        ),
        called="doc docx edit editable word pdf2word",
    ),
    Task(
        "pdf-to-excel",
        "PDF to Excel",
        "Extract the tables from a PDF, with numbers you can add up.",
        "PDF",
        ("pdf-to-xlsx",),
        "becomes",
        fields=(
            Field(
                "sheets",
                "Sheets",
                "",
                "perTable",
                {"perTable": "One for each table", "perPage": "One for each page", "one": "All on one"},
            ),
            _PAGES,
            _LANGUAGE,
            _PASSWORD,
        ),
        called="xls xlsx spreadsheet table extract invoice statement",
    ),
    Task(
        "pdf-to-powerpoint",
        "PDF to PowerPoint",
        "Each page becomes a slide with text and pictures that you can move.",
        "PDF",
        ("pdf-to-pptx",),
        fields=(_PAGES, _PASSWORD),
        called="ppt pptx slides presentation",
    ),
    Task(
        "pdf-to-jpg",
        "PDF to JPG",
        "Each page becomes a picture.",
        "PDF",
        ("pdf-to-jpg",),
        fields=(
            Field("dpi", "Sharpness, in dots per inch", "150 is good on screens, 300 on paper."),
            _PAGES,
            Field(
                "several",
                "Several pages",
                "",
                "zip",
                {"zip": "A ZIP with a picture for each", "long": "One long picture"},
            ),
            _PASSWORD,
        ),
        called="jpeg image picture photo screenshot",
    ),
    Task(
        "pdf-to-markdown",
        "PDF to Markdown for language models",
        "Get clean text with headings, lists and tables in reading order, for AI assistants and search indexes.",
        "PDF",
        ("pdf-to-markdown",),
        fields=(
            Field(
                "images",
                "Pictures",
                "",
                "drop",
                {"drop": "Leave out", "zip": "In a ZIP beside the text", "embed": "Inside the text"},
            ),
            Field("pageMarks", "Mark where each page starts", ""),
            _PAGES,
            _LANGUAGE,
            _PASSWORD,
        ),
        called="llm ai chatgpt rag md text markdown",
    ),
    Task(
        "jpg-to-pdf",
        "Pictures to PDF",
        "Combine photos and scans in one PDF, in your order, without recompressing JPEGs.",
        "PDF",
        (*pairs(" ".join(_PHOTOS), "pdf"), "zip-to-pdf"),
        fields=(
            Field(
                "pageSize",
                "Page",
                "",
                "picture",
                {"picture": "As large as the picture", "A4": "A4", "Letter": "Letter"},
            ),
            Field("margin", "Margin, in millimetres", ""),
        ),
        asked=(
            CHOOSING_ORDER,
            (
                "Can I send a ZIP?",
                "Yes. Its pictures become one PDF in the order of their names.",
            ),
        ),
        gathers=Gathering(
            "zip-to-pdf", _PHOTOS, sets={"bookmarks": "false"}, least=1, apart="One PDF for each picture"
        ),
        called="image photo png jpeg heic scan picture combine several",
    ),
)
