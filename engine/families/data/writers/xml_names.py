"""Valid XML names of elements and attributes (XML 1.0, 2.3; Namespaces in XML, 4)."""

from __future__ import annotations

import re

_NAME_START = (
    r"A-Z_a-z\xC0-\xD6\xD8-\xF6\xF8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C-\u200D\u2070-\u218F\u2C00-\u2FEF"
    + (r"\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\U00010000-\U000EFFFF")
)
_NAME_REST = _NAME_START + r"\-.0-9\xB7\u0300-\u036F\u203F-\u2040"
NAME = re.compile(f"[{_NAME_START}][{_NAME_REST}]*(?::[{_NAME_START}][{_NAME_REST}]*)?")
"""A valid element or attribute name; a colon separates the namespace prefix."""
NOT_IN_NAME = re.compile(f"[^{_NAME_REST}]")
STARTS_NAME = re.compile(f"[{_NAME_START}]")
