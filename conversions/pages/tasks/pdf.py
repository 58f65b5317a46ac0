"""Tasks for PDF files."""

from __future__ import annotations

from conversions.pages.tasks.task import CHOOSING_ORDER, TURNS, Field, Gathering, Task, pairs

_PAGES = Field("pages", "Which pages", "All of them, unless you name some, such as 1-3, 7.")
_ORGANIZER = "organize-pdf"
_PASSWORD = Field("password", "Password of the file", "Only if it asks for one when you open it.")
_LANGUAGE = Field(
    "language",
    "Language of the text",
    "Only for pages that are pictures, such as scans: eng for English, deu for German.",
)
_PHOTOS = ("jpg", "png", "heic", "webp", "tiff", "gif", "bmp", "avif")
_SIZE = {"A4": "A4", "Letter": "Letter", "picture": "As large as each picture"}

TASKS = (
    Task(
        "compress-pdf",
        "Compress PDF",
        "Make a PDF small enough to mail or upload.",
        "PDF",
        ("pdf-to-pdf",),
        "smaller",
        fields=(
            Field(
                "level",
                "How small",
                "Pictures are brought down to what a screen or a printer can show; text stays sharp text.",
                "screen",
                {
                    "screen": "Smallest, to read on a screen",
                    "print": "Smaller, still good on paper",
                    "archive": "Nothing that can be seen is lost",
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
                (
                    "There was little to save: it is mostly text, or its "
                    "pictures were already small. The result is never larger than your file."
                ),
            ),
        ),
        called="shrink reduce smaller size optimise optimize make pdf small lighter minimise mb kb",
    ),
    Task(
        "merge-pdf",
        "Merge PDF",
        "Put several PDFs and pictures into one PDF, in your order.",
        "PDF",
        ("zip-to-pdf",),
        "merge",
        fields=(
            Field("pageSize", "Pages for pictures", "PDF pages keep the size that they have.", "A4", _SIZE),
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
                "No. You pay for the result only, however often you change the pages.",
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
                    "count": "After every so many pages",
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
        "Turn pages that lie on their side, all of them or only some, for good.",
        "PDF",
        ("pdf-to-pdf",),
        "turn",
        fields=(Field("angle", "Turn by", "", "90", TURNS), _PAGES, _PASSWORD),
        sets={"operation": "rotate"},
        asked=(("Is anything else changed?", "No. Text stays text, and nothing is compressed again."),),
        see=_ORGANIZER,
        called="turn orientation sideways landscape portrait upside",
    ),
    Task(
        "extract-pdf-pages",
        "Extract PDF pages",
        "Keep the pages that you name, in the order in which you name them.",
        "PDF",
        ("pdf-to-pdf",),
        "cut",
        fields=(
            Field("pages", "Which pages to keep", "Such as 1, 3-5; the order is yours: 5, 1 puts page 5 first."),
            _PASSWORD,
        ),
        sets={"operation": "pages"},
        asked=(("Can I delete pages with it?", "Yes: name all the others. 1-4, 6-20 leaves out page 5 of twenty."),),
        see=_ORGANIZER,
        called="delete remove pages reorder sort arrange select keep",
    ),
    Task(
        "crop-pdf",
        "Crop PDF",
        "Crop the white margins of pages, or any part that you don't need.",
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
                "No, it is only out of sight, as in every PDF program. To take something out for good, redact it.",
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
            Field("watermarkOpacity", "How strong", "From 0.05, hardly seen, to 1."),
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
            Field("redactText", "Words to redact", "One a line, in any letter case."),
            Field("redactPattern", "Pattern", "A regular expression: \\d{4} \\d{4} takes out such numbers."),
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
                "Asked for when the file is opened. We don't keep it: without it nobody can open the file.",
            ),
            Field(
                "allow",
                "Whoever opens it may",
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
        "Remove the password from a PDF that you can open.",
        "PDF",
        ("pdf-to-pdf",),
        "opened",
        fields=(
            Field(
                "password",
                "Password",
                "A file that opens without a password, but can't be printed or copied from, needs none here.",
            ),
        ),
        sets={"operation": "decrypt"},
        asked=(("Can you open it without the password?", "No. Nobody can, as long as the password is a good one."),),
        called="decrypt remove password restriction open",
    ),
    Task(
        "repair-pdf",
        "Repair PDF",
        "Open what other programs call damaged, and save all that can still be read.",
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
        "Make filled fields, notes and signatures part of the page, so that they can't be changed by accident.",
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
        "Make a PDF for long-term storage, as authorities and archives ask for (PDF/A-2b).",
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
        "Read the text in scanned pages and lay it under the picture: search it, mark it, copy it.",
        "PDF",
        ("pdf-to-pdf",),
        "read",
        fields=(
            _LANGUAGE,
            Field("deskew", "Straighten pages that are tilted", ""),
            Field("rotatePages", "Turn pages that lie on their side", ""),
            _PASSWORD,
        ),
        sets={"operation": "compress", "ocr": "auto"},
        asked=(
            (
                "Does the page look different?",
                (
                    "No. The picture stays, and the text lies under it, unseen. Pages that have text "
                    "already are left alone."
                ),
            ),
        ),
        called="ocr scan text recognition searchable recognise recognize image",
    ),
    Task(
        "pdf-to-word",
        "PDF to Word",
        (
            "Get a Word document that you can go on writing in: headings, lists, tables and pictures, not "
            "a picture of a page."
        ),
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
            ("Are tables kept?", "Yes, as tables of Word, with and without lines between the cells."),
            ("What about scans?", "Their text is recognised. Pages that could not be read well are listed."),
        ),
        called="doc docx edit editable word pdf2word",
    ),
    Task(
        "pdf-to-excel",
        "PDF to Excel",
        "Take the tables out of a PDF, with numbers that you can add up.",
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
        "Clean text with headings, lists and tables in reading order: what an assistant or a search index needs.",
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
            Field("pageMarks", "Say where each page begins", ""),
            _PAGES,
            _LANGUAGE,
            _PASSWORD,
        ),
        called="llm ai chatgpt rag md text markdown",
    ),
    Task(
        "jpg-to-pdf",
        "Pictures to PDF",
        "Put photos and scans into one PDF, in your order, without compressing JPEGs again.",
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
