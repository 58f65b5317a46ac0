"""Which CSS properties PlutoPrint knows, and which others say nothing on paper."""

from __future__ import annotations

KNOWN = frozenset((
    "-pluto-lang", "-pluto-page-scale", "additive-symbols", "align-content", "align-items", "align-self",
    "alignment-baseline", "background", "background-attachment", "background-clip", "background-color",
    "background-image", "background-origin", "background-position", "background-repeat", "background-size",
    "baseline-shift", "block-size", "border", "border-block", "border-block-color", "border-block-end",
    "border-block-end-color", "border-block-end-style", "border-block-end-width", "border-block-start",
    "border-block-start-color", "border-block-start-style", "border-block-start-width", "border-block-style",
    "border-block-width", "border-bottom", "border-bottom-color", "border-bottom-left-radius",
    "border-bottom-right-radius", "border-bottom-style", "border-bottom-width", "border-collapse", "border-color",
    "border-end-end-radius", "border-end-start-radius", "border-horizontal-spacing", "border-inline",
    "border-inline-color", "border-inline-end", "border-inline-end-color", "border-inline-end-style",
    "border-inline-end-width", "border-inline-start", "border-inline-start-color", "border-inline-start-style",
    "border-inline-start-width", "border-inline-style", "border-inline-width", "border-left", "border-left-color",
    "border-left-style", "border-left-width", "border-radius", "border-right", "border-right-color",
    "border-right-style", "border-right-width", "border-spacing", "border-start-end-radius",
    "border-start-start-radius", "border-style", "border-top", "border-top-color", "border-top-left-radius",
    "border-top-right-radius", "border-top-style", "border-top-width", "border-vertical-spacing", "border-width",
    "bottom", "box-sizing", "break-after", "break-before", "break-inside", "caption-side", "clear", "clip",
    "clip-path", "clip-rule", "color", "column-break-after", "column-break-before", "column-break-inside",
    "column-count", "column-fill", "column-gap", "column-rule", "column-rule-color", "column-rule-style",
    "column-rule-width", "column-span", "column-width", "columns", "content", "counter-increment", "counter-reset",
    "counter-set", "cx", "cy", "direction", "display", "dominant-baseline", "empty-cells", "fallback", "fill",
    "fill-opacity", "fill-rule", "flex", "flex-basis", "flex-direction", "flex-flow", "flex-grow", "flex-shrink",
    "flex-wrap", "float", "font", "font-family", "font-feature-settings", "font-kerning", "font-size",
    "font-stretch", "font-style", "font-variant", "font-variant-caps", "font-variant-east-asian",
    "font-variant-emoji", "font-variant-ligatures", "font-variant-numeric", "font-variant-position",
    "font-variation-settings", "font-weight", "gap", "height", "hyphens", "inline-size", "inset", "inset-block",
    "inset-block-end", "inset-block-start", "inset-inline", "inset-inline-end", "inset-inline-start",
    "justify-content", "left", "letter-spacing", "line-height", "list-style", "list-style-image",
    "list-style-position", "list-style-type", "margin", "margin-block", "margin-block-end", "margin-block-start",
    "margin-bottom", "margin-inline", "margin-inline-end", "margin-inline-start", "margin-left", "margin-right",
    "margin-top", "marker", "marker-end", "marker-mid", "marker-start", "mask", "mask-type", "max-block-size",
    "max-height", "max-inline-size", "max-width", "min-block-size", "min-height", "min-inline-size", "min-width",
    "mix-blend-mode", "negative", "object-fit", "object-position", "opacity", "order", "orphans", "outline",
    "outline-color", "outline-offset", "outline-style", "outline-width", "overflow", "overflow-wrap", "pad",
    "padding", "padding-block", "padding-block-end", "padding-block-start", "padding-bottom", "padding-inline",
    "padding-inline-end", "padding-inline-start", "padding-left", "padding-right", "padding-top", "page",
    "page-break-after", "page-break-before", "page-break-inside", "paint-order", "position", "prefix", "quotes",
    "r", "range", "right", "row-gap", "rx", "ry", "size", "src", "stop-color", "stop-opacity", "stroke",
    "stroke-dasharray", "stroke-dashoffset", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit",
    "stroke-opacity", "stroke-width", "suffix", "symbols", "system", "tab-size", "table-layout", "text-align",
    "text-anchor", "text-decoration", "text-decoration-color", "text-decoration-line", "text-decoration-style",
    "text-indent", "text-orientation", "text-overflow", "text-transform", "top", "transform", "transform-origin",
    "unicode-bidi", "unicode-range", "vector-effect", "vertical-align", "visibility", "white-space", "widows",
    "width", "word-break", "word-spacing", "writing-mode", "x", "y", "z-index",
))  # fmt: skip
"""The properties that PlutoBook 0.19 and later parse, and descriptors of @font-face and @counter-style."""

GRID = frozenset((
    "grid", "grid-area", "grid-auto-columns", "grid-auto-flow", "grid-auto-rows", "grid-column", "grid-column-end",
    "grid-column-gap", "grid-column-start", "grid-gap", "grid-row", "grid-row-end", "grid-row-gap",
    "grid-row-start", "grid-template", "grid-template-areas", "grid-template-columns", "grid-template-rows",
    "justify-items", "justify-self", "place-content", "place-items", "place-self",
))  # fmt: skip
"""What grids.py reads."""

RENAMED = {
    "word-wrap": "overflow-wrap", "overflow-x": "overflow", "overflow-y": "overflow", "grid-gap": "gap",
    "grid-row-gap": "row-gap", "grid-column-gap": "column-gap", "flex-align": "align-items",
}  # fmt: skip
"""Other names of known properties."""

WITHOUT_EFFECT = frozenset((
    "cursor", "pointer-events", "user-select", "will-change", "resize", "touch-action", "caret-color",
    "accent-color", "appearance", "contain", "content-visibility", "backface-visibility", "scroll-behavior",
    "overscroll-behavior", "scrollbar-width", "scrollbar-color", "scrollbar-gutter", "color-scheme",
    "print-color-adjust", "color-adjust", "text-rendering", "text-size-adjust", "font-smooth", "font-display",
    "font-optical-sizing", "font-synthesis", "isolation", "image-rendering", "speak", "animation", "transition",
    "src", "unicode-range", "inherits", "syntax", "initial-value", "forced-color-adjust", "overflow-anchor",
    "interpolate-size", "text-wrap", "text-wrap-style", "bleed", "marks", "hyphenate-character", "transform-style",
    "perspective", "text-justify", "font-size-adjust", "container-type", "container-name", "container",
    "text-decoration-skip-ink", "text-underline-position", "mso-line-height-rule", "overscroll-behavior-x",
    "overscroll-behavior-y", "text-spacing-trim", "zoom", "page-orientation", "orphans", "widows", "line-break",
    "ascent-override", "descent-override", "line-gap-override", "size-adjust", "shape-rendering",
    "color-interpolation", "color-rendering", "enable-background", "color-interpolation-filters", "behavior",
))  # fmt: skip
"""Nothing of these can be seen on paper."""

WITHOUT_EFFECT_BEGINNINGS = (
    "--", "-webkit-", "-moz-", "-ms-", "-o-", "-pdf-", "-fx-", "-inkscape-", "-sodipodi-", "mso-", "animation-",
    "transition-", "scroll-", "view-",
)  # fmt: skip

UNSAID = frozenset(("none", "auto", "normal", "initial", "inherit", "unset", "revert", "revert-layer", "0", "visible"))
"""Values that say no more than if they were not written."""
