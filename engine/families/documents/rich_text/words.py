"""Tokenise RTF (1.9.1) and classify its control words."""

from __future__ import annotations

import re

TOKEN = re.compile(r"\\([a-zA-Z]+)(-?\d{1,10})? ?|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\", re.DOTALL)
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
DEEPEST = 5_000
TABLES = ("fonts", "colours", "styles")
CHARACTERS = {
    "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "bullet": "•",
    "emspace": "\u2003", "enspace": "\u2002", "qmspace": "\u2005", "zwj": "\u200d", "zwnj": "\u200c",
    "ltrmark": "\u200e", "rtlmark": "\u200f",
}  # fmt: skip
SYMBOLS = {"~": "\u00a0", "_": "\u2011", "-": "\u00ad", "\\": "\\", "{": "{", "}": "}"}
BREAKS = {"line": "", "page": "page", "column": "column", "lbr": ""}
SKIPPED = frozenset((
    "themedata", "colorschememapping", "latentstyles", "datastore", "rsidtbl", "xmlnstbl", "listtable",
    "listoverridetable", "revtbl", "filetbl", "operator", "creatim", "revtim", "printim", "buptim", "doccomm",
    "comment", "company", "manager", "category", "keywords", "hlinkbase", "ftnsep", "ftnsepc", "ftncn",
    "aftnsep", "aftnsepc", "aftncn", "xe", "tc", "tcn", "txe", "rxe", "template", "wgrffmtfilter", "panose", "falt",
    "pgdsctbl", "generator", "nonesttables", "nonshppict", "objdata", "objclass", "objname", "shprslt", "do",
    "datafield", "formfield", "fontemb", "fontfile", "atnid", "atrfstart", "atrfend", "atndate", "atntime", "atnref",
    "atnparent", "bkmkend", "pnseclvl", "userprops", "docvar", "passwordhash", "protusertbl", "oldcprops",
    "oldpprops", "oldtprops", "oldsprops", "background", "sn", "mmathPr", "mctrlPr", "svb", "pgp", "picprop",
    "blipuid", "pnaseq", "pntxta", "pntxtb", "upr", "hsv", "linkval", "propname", "staticval", "private",
    "stylesheetx",
))  # fmt: skip
STARRED = frozenset((
    "shppict", "shpinst", "footnote", "annotation", "bkmkstart", "fldinst", "nesttableprops", "listtext", "pntext",
    "moMath", "mmath", "atnauthor", "shptxt", "ud",
))  # fmt: skip
NOTES = {"footnote": "footnote", "annotation": "comment"}
