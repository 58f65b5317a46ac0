"""The control words of RTF 1.9.1 whose loss is not visible; other unsupported ones are reported."""

from __future__ import annotations

import re

UNSEEN = frozenset((
    "ab", "abinodiroverride", "additive", "adeff", "adeflang", "adjustright", "aenddoc", "aendnotes", "af",
    "afelev", "afs", "aftnnalc", "aftnnar", "aftnnauc", "aftnnrlc", "aftnnruc", "aftnrestart", "aftnrstcont",
    "aftnstart", "ai", "alang", "allowfieldendsel", "alntblind", "ansi", "ansicpg", "asianbrkrule", "aspalpha",
    "aspnum", "bdbfhdr", "binfsxn", "binr", "binsxn", "brdrcf", "brkfrm", "cachedcolbal", "cgrid", "charrsid",
    "chatn", "chbgbdiag", "chcfpat", "chftn", "chftnsep", "chftnsepc", "chshdng", "collapsed", "contextualspace",
    "cpg", "crauth", "crdate", "cvmme", "dbch", "defformat", "deflang", "deflangfe", "deftab", "delrsid",
    "dntblnsbdb", "doctemp", "doctype", "donotembedlingdata", "donotembedsysfont", "ds", "endnhere",
    "enforceprot", "expnd", "expshrtn", "faauto", "facenter", "facingp", "fafixed", "fahang", "faroman", "favar",
    "fbidis", "fcharset", "fcs", "felnbrelev", "fet", "flddirty", "fldedit", "fldlock", "fldpriv", "fldrslt",
    "formprot", "formshade", "fprq", "fracwidth", "fromhtml", "fromtext", "ftnbj", "ftnlytwnine", "ftnnalc",
    "ftnnar", "ftnnrlc", "ftnrestart", "ftnrstcont", "ftnrstpg", "ftnstart", "ftntj", "grfdocevents", "hich",
    "horzdoc", "htmlrtf", "hwelev", "hyphauto", "hyphcaps", "hyphconsec", "hyphhotz", "hyphpar",
    "ignoremixedcontent", "ilfomacatclnup", "ilvl", "indmirror", "indrlsweleven", "insrsid", "irow", "irowband",
    "jcompress", "jexpand", "kerning", "keycode", "krnprsnet", "lang", "langfe", "langfenp", "langnp", "lastrow",
    "linex", "linkself", "linkstyles", "lisa", "lisb", "list", "listid", "listname", "listtemplateid",
    "lnbrkrule", "lndscpsxn", "lnongrid", "loch", "ltrch", "ltrdoc", "ltrrow", "ltrsect", "lytexcttp",
    "lytprtmet", "mac", "makebackup", "margmirror", "msmcap", "newtblstyruls", "nextfile", "noafcnsttbl",
    "nobrkwrptbl", "nocolbal", "nocompatoptions", "nocxsptable", "noextrasprl", "nofeaturethrottle",
    "nogrowautofit", "noindnmbrts", "nojkernpunct", "nolead", "nolnhtadjtbl", "noproof", "noqfpromote",
    "nosnaplinegrid", "nospaceforul", "nospaceforul", "notbrkcnstfrctbl", "notcvasp", "notvatxbx", "nouicompat",
    "noultrlspc", "nowrap", "noxlattoyen", "objattph", "objautlink", "objemb", "objh", "objlink", "objscalex",
    "objscaley", "objsetsize", "objupdate", "objw", "oldas", "oldlinewrap", "otblrul", "outlinelevel", "overlay",
    "pararsid", "pardeftab", "pc", "pca", "pgbrdrfoot", "pgbrdrhead", "pgbrdropt", "pgbrdrsnap", "pgncont",
    "pgndec", "pgnx", "pgny", "prcolbl", "private", "protlevel", "psover", "psz", "qnatural", "readprot",
    "relyonvml", "remdttm", "rempersonalinfo", "result", "revauth", "revauthdel", "revbar", "revdttm",
    "revdttmdel", "revisions", "revprop", "rsid", "rsidroot", "rsltbmp", "rsltpict", "rsltrtf", "rtf", "rtlch",
    "rtlrow", "rtlsect", "sa", "saauto", "sautoupd", "saveinvalidxml", "sbasedon", "sbauto", "sbys",
    "sectdefaultcl", "sectlinegrid", "sectrsid", "sectunlocked", "sftnbj", "shidden", "showplaceholdtext",
    "showxmlerrors", "slink", "slocked", "snaptogridincell", "snext", "spersonal", "spltpgpar", "splytwnine",
    "spriority", "sprsbsp", "sprslnsp", "sprsspbf", "sprsspbf", "sprstsm", "sprstsp", "sqformat", "sscharaux",
    "ssemihidden", "sste", "stylrsid", "styrsid", "subdocument", "subfontbysize", "sunhideused", "swpbdr",
    "tblind", "tblindtype", "tblrsid", "tlhyph", "toplinepunct", "trackformatting", "trackmoves", "transmf",
    "truncatefontheight", "ts", "twoonone", "uc", "ulc", "useltbaln", "usenormstyforlist", "utinl", "validatexml",
    "viewbksp", "viewh", "viewkind", "viewnobound", "viewscale", "vieww", "viewzk", "widowctl", "widowctrl",
    "wpprheadfoot", "wrapdefault", "wraptrsp", "wrppunct", "yts",
))  # fmt: skip

_UNSEEN_BEGINNINGS = re.compile(
    r"(?:dg(?:h|v|margin)|cl(?:fts|w|pad|txlrtb|vertalt|shdrawnil|cbpatraw|fit|no)"
    r"|tr(?:fts|w|pad|autofit|ql|gaph|spd|auth|date)"
    r"|tbllk|stshf|themelang|lyt|level|list|ts|pn|cocoa|blip|pic|wmetafile|macpict|rsid"
    r"|mm|mailmerge|ftn|aftn|atn|bkmk|shp|dp)"
)
"""Hints of Word's own layout, of tables, lists and styles that are read where they are defined, and of shapes."""


def is_unseen(word: str) -> bool:
    return word in UNSEEN or _UNSEEN_BEGINNINGS.match(word) is not None
