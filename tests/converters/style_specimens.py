"""What each declaration of CSS is tried on: small pages where it shows if an engine obeys it."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

from PIL import Image

from engine.toolkit.data_uris import data_uri

_DRAWING = data_uri(
    "image/svg+xml",
    b'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="20" height="20" fill="red"/>'
    b'<circle cx="30" cy="10" r="9" fill="blue"/></svg>',
)


def _pixels() -> bytes:
    made, target = Image.new("RGB", (8, 4), "red"), io.BytesIO()
    made.paste((0, 0, 255), (4, 0, 8, 4))
    made.save(target, "PNG")
    return target.getvalue()


_PICTURE = data_uri("image/png", _pixels())
_WORDS = "Some words of a text in a box, <b>bold ones</b> and <i>others</i>, that go on for more than a line of it."
_ITEMS = "<div class=i>one</div><div class='i x'>two<br>lines</div><div class=i>three words here</div>"
_PARAGRAPHS = "".join(f"<p>Paragraph {number}: {_WORDS}</p>" for number in range(12))
_CELLS = "<tr><th>Head<th>Longer head</tr><tr><td>1<td>2</tr><tr><td><td>a long cell of words</tr>"
_VECTOR = (
    "<svg width=200 height=100 viewBox='0 0 200 100'><defs><marker id=m markerWidth=6 markerHeight=6 refX=3 refY=3>"
    "<circle cx=3 cy=3 r=3 fill=green /></marker><mask id=k><rect width=80 height=60 fill=white /></mask>"
    "<clipPath id=c><circle cx=60 cy=40 r=30 /></clipPath><linearGradient id=g><stop class=s offset=.3 />"
    "<stop offset=1 stop-color=red /></linearGradient><filter id=f><feGaussianBlur stdDeviation=4 /></filter></defs>"
    "<rect x=10 y=10 width=120 height=60 fill='url(#g)' stroke=black stroke-width=0 />"
    "{shape}</svg>"
)

CONTEXTS = {
    "box": f"<style>.a{{border:2px solid #888;background:#def;@}}</style><div class=a>{_WORDS}</div><p>after",
    "backed": f"<style>.a{{border:9px dashed #888;padding:9px;width:300px;height:120px;background-image:url('{_DRAWING}');background-repeat:no-repeat;@}}</style><div class=a>{_WORDS}</div>",
    "text": f"<style>.a{{width:220px;@}}</style><p>before</p><div class=a>{_WORDS} <u>under</u> ffi 1/2 0123</div><p>after",
    "long": "<style>.a{width:90px;border:1px solid;@}</style><div class=a lang=de>Donau&shy;dampf&shy;schiff fahrt "
    "Krankenversicherungsgesellschaften extraordinariness abcdefghijklmnopqrstuvwxyz</div>",
    "line": f"<style>.a{{width:150px;border:1px solid;overflow:hidden;white-space:nowrap;@}}</style><div class=a>{_WORDS}</div>",
    "asian": "<style>.a{width:180px;@}</style><div lang=ja class=a>\u65e5\u672c\u8a9e\u306e\u6587\u7ae0\u3001\u7e26\u66f8\u304d"
    "\u300c\u3059\u308b\u300d\u6587\u3002\u6b21\u306e\u6587\u3067\u3059\uff08ABC\uff09123\u3002</div>",
    "mixed": "<style>.a{@}</style><p class=a>abc \u05d0\u05d1\u05d2 123, def <span class=a>(\u05d3\u05d4)</span> end.</p>",
    "floated": f"<style>.a{{width:80px;height:60px;background:#fc8;@}}</style><div class=a></div><p>{_WORDS}{_WORDS}</p>",
    "shaped": f"<style>.a{{width:80px;height:60px;background:#fc8;float:left;@}}</style><div class=a></div><p>{_WORDS}{_WORDS}</p>",
    "placed": "<style>.o{position:relative;width:300px;height:150px;background:#eee}.a{position:absolute;width:80px;height:40px;"
    "background:#8cf;@}</style><div class=o><div class=a>placed</div><div style='position:absolute;left:30px;"
    "top:30px;width:60px;height:60px;background:#f88;z-index:1'></div></div>",
    "over": f"<style>.a{{width:120px;height:40px;border:1px solid;@}}</style><div class=a>{_WORDS}</div>",
    "inline": "<style>.a{border:1px solid red;@}</style><p>before <span class=a>inline text</span> after <big><big>big</big></big></p>",
    "picture": f"<style>.a{{width:120px;height:120px;border:1px solid;@}}</style><p>x<img class=a src='{_DRAWING}'>y",
    "photo": f"<style>.a{{width:120px;height:120px;border:1px solid;object-fit:contain;@}}</style><p>x<img class=a src='{_PICTURE}'>y",
    "sized": f"<style>.a{{width:200px;padding:20px;border:5px solid;@}}</style><div class=a>{_WORDS}</div>",
    "kept": f"<style>.k{{line-height:40px;width:200px;@}}</style>{'<p>x</p>' * 24}<div class=k>{_WORDS * 2}</div>",
    "after": f"<style>.k{{@}}</style><div style='float:left;width:80px;height:90px;background:#fc8'></div><div class=k>{_WORDS}</div>",
    "ruled": f"<style>.a{{width:500px;columns:2;column-rule:1px solid;@}}</style><div class=a>{_PARAGRAPHS}</div>",
    "outlined": "<style>.a{outline:2px solid;@}</style><p class=a>text</p>",
    "under": "<style>.a{text-decoration:underline;font-size:30px;@}</style><p class=a>text of a line</p>",
    "tabbed": "<style>pre{@}</style><pre>a\tb</pre>",
    "wide": "<style>.o{display:flex;width:200px}.o div{background:#bdf}.x{@}</style><div class=o><div class=x>one two three four</div><div>five six seven eight</div></div>",
    "star": "<style>.a{@}</style><svg width=200 height=200><path class=a d='M100 10L160 190L10 70H190L40 190Z' fill=#8cf stroke=black stroke-dasharray='12 9' stroke-width=6 /></svg>",
    "list": "<style>.a{@}</style><ol class=a><li>one</li><li>two words<br>lines</li></ol><ul class=a><li>three</li></ul>",
    "table": f"<style>.a{{@}}td,th{{border:1px solid}}</style><table class=a border=1 width=300><caption>Title</caption>{_CELLS}</table>",
    "cell": f"<style>td,th{{border:1px solid;@}}</style><table border=1 width=300 height=200>{_CELLS}</table>",
    "flex": f"<style>.a{{display:flex;width:300px;height:150px;background:#eee;@}}.i{{background:#bdf;margin:2px}}</style><div class=a>{_ITEMS}</div>",
    "wrapped": f"<style>.a{{display:flex;flex-wrap:wrap;width:160px;height:200px;background:#eee;@}}.i{{background:#bdf;width:70px}}</style><div class=a>{_ITEMS}</div>",
    "item": f"<style>.o{{display:flex;width:300px;height:150px;background:#eee}}.i{{background:#bdf}}.x{{@}}</style><div class=o>{_ITEMS}</div>",
    "grid": f"<style>.a{{display:grid;grid-template-columns:100px 100px;width:300px;height:200px;background:#eee;@}}.i{{background:#bdf}}</style><div class=a>{_ITEMS}{_ITEMS}</div>",
    "area": f"<style>.o{{display:grid;grid-template-columns:90px 90px 90px;width:300px;background:#eee}}.i{{background:#bdf}}.x{{@}}</style><div class=o>{_ITEMS}{_ITEMS}</div>",
    "columns": f"<style>.a{{width:500px;columns:2;@}}</style><div class=a>{_PARAGRAPHS}</div>",
    "unparted": f"<style>.a{{width:500px;@}}</style><div class=a>{_PARAGRAPHS}</div>",
    "spanned": f"<style>.o{{width:500px;columns:2}}h3{{@}}</style><div class=o><p>{_WORDS}</p><h3>Heading</h3>{_PARAGRAPHS}</div>",
    "paged": f"<style>h3{{@}}.k{{height:150px;background:#eee;@}}</style><p>{_WORDS}</p><h3>Heading</h3><p>{_WORDS}</p>"
    + "<div class=k>block</div>" * 5
    + _PARAGRAPHS * 3,
    "lines": f"<style>p{{width:150px;line-height:30px;@}}</style>{_PARAGRAPHS * 2}",
    "sheet": f"<style>@page{{@}}</style><p>{_WORDS}</p>{_PARAGRAPHS * 2}",
    "margin": f"<style>@page{{@top-center{{content:'Head';@}}}}</style><p>{_WORDS}</p>",
    "before": f"<style>.a{{counter-reset:n 3;quotes:'<' '>'}}.a::before{{counter-increment:n;content:'B';@}}</style><p>x</p><p class=a id=p title=T>{_WORDS}</p><p class=a>y",
    "numbered": "<style>.o{counter-reset:n 3;@}p{counter-increment:n;@}p::before{content:counter(n) ' '}</style><div class=o><p>one<p>two</div>",
    "quoted": "<style>.a{@}</style><p class=a>He said <q>yes and <q>no</q></q></p>",
    "field": "<style>.a{@}</style><p><input class=a type=checkbox checked><input class=a value=typed><select class=a><option>one</select><button class=a>Go</button><progress class=a value=.5></progress>",
    "shape": "<style>.a{@}</style>" + _VECTOR.format(shape="<path class=a d='M20 20L100 80L180 20L150 90' fill=#8cf stroke=black stroke-width=4 />"),
    "rectangle": "<style>.a{@}</style>" + _VECTOR.format(shape="<rect class=a x=20 y=20 width=80 height=50 fill=#8cf />"),
    "circle": "<style>.a{@}</style>" + _VECTOR.format(shape="<circle class=a cx=70 cy=50 r=20 fill=#8cf />"),
    "stop": "<style>.s{@}</style>" + _VECTOR.format(shape=""),
    "masked": "<style>mask{@}</style>" + _VECTOR.format(shape="<rect mask='url(#k)' width=150 height=90 fill=green />"),
    "clipping": "<style>.a{@}</style>" + _VECTOR.format(shape="<clipPath id=q><path class=a d='M10 10H90V90H10V10ZM30 30H70V70H30Z'/></clipPath><rect clip-path='url(#q)' width=190 height=95 fill=green />"),
    "label": "<style>.a{@}</style>" + _VECTOR.format(shape="<text class=a x=60 y=60>Label <tspan class=a>part</tspan></text>"),
    "face": f"<style>p{{font-family:Nova,serif}}@font-face{{font-family:Nova;src:local('DejaVu Sans');@}}</style><p>{_WORDS}<b>bold</b>",
    "counter": "<style>@counter-style my{system:cyclic;symbols:'*' '+';suffix:') ';@}li{list-style:my}</style><ol><li>one<li>two<li>three</ol>",
    "turned": "<style>.o{perspective:200px}.a{width:100px;height:60px;background:#8cf;transform:rotate(20deg);@}</style><div class=o style='padding:40px'><div class=a>turned<div style='transform:translateZ(30px) rotateX(40deg);background:#fa0;width:50px;height:30px'></div></div></div>",
    "blended": "<style>.o{background:#fc0;padding:10px;width:200px}.a{background:#08f;height:60px;color:#fff;@}</style><div class=o><div class=a>over</div></div>",
    "link": f"<style>.a{{@}}</style><p><a class=a href=http://x.org/>A link</a> {_WORDS}",
}  # fmt: skip
"""Pages by what they have; `@` before a brace or semicolon stands where a declaration is tried."""


_MARK = re.compile("@(?=[};])")


@dataclass(frozen=True)
class Specimen:
    """A declaration, and the page on which it shows where it is obeyed."""

    context: str
    name: str
    value: str

    @property
    def without(self) -> str:
        return _MARK.sub("", CONTEXTS[self.context])

    @property
    def with_it(self) -> str:
        return _MARK.sub(lambda _: f"{self.name}:{self.value}", CONTEXTS[self.context])


_LENGTHS = "20px|3em|20%"
_COLOURS = (
    "red|#0a08|rgb(0 120 0)|hsl(200 80% 40%)|currentcolor|transparent|oklch(60% .2 30)|color-mix(in srgb, red, blue)"
)
_STYLES = "solid|dashed|dotted|double|groove|ridge|inset|outset|hidden"
_WIDTHS = "1px|5px|thin|thick"
_SIZES = "120px|50%|10em|min-content|max-content|fit-content|calc(50% - 20px)|min(50%, 100px)|stretch|fit-content(80px)"
_MARGINS = "20px|10%|-10px|auto"
_BREAKS = "auto|always|avoid|page|left|right|recto|verso|column|avoid-page|avoid-column|all"


def _sides(prefix: str, suffix: str, context: str, values: str) -> str:
    sides = (
        "top",
        "right",
        "bottom",
        "left",
        "block-start",
        "block-end",
        "inline-start",
        "inline-end",
        "block",
        "inline",
    )
    return "".join(f"{context};{prefix}{side}{suffix};{values}\n" for side in sides)


TABLE = (
    f"""
