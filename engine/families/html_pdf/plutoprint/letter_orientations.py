"""Which letters stand upright in vertical text, and which lie on their side (Unicode Vertical Text Layout, UAX 50)."""

from __future__ import annotations

import re

_LYING = (
    "\u2329\u232a\u3008-\u3011\u3014-\u301f\u3030\u30a0\u30fc\ufe59-\ufe5e\uff08\uff09"
    "\uff1a\uff1b\uff3b\uff3d\uff3f\uff5b-\uff60\uffe3"
)
"""Letters that lie on their side where a font has no vertical form (UAX 50, Tr)."""
_STANDING = (
    "\u00a7\u00a9\u00ae\u00b1\u00bc-\u00be\u00d7\u00f7\u02ea\u02eb\u1401-\u167f\u2016\u2020\u2021\u2030\u2031"
    "\u203b\u203c\u2042\u2047-\u2049\u2051\u2100\u2101\u2103-\u2109\u210f\u2113\u2114\u2116\u2117\u211e-\u2123"
    "\u2125\u2127\u2129\u212e\u2135-\u213f\u2145-\u214a\u214c\u214d\u214f-\u2189\u218c-\u218f\u221e\u2234\u2235"
    "\u2300-\u2307\u230c-\u231f\u2324-\u2328\u232b\u237d-\u239a\u23be-\u23cd\u23cf\u23d1-\u23db\u23e2-\u2422"
    "\u2424-\u24ff\u25a0-\u2619\u2620-\u2767\u2776-\u2793\u2b12-\u2b2f\u2b50-\u2b59\u2b97\u2bb8-\u2bff\u2e50\u2e51"
    "\u2e80-\u3007\u3012\u3013\u3020-\u302f\u3031-\u309f\u30a1-\u30fb\u30fd-\ua4cf\ua960-\ua97f\uac00-\ufaff"
    "\ufe10-\ufe1f\ufe30-\ufe48\ufe50-\ufe57\ufe5f-\ufe62\ufe67-\ufe6f\uff01-\uff07\uff0a-\uff0c\uff0e-\uff19"
    "\uff1f-\uff3a\uff3c\uff3e\uff40-\uff5a\uffe0-\uffe2\uffe4-\uffe7\U0001f000-\U0001f1e5\U0001f202-\U0001f7ff"
    "\U0001f900-\U0001faff\U00020000-\U0003fffd"
)
"""Letters that stand upright, and those that do so in other forms or at another place (UAX 50, U and Tu)."""
STANDING, LYING = re.compile(f"[{_STANDING}]"), re.compile(f"[{_LYING}]")
UPRIGHT = re.compile(f"[{_STANDING}{_LYING}]+")
"""Texts whose letters are set in a font of their own."""
