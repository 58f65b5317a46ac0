"""The style sheet that every page starts from, as browsers have theirs."""

from __future__ import annotations

from xhtml2pdf.default import DEFAULT_CSS

BASE_STYLES = (
    DEFAULT_CSS
    + """
html { font-family: sans-serif; font-size: 12pt; line-height: 120%; overflow-wrap: break-word }
h1 { font-size: 2em; margin: 0.67em 0 }
h2 { font-size: 1.5em; margin: 0.83em 0 }
h3 { font-size: 1.17em }
h5 { font-size: 0.83em }
h6 { font-size: 0.67em }
h1, h2, h3, h4, h5, h6 { page-break-after: avoid }
pre, code, kbd, samp, tt { font-family: monospace }
noscript { display: block }
"""
)
