"""The style sheet that every page starts from, as browsers have theirs."""

from __future__ import annotations

from xhtml2pdf.default import DEFAULT_CSS

BASE_STYLES = (
    DEFAULT_CSS
    + """
html { font-family: sans-serif; font-size: 12pt; line-height: 120%; overflow-wrap: break-word }
article, aside, details, figcaption, figure, footer, header, hgroup, legend, main, nav, search, section, summary,
optgroup, option, caption, address { display: block }
h1 { font-size: 2em; margin: 0.67em 0 }
h2 { font-size: 1.5em; margin: 0.83em 0 }
h3 { font-size: 1.17em }
h5 { font-size: 0.83em }
h6 { font-size: 0.67em }
h1, h2, h3, h4, h5, h6 { page-break-after: avoid }
ul, ol { margin-top: 1em; margin-bottom: 1em }
ul ul, ul ol, ol ul, ol ol { margin-top: 0; margin-bottom: 0 }
dl { margin: 1em 0 }
dd { margin-left: 40px }
blockquote, figure { margin: 1em 40px }
caption { text-align: center; page-break-after: avoid }
q::before { content: "\\201C" }
q::after { content: "\\201D" }
td, th { padding: 1px 2px }
pre, code, kbd, samp, tt { font-family: monospace }
cite, dfn, var { font-style: italic }
address { font-style: italic }
mark { background-color: #ffff00 }
small { font-size: 83% }
ins, del { color: inherit }
a { color: inherit; text-decoration: none }
a:link { color: #0000ee; text-decoration: underline }
noscript { display: block }
template, datalist { display: none }
"""
)
