"""The style sheet that all pages of Word documents share."""

BASE = """\
html,body{margin:0;padding:0}
body{font-kerning:none;orphans:2;widows:2;line-height:normal;color:#000000;font-size:10pt;font-family:serif}
p,h1,h2,h3,h4,h5,h6{margin:0;font-weight:normal;font-size:inherit;white-space:pre-wrap}
.long{overflow-wrap:break-word}
table{border-spacing:0}td{vertical-align:top;padding:0}
a{color:inherit;text-decoration:none}sup.note{font-size:0.65em;line-height:0;vertical-align:super;font-weight:normal}
.cell,.gap{display:inline-block;white-space:nowrap;text-indent:0}.cell{text-align:left}.gap{white-space:pre}
.box,.crop,.group,.turned{display:inline-block;box-sizing:border-box}.box,.group{position:relative;vertical-align:bottom}.box{text-indent:0;line-height:normal}
.over{position:relative;display:table;width:100%}.over>div{display:table-cell}
.crop{overflow:hidden}.crop img{display:block}
.anchor{position:relative}.anchor,.behind{height:14pt;margin-bottom:-14pt;break-inside:avoid}.at{position:absolute}
.notes{margin-top:12pt;border-top:0.5pt solid #000000;padding-top:4pt}.notes p{margin:0}
ins{text-decoration:underline}del{text-decoration:line-through}
.ruby{display:inline-block;text-align:center;text-indent:0;line-height:1}.ruby>span{display:block}
.number{display:inline-block;text-align:right;text-indent:0}.links{display:none}
.keep,.whole{break-inside:avoid}.next{break-before:page}
.scaled,.scaled>span{display:inline-block;white-space:nowrap;text-indent:0}.scaled>span{transform-origin:left}
.em{display:inline-block;position:relative;text-indent:0}
.mark-above,.mark-below{position:absolute;left:50%;width:0.16em;height:0.16em;margin-left:-0.08em;border-radius:50%}
.mark-above,.mark-below{background:currentColor}
.mark-above{top:-0.04em}.mark-below{bottom:-0.04em}.mark-comma{height:0.24em;margin-top:-0.06em}
.mark-circle{background:none;border:0.03em solid currentColor}
"""
PLACED_APART = ".page,.anchor>.at,.behind>.at{display:none}"
"""Rules for measuring what takes room: nothing that is placed on the page, or beside the text, does."""
