"""The entry types and fields of BibTeX and BibLaTeX, mapped to those of CSL."""

from __future__ import annotations

TYPES = {
    "article": "article-journal", "book": "book", "booklet": "pamphlet", "inbook": "chapter", "incollection":
    "chapter", "inproceedings": "paper-conference", "phdthesis": "thesis", "techreport": "report", "unpublished":
    "manuscript", "online": "webpage", "patent": "patent", "dataset": "dataset", "software": "software",
    "misc": "document",
}  # fmt: skip
OTHER_TYPES = {
    "conference": "paper-conference", "mastersthesis": "thesis", "thesis": "thesis", "proceedings": "book",
    "manual": "book", "collection": "book", "report": "report", "electronic": "webpage", "www": "webpage",
    "inreference": "entry-encyclopedia", "periodical": "periodical", "mvbook": "book",
}  # fmt: skip
FIELDS = {
    "title": "title", "shorttitle": "title-short", "journal": "container-title", "journaltitle": "container-title",
    "booktitle": "container-title", "volume": "volume", "number": "issue", "pages": "page", "pagetotal":
    "number-of-pages", "chapter": "chapter-number", "edition": "edition", "publisher": "publisher", "school":
    "publisher", "institution": "publisher", "organization": "publisher", "address": "publisher-place", "location":
    "publisher-place", "series": "collection-title", "doi": "DOI", "isbn": "ISBN", "issn": "ISSN", "url": "URL",
    "note": "note", "annote": "annote", "abstract": "abstract", "keywords": "keyword", "language": "language",
    "type": "genre", "version": "version", "pmid": "PMID", "eventtitle": "event-title",
}  # fmt: skip
NUMBERED = {"report", "patent", "standard", "book"}
"""Entry types whose number is their own, rather than that of an issue."""
GENRES = {"phdthesis": "PhD thesis", "mastersthesis": "Master’s thesis"}
PEOPLE = {"author": "author", "editor": "editor", "translator": "translator"}
VERBATIM = {"url", "doi", "eprint", "file"}
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
