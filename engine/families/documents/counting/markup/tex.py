"""Separate the text of LaTeX from its commands, formulas, drawings and comments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from engine.families.documents.counting.markup.found import Found

_TOKEN = re.compile(
    r"%[^\n]*\n?|\\begin\s*\{([^{}\n]{1,60})\}|\\(?:verb|lstinline)\*?([^\w\s*{\[])(.*?)\2|\\([A-Za-z@]+)\*?|\\.|"
    r"\$\$?|[{}&~\[\]]",
    re.DOTALL,
)
_BODY = re.compile(r"^[^%\n]*?\\begin\s*\{document\}", re.MULTILINE)
_TITLE = re.compile(r"^[ \t]*\\title\s*(?=[\[{])", re.MULTILINE)
_DEFINES = frozenset({
    "newcommand", "renewcommand", "providecommand", "DeclareRobustCommand", "NewDocumentCommand", "def", "gdef", "edef",
    "xdef", "let", "newenvironment", "renewenvironment", "NewDocumentEnvironment", "newtheorem", "newif", "newcounter",
    "newlength", "newacronym", "newglossaryentry", "DeclareMathOperator", "titleformat", "newcolumntype",
})  # fmt: skip
_NAME = re.compile(r"\s*+(?:\*\s*+)?\{?\\?([A-Za-z@*]+)\}?[#\d\s]*")
_NEXT = re.compile(r"[ \t]*+(?:\n[ \t]*+)?+(?=[{\[])")
_FIRST_IS_TEXT = frozenset({
    "part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph", "emph", "textbf",
    "textit", "texttt", "textsc", "textsf", "textrm", "textup", "textsl", "textmd", "textnormal", "underline",
    "footnote", "footnotetext", "caption", "mbox", "fbox", "item", "enquote", "textsuperscript", "textsubscript",
    "title", "uppercase", "lowercase", "MakeUppercase", "framebox", "makebox", "centerline", "sout", "uline",
})  # fmt: skip
"""Commands that print the argument in their braces; options in brackets are ignored."""
_BEFORE_TEXT = {"href": 1, "textcolor": 1, "colorbox": 1, "multicolumn": 2, "multirow": 2, "parbox": 1, "raisebox": 1}
"""Commands that print their last argument, with the number of arguments before it."""
_SILENT = frozenset({
    "index", "usepackage", "RequirePackage", "documentclass", "hypersetup", "addcontentsline", "pdfbookmark",
    "markboth", "markright", "typeout", "message", "PackageWarning", "ClassError", "ClassWarning", "setmainfont",
    "setsansfont", "setmonofont", "nomenclature", "phantom", "hphantom", "vphantom", "hyphenation", "cite", "citep",
    "citet", "bibliography", "label", "author", "date", "thanks", "ensuremath", "input",
    "include", "SI", "num", "si", "lstset", "pagestyle", "fancyhead", "fancyfoot", "lhead", "rhead",
    "chead", "lfoot", "cfoot", "rfoot", "setlist", "geometry", "titlespacing", "chapterstyle", "bibliographystyle",
})  # fmt: skip
"""Commands that print nothing where they are, or formulas."""
_FORMULAS = frozenset({
    "math", "displaymath", "equation", "align", "alignat", "flalign", "gather", "multline", "eqnarray", "dmath",
    "IEEEeqnarray", "array", "subequations", "CD", "prooftree", "mathpar",
})  # fmt: skip
_DRAWINGS = frozenset({
    "tikzpicture", "tikzcd", "pgfpicture", "picture", "axis", "pspicture", "forest", "comment", "filecontents",
    "circuitikz", "asy", "luacode", "feynmandiagram",
})  # fmt: skip
_VERBATIM = frozenset({"verbatim", "Verbatim", "lstlisting", "minted", "alltt", "BVerbatim", "SaveVerbatim"})
_PROSE = re.compile(r"(?=[^=\\|#&]*+\Z).*?[^\W\d_]{2}[.,;:!?]?[ \n]++[^\W\d_]{2}", re.DOTALL)
"""Two words beside each other, and nothing of options, keys or columns."""
_COMMAND = re.compile(r"\\[A-Za-z@]+\*?|[{}]")
_CONDITION = re.compile(r"\\(if(?!thenelse\b)[a-zA-Z@]*|fi)(?![a-zA-Z@])")
_CLOSES = {"{": "}", "[": "]"}


def read(text: str) -> Found:
    """Return the text of the body, and the title in the preamble; a file without a body is a part of a document."""
    found = Found()
    if body := _BODY.search(text):
        defined = _scan(text[: body.start()], Found())
        for title in _TITLE.finditer(text, 0, body.start()):
            _scan(text[title.end() : _after(text, title.end())], found, defined)
        _scan(text[body.end() :].partition("\\end{document}")[0], found, defined)
    else:
        _scan(text, found)
    found.spellings += ("".join(found.text), _COMMAND.sub("", text))  # a command may begin inside of a word
    return found


def _scan(text: str, found: Found, defined: frozenset[str] = frozenset()) -> frozenset[str]:
    """Collect the text, and return the names of the commands it defines, whose arguments may end up anywhere."""
    own = {*defined}
    at = 0
    while token := _TOKEN.search(text, at):
        found.text.append(text[at : token.start()])
        at = token.end()
        environment, name = token[1], token[4]
        if environment is not None:
            at = _environment(text, at, environment, found)
        elif token[2] is not None:
            found.text.append(token[3])
        elif name is not None:
            if name in _DEFINES:
                if named := _NAME.match(text, at):
                    own.add(named[1])
                    at = named.end()
                at = _past_groups(text, at)
            else:
                at = _command(text, at, name, found, own)
        elif token[0] in ("$", "$$"):
            end = text.find(token[0], at)
            at = len(text) if end < 0 else end + len(token[0])
        elif token[0] in ("\\(", "\\["):
            end = text.find("\\)" if token[0] == "\\(" else "\\]", at)
            at = len(text) if end < 0 else end + 2
    found.text.append(text[at:])
    return frozenset(own)


def _environment(text: str, at: int, name: str, found: Found) -> int:
    plain = name.rstrip("*")
    if plain in _FORMULAS or plain in _DRAWINGS or plain in _VERBATIM:
        end = text.find(f"\\end{{{name}}}", at)
        end = len(text) if end < 0 else end
        if plain in _VERBATIM:
            found.text.append(text[_past_groups(text, at) : end])
        return end
    return _past_groups(text, at)


def _command(text: str, at: int, name: str, found: Found, defined: set[str]) -> int:
    if name in ("footnote", "includegraphics"):
        found.notes += name == "footnote"
        found.pictures += name == "includegraphics" and "//" not in text[at : _past_groups(text, at)]
    if name in ("href", "url"):
        found.links += bool(re.match(r"\s*\{\s*(?:https?|mailto):", text[at : at + 40]))
    if name.startswith("if") and name != "ifthenelse":
        return _after_condition(text, at)
    if name in defined:
        return _past_groups(text, at)
    if name in _FIRST_IS_TEXT:
        return _past_options(text, at)
    if name == "texorpdfstring":  # its second argument is for the bookmarks of a PDF alone
        end = _past_groups(text, at)
        for printed in islice(_groups(text, at, end), 1):
            _scan(printed, found, frozenset(defined))
        return end
    if name in _BEFORE_TEXT:
        for _ in range(_BEFORE_TEXT[name]):
            at = _after(text, _past_options(text, at))
        return _past_options(text, at)
    end = _past_groups(text, at)
    if name not in _SILENT:
        for said in _groups(text, at, end):
            if _PROSE.match(_COMMAND.sub(" ", said)):
                _scan(said, found, frozenset(defined))
    return end


def _groups(text: str, at: int, end: int) -> Iterator[str]:
    """What is in each pair of braces that follows a command, but not in its brackets."""
    while at < end and (following := _NEXT.match(text, at)):
        start, at = following.end(), _after(text, following.end())
        if text[start] == "{":
            yield text[start + 1 : at - 1]


def _after_condition(text: str, at: int) -> int:
    depth = 1
    for each in _CONDITION.finditer(text, at):
        depth += -1 if each[1] == "fi" else 1
        if not depth:
            return each.end()
    return len(text)


def _past_options(text: str, at: int) -> int:
    while at < len(text) and text[at] == "[":
        at = _after(text, at)
    return at


def _past_groups(text: str, at: int) -> int:
    """Return the offset after all following groups in braces and brackets."""
    while True:
        following = _NEXT.match(text, at)
        if following is None:
            return at
        at = _after(text, following.end())


def _after(text: str, at: int) -> int:
    """Return the offset after the group that opens here; `at` if none does."""
    if at >= len(text) or text[at] not in _CLOSES:
        return at
    opens, closes, depth = text[at], _CLOSES[text[at]], 0
    for place in range(at, len(text)):
        if text[place] in (opens, closes) and text[place - 1 : place] != "\\":
            depth += 1 if text[place] == opens else -1
            if not depth:
                return place + 1
    return len(text)