box;width;{_SIZES}
box;height;80px|50%|10em|min-content
box;inline-size;120px
box;block-size;120px
box;min-width;600px|fit-content
box;max-width;{_SIZES}
box;min-height;90px
over;max-height;20px
box;min-inline-size;900px
box;max-inline-size;90px
box;min-block-size;90px
over;max-block-size;20px
sized;box-sizing;border-box|content-box
box;margin;{_MARGINS}
sized;padding;40px|20%
box;border;3px solid red|5px double
box;border-width;{_WIDTHS}
box;border-style;{_STYLES}
box;border-color;{_COLOURS}
box;border-radius;{_LENGTHS}|20px / 5px
box;border-image;linear-gradient(red,blue) 10|url("{_DRAWING}") 5
box;border-image-source;linear-gradient(red,blue)
box;background;red|url("{_DRAWING}")|linear-gradient(red,blue)|linear-gradient(90deg,#f008,transparent),linear-gradient(blue,lime)
box;background-color;{_COLOURS}
box;background-image;url("{_DRAWING}")|linear-gradient(red,blue)|radial-gradient(red,blue)|conic-gradient(red,blue)|repeating-linear-gradient(red,blue 20px)|url("{_DRAWING}"),linear-gradient(red,blue)
box;color;{_COLOURS}
box;opacity;.5|50%
box;box-shadow;3px 3px 5px red|0 0 0 4px red|inset 0 0 5px red
box;filter;blur(3px)|grayscale(1)|drop-shadow(3px 3px 3px red)
box;backdrop-filter;blur(2px)
box;clip-path;circle(30%)|polygon(50% 0,100% 100%,0 100%)|inset(10px)
box;mask;linear-gradient(#000,transparent)|url("{_DRAWING}")
box;mask-image;linear-gradient(#000,transparent)
box;-webkit-mask-image;linear-gradient(#000,transparent)
box;zoom;.5|2
box;rotate;10deg
box;scale;.5
box;translate;20px 10px
turned;transform;rotate(10deg)|scale(.5)|translate(20px,10px)|skew(10deg)|matrix(1,0,.3,1,0,0)|rotateX(50deg)|perspective(100px) rotateY(30deg)|none
box;-webkit-transform;rotate(10deg)
turned;transform-origin;0 0|top left
turned;perspective;100px
turned;transform-style;preserve-3d
turned;backface-visibility;hidden
turned;offset-path;path("M0 0L80 80")
box;outline;3px solid red
outlined;outline-offset;5px
outlined;outline-color;red
outlined;outline-style;dashed
outlined;outline-width;9px
box;visibility;hidden|collapse
box;display;none|inline|inline-block|flex|inline-flex|grid|table|inline-table|list-item|contents|flow-root|table-cell|run-in
inline;display;block|inline-block|none|ruby|math|table-row
box;float;left|right|inline-start|inline-end
floated;float;left|right|inline-start|inline-end
shaped;shape-outside;circle(40%)
shaped;shape-margin;20px
box;contain;size|paint
box;content-visibility;hidden
box;aspect-ratio;1|4 / 1
picture;aspect-ratio;1
box;column-count;3
box;all;unset
box;initial-letter;2
placed;position;static|relative|fixed|sticky|absolute
floated;position;relative|absolute|fixed|sticky
placed;top;20px|20%|calc(50% - 10px)
placed;right;20px|20%
placed;bottom;20px
placed;left;20px
placed;inset;10px 20px
placed;inset-block;20px
placed;inset-block-start;20px
placed;inset-block-end;20px
placed;inset-inline;20px
placed;inset-inline-start;40px
placed;inset-inline-end;20px
placed;z-index;2|-1
placed;clip;rect(5px,40px,30px,5px)
placed;anchor-name;--a
over;overflow;hidden|scroll|auto|clip|visible
over;overflow-x;hidden|clip|scroll
over;overflow-y;hidden|clip|scroll
over;overflow-clip-margin;20px
over;resize;both
line;text-overflow;ellipsis|clip|"--"
text;-webkit-line-clamp;2
text;line-clamp;2
text;font;bold 20px serif|italic 1.2em/2 monospace|small-caps 16px serif
text;font-family;serif|monospace|Arial|cursive
text;font-size;20px|2em|150%|larger|x-large
text;font-style;italic|oblique
text;font-weight;bold|700|lighter|300
text;font-stretch;condensed|75%
text;font-variant;small-caps|all-small-caps
text;font-variant-caps;small-caps|all-small-caps|titling-caps
text;font-variant-numeric;oldstyle-nums|tabular-nums|diagonal-fractions|slashed-zero
text;font-variant-ligatures;none|no-common-ligatures
text;font-variant-position;super|sub
text;font-variant-alternates;historical-forms
text;font-variant-east-asian;full-width
asian;font-variant-east-asian;full-width|traditional
text;font-variant-emoji;emoji
text;font-feature-settings;"liga" 0|"smcp"|"frac"
text;font-variation-settings;"wght" 900
text;font-kerning;none
text;font-size-adjust;.8
text;font-synthesis;none
text;font-palette;dark
text;font-optical-sizing;none
text;letter-spacing;3px|.2em|20%
text;word-spacing;10px|1em
text;line-height;2|30px|200%
text;text-align;right|center|justify|end|match-parent|-webkit-center
text;text-align-last;right|justify
text;text-justify;inter-character
text;text-indent;30px|10%|-20px|30px hanging
text;text-decoration;underline|line-through|overline|underline wavy red|underline 3px
text;text-decoration-line;underline|line-through|overline
under;text-decoration-style;wavy|dotted|double|dashed
under;text-decoration-color;red
under;text-decoration-thickness;4px
under;text-underline-offset;6px
under;text-underline-position;under
under;text-decoration-skip-ink;none
text;text-transform;uppercase|lowercase|capitalize|full-width|math-auto
text;text-shadow;2px 2px 2px red
text;text-emphasis;dot red
text;text-emphasis-style;dot
asian;text-emphasis;filled sesame
text;-webkit-text-fill-color;red
text;-webkit-text-stroke;1px red
text;background-clip;text
text;white-space;nowrap|pre|pre-wrap|pre-line
text;white-space-collapse;preserve
text;text-wrap;nowrap|balance|pretty
text;text-wrap-mode;nowrap
text;word-break;break-all|keep-all|break-word
long;word-break;break-all|keep-all|break-word
long;overflow-wrap;break-word|anywhere
long;word-wrap;break-word
long;hyphens;auto|manual|none
long;hyphenate-character;"="
long;line-break;anywhere
asian;line-break;strict|loose|anywhere
tabbed;tab-size;2
text;direction;rtl
mixed;direction;rtl
mixed;unicode-bidi;bidi-override|isolate|embed|plaintext
asian;writing-mode;vertical-rl|vertical-lr|sideways-rl|horizontal-tb
text;writing-mode;vertical-rl|vertical-lr|tb-rl
asian;text-orientation;upright|sideways
asian;text-combine-upright;all
asian;text-spacing-trim;space-all
asian;ruby-position;under
asian;hanging-punctuation;first
text;hanging-punctuation;first
text;initial-letter;3
text;rotate;3deg
text;color-scheme;dark
box;color-scheme;dark
text;quotes;"<" ">"
quoted;quotes;"<" ">" "(" ")"|none
inline;vertical-align;top|middle|bottom|super|sub|text-top|text-bottom|5px|50%|baseline
inline;box-decoration-break;clone
inline;-webkit-box-decoration-break;clone
cell;vertical-align;top|middle|bottom|baseline
photo;object-fit;contain|cover|none|scale-down|fill
photo;object-position;0 0|left top
picture;image-rendering;pixelated
picture;image-orientation;none
picture;object-view-box;inset(5px)
list;list-style;none|square|upper-roman inside|url("{_DRAWING}")
list;list-style-type;none|disc|circle|square|decimal|decimal-leading-zero|lower-roman|upper-roman|lower-alpha|upper-alpha|lower-latin|upper-latin|lower-greek|armenian|georgian|hebrew|cjk-decimal|hiragana|katakana|arabic-indic|thai|disclosure-open|"- "
list;list-style-position;inside|outside
list;list-style-image;url("{_DRAWING}")
table;border-collapse;collapse|separate
table;border-spacing;10px
table;caption-side;bottom
cell;empty-cells;hide
table;table-layout;fixed
table;border;5px solid red
flex;flex-direction;column|row-reverse|column-reverse
wrapped;flex-wrap;nowrap|wrap-reverse
wrapped;flex-flow;column
flex;justify-content;center|flex-end|end|right|space-between|space-around|space-evenly|flex-start|stretch
flex;align-items;center|flex-end|flex-start|baseline|end|start|stretch|self-end
wrapped;align-content;center|flex-end|space-between|flex-start|stretch|end
flex;place-content;center
flex;place-items;center
flex;gap;20px
wrapped;row-gap;20px
flex;column-gap;20px
item;flex;1|2 1 50px|none|0 0 50%|auto|initial|0 0 calc(50% - 10px)
item;flex-basis;150px|50%|content
item;flex-grow;1
wide;flex-shrink;0
after;clear;both|left|right|inline-start
over;min-width;300px
item;order;2|-1
item;align-self;center|flex-end|baseline|stretch|end
grid;grid-template-columns;1fr 2fr|repeat(3,1fr)|repeat(auto-fill,60px)|minmax(50px,1fr) 80px|subgrid|masonry
grid;grid-template-rows;60px 30px|1fr 2fr
grid;grid-template-areas;"a b"
grid;grid-template;50px 70px / 1fr 2fr
grid;grid-auto-rows;50px
grid;grid-auto-columns;50px
grid;grid-auto-flow;column|row dense
grid;grid;auto-flow / 1fr 1fr 1fr
grid;grid-gap;10px
grid;gap;10px
grid;justify-items;center|end
grid;align-items;center|end
grid;justify-content;center|space-between|end
grid;align-content;center|end
grid;place-items;center
area;grid-column;1 / 3|span 2
area;grid-row;span 2
area;grid-area;1 / 2 / 3 / 4
area;grid-column-start;3
area;grid-column-end;span 2
area;grid-row-start;3
area;grid-row-end;span 2
area;justify-self;center|end
area;align-self;center|end
area;place-self;center
unparted;columns;3|100px
unparted;column-count;3
unparted;column-width;100px
columns;column-gap;50px
columns;column-rule;2px solid red
ruled;column-rule-color;red
columns;column-rule-style;solid
ruled;column-rule-width;4px
columns;column-fill;auto|balance
spanned;column-span;all
spanned;break-before;column
spanned;break-inside;avoid
paged;break-before;{_BREAKS}
paged;break-after;{_BREAKS}
paged;break-inside;avoid|avoid-page|auto
paged;page-break-before;always|left|right|avoid
paged;page-break-after;always|left|right|avoid
kept;page-break-inside;avoid
kept;break-inside;avoid|avoid-page
lines;orphans;6
lines;widows;6
sheet;size;A5|A4 landscape|200mm 100mm
sheet;margin;40mm|10mm 60mm
sheet;background;#ffd
sheet;border;2px solid red
sheet;padding;20mm
sheet;marks;crop cross
sheet;bleed;6mm
sheet;page-orientation;rotate-left
margin;color;red
margin;font-size;30px
margin;text-align;right
margin;vertical-align;top
margin;background;#fd0
margin;border;1px solid
margin;width;60%
margin;content;"x" counter(page)|string(t)|element(t)
before;content;"text"|attr(title)|counter(n)|counters(n,".")|open-quote|url("{_DRAWING}")|target-counter(attr(id url),page)|leader(".")|none
numbered;counter-reset;n 7
numbered;counter-increment;n 2
numbered;counter-set;n 9
text;string-set;t content()
text;bookmark-level;1
text;prince-bookmark-level;1
text;running;x
text;text-size-adjust;200%
text;text-rendering;geometricPrecision
text;text-box-trim;trim-both
text;text-box;trim-both cap alphabetic
text;text-autospace;normal
text;-webkit-hyphens;auto
field;appearance;none
field;-webkit-appearance;none
field;accent-color;red
field;field-sizing;content
blended;mix-blend-mode;multiply|screen|difference
blended;background-blend-mode;multiply
blended;isolation;isolate
box;print-color-adjust;exact
face;src;local("Liberation Mono")
face;unicode-range;U+41-5A
face;size-adjust;200%
face;ascent-override;200%
face;descent-override;200%
face;line-gap-override;200%
counter;system;additive|numeric|fixed
counter;suffix;"] "
counter;prefix;"["
counter;symbols;"x" "y"
counter;pad;3 "0"
counter;negative;"-"
counter;range;2 2
counter;fallback;upper-roman
counter;additive-symbols;3 "a", 1 "b"
shape;fill;red|none|url(#g)
shape;fill-opacity;.3
star;fill-rule;evenodd
shape;stroke;red
shape;stroke-width;9
shape;stroke-opacity;.3
shape;stroke-dasharray;5 3
star;stroke-dashoffset;8
shape;stroke-linecap;round|square
shape;stroke-linejoin;round|bevel
shape;stroke-miterlimit;1
shape;marker;url(#m)
shape;marker-start;url(#m)
shape;marker-mid;url(#m)
shape;marker-end;url(#m)
shape;paint-order;stroke
shape;vector-effect;non-scaling-stroke
shape;clip-path;url(#c)
shape;mask;url(#k)
shape;filter;url(#f)
shape;d;path("M0 0L90 90")
shape;transform;rotate(10deg)
shape;shape-rendering;crispEdges
shape;opacity;.3
clipping;clip-rule;evenodd
rectangle;x;50
rectangle;y;50
rectangle;rx;15
rectangle;ry;15
rectangle;width;120px
rectangle;height;20px
circle;cx;90
circle;cy;30
circle;r;35
stop;stop-color;green
stop;stop-opacity;.3
masked;mask-type;alpha
label;text-anchor;middle|end
label;dominant-baseline;middle|hanging|central
label;alignment-baseline;middle|hanging
label;baseline-shift;super|5px
label;letter-spacing;5px
label;writing-mode;vertical-rl
label;stroke;red
label;fill;red
link;text-decoration;none
link;color;red
backed;background-position;50% 50%|right bottom
backed;background-size;50px 50px|cover|contain
backed;background-repeat;no-repeat|repeat-x|space|round
backed;background-origin;content-box|padding-box|border-box
backed;background-clip;content-box|padding-box|border-box|border-area
backed;background-attachment;fixed|local
backed;background-position-x;50%
backed;background-position-y;50%
long;-ms-word-break;break-all
box;cursor;pointer
box;transition;all 1s
box;animation;x 1s
box;user-select;none
box;pointer-events;none
box;will-change;transform
box;scroll-behavior;smooth
box;overscroll-behavior;none
box;caret-color;red
box;touch-action;none
box;scrollbar-width;none
box;scroll-snap-type;x
over;scrollbar-gutter;stable
box;container-type;size
box;margin-trim;block
box;interactivity;inert
box;corner-shape;bevel
box;math-style;compact
box;speak;none
box;view-transition-name;x
"""
    + _sides("margin-", "", "box", _MARGINS)
    + _sides("padding-", "", "sized", "40px|20%")
    + _sides("border-", "", "box", "5px solid red")
    + _sides("border-", "-width", "box", "8px")
    + _sides("border-", "-style", "box", "dashed")
    + _sides("border-", "-color", "box", "red")
    + "".join(
        f"box;border-{each}-radius;20px\n"
        for each in (
            "top-left", "top-right", "bottom-left", "bottom-right", "start-start", "start-end", "end-start", "end-end",
        )
    )
)  # fmt: skip


def specimens() -> Iterator[Specimen]:
    """One for each value of each row of the table."""
    for row in TABLE.split("\n"):
        if row:
            context, name, values = row.split(";", 2)
            yield from (Specimen(context, name, value) for value in values.split("|"))
