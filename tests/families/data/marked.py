"""Vectors of YAML, TOML, XML and HTML: types, comments, attributes, spans, and what is refused."""

from __future__ import annotations

import json
from datetime import date

import polars
import yaml

from tests.converters.vector import Vector, fail, refuse, take
from tests.families.data.checks import contains, equal, gives, is_text, schema_is
from tests.families.data.seen import unzipped


def _doubled(line: bytes) -> bytes:
    """Lines that each name the one before it twice."""
    return b"e0: &e0 {x: 1}\n" + b"".join(line % (at, at, at - 1, at - 1) for at in range(1, 40))


def _laughs(first: bytes) -> bytes:
    """Ten entities, each ten times the one before it."""
    entities = b"".join(b'<!ENTITY e%d "%b">' % (at, b"&e%d;" % (at - 1) * 10) for at in range(1, 10))
    return b'<!DOCTYPE l [<!ENTITY e0 "%b">%b]><l>&e9;</l>' % (first, entities)


VECTORS: tuple[Vector, ...] = (
    take(
        "ndjson-to-json",
        "unlike values",
        b'1\n"a"\n\n{"a": [1.10]}',
        is_text('[\n  1,\n  "a",\n  {\n    "a": [\n      1.10\n    ]\n  }\n]\n'),
    ),
    take("ndjson-to-json", "an array over two lines", b"[1,\n2]\n", is_text("[\n  1,\n  2\n]\n")),
    take(
        "yaml-to-json",
        "scalars by YAML 1.2",
        b"a: no\nb: 0o17\nc: 007\nd: 2024-01-02\ne: ~\nf: .5\ng: 1_000\nh: 0x1F\n"
        b"i: !!str 1\nj: 1.10\nk: on\nl: +12\nm: True\nn: '1'\n",
        gives(
            {
                "a": "no",
                "b": 15,
                "c": "007",
                "d": "2024-01-02",
                "e": None,
                "f": "0.5",
                "g": "1_000",
                "h": 31,
                "i": "1",
                "j": "1.10",
                "k": "on",
                "l": 12,
                "m": True,
                "n": "1",
            }
        ),
    ),
    take("yaml-to-json", "several documents", b"---\na: 1\n---\n- 2\n...\n", gives([{"a": 1}, [2]])),
    take(
        "yaml-to-json",
        "tags, comments, keys of other types, keys twice",
        b"# c\n1: !x y\n1: z\nf: .inf # d\n",
        gives({"1": "z", "f": None}),
        "COMMENTS_DROPPED",
        "CONTENT_DROPPED",
        "VALUE_CONVERTED",
        "DUPLICATE_KEY",
    ),
    take(
        "yaml-to-json",
        "a number sign that is no comment",
        b"a: |\n  # x\nb: 'y # z'\nc: d#e\n",
        gives({"a": "# x\n", "b": "y # z", "c": "d#e"}),
    ),
    fail("yaml-to-json", "a tab for indentation", b"a:\n\tb: 1\n", line=2, column=1),
    take(
        "yaml-to-json",
        "anchors, aliases and merge keys",
        b"x: &x {image: a, ports: &p [1, 2]}\nweb:\n  <<: *x\n  image: b\n"
        b"all: {<<: [*x, {k: 1, image: c}], ports: *p}\n'<<': &t text\nagain: *t\n*t : key\n",
        gives(
            {
                "x": {"image": "a", "ports": [1, 2]},
                "web": {"image": "b", "ports": [1, 2]},
                "all": {"image": "a", "ports": [1, 2], "k": 1},
                "<<": "text",
                "again": "text",
                "text": "key",
            }
        ),
    ),
    take("yaml-to-toml", "comments alone", b"# nothing yet\n", is_text(""), "COMMENTS_DROPPED"),
    take("yaml-to-json", "comments alone", b"# nothing yet\n---\n", is_text("null\n"), "COMMENTS_DROPPED"),
    take("yaml-to-yaml", "comments alone", b"# nothing yet\n", is_text("null\n"), "COMMENTS_DROPPED"),
    take("yaml-to-csv", "comments alone", b"# none\n", is_text(""), "COMMENTS_DROPPED", "CONTENT_DROPPED"),
    take("toml-to-json", "comments alone", b"# none\n", is_text("{}\n"), "COMMENTS_DROPPED"),
    take(
        "toml-to-json",
        "what TOML 1.1 added",
        b'a = {\n  b = "\\x41\\e[0m",  # said\n  c = 07:32,\n}\nd = 1979-05-27 07:32Z\n',
        gives({"a": {"b": "A\x1b[0m", "c": "07:32:00"}, "d": "1979-05-27T07:32:00Z"}),
        "COMMENTS_DROPPED",
    ),
    take("toml-to-xlsx", "nothing but an empty line", b"\n", lambda data: equal(data[:2], b"PK"), "CONTENT_DROPPED"),
    take("toml-to-yaml", "nothing but an empty line", b"\n", is_text("{}\n")),
    take("yaml-to-json", "a last line of white space", b"a: |\n  x\n   ", gives({"a": "x\n \n"})),
    fail("yaml-to-json", "a question mark that begins a text", b"a: [x,\n  ?b]\n", line=2, column=4),
    fail("yaml-to-json", "an anchor with a colon in its name", b"a: 1\nb: &x:y z\n", line=2, column=4),
    take(
        "yaml-to-json",
        "marks that are none",
        b'{"a": &x "&xy", b?: [? c, d?]}',
        gives({"a": "&xy", "b?": [{"c": None}, "d?"]}),
    ),
    fail("yaml-to-json", "an alias without an anchor", b"a: 1\nb: *x\n", line=2, column=4),
    fail("yaml-to-json", "an alias in what it names", b"a: &x\n- *x\n", line=2, column=3),
    fail("yaml-to-json", "a merge key with a list of numbers", b"a:\n  <<: [1]\n", line=2, column=7),
    fail("yaml-to-json", "a bomb of anchors", _doubled(b"e%d: &e%d [*e%d, *e%d]\n"), line=21, column=18),
    fail("yaml-to-json", "a bomb of merge keys", _doubled(b"e%d: &e%d {<<: [*e%d], k: *e%d}\n"), line=21, column=17),
    fail(
        "yaml-to-json",
        "aliases that nest too deep",
        b"a: &a " + b"[" * 300 + b"]" * 300 + b"\nb: " + b"[" * 300 + b"*a",
        2,
        304,
    ),
    fail("yaml-to-json", "brackets without end", b"[" * 100_000, line=1, column=513),
    fail("yaml-to-json", "a list as a key", b"? [a]\n: b\n", line=1, column=3),
    Vector(
        "yaml-to-yaml",
        "a document",
        "ordinary",
        lambda: "name:   Ada\ntags: [a,   b]\nnote: '😀'\n".encode(),
        check=is_text("name: Ada\ntags: [a, b]\nnote: '😀'\n"),
    ),
    take(
        "yaml-to-yaml",
        "anchors, tags and documents stay",
        b"# c\na: &x {k: 1}\nb: *x\nc: !t 'y'\n---\n- no\n",
        is_text("a: &x {k: 1}\nb: *x\nc: !t 'y'\n---\n- no\n"),
        "COMMENTS_DROPPED",
    ),
    fail("yaml-to-yaml", "a mapping that is not closed", b"a: {b: 1\nc: 2\n", line=2, column=2),
    take(
        "toml-to-json",
        "dates, times, floats and comments",
        b"# c\nd = 2024-01-02\nt = 07:32:00\nz = 2024-01-02T03:04:05Z\nm = 1.10\nn = nan\n"
        b's = "a # b"\n[x.y]\nk = [1, "a"]\n',
        gives(
            {
                "d": "2024-01-02",
                "t": "07:32:00",
                "z": "2024-01-02T03:04:05Z",
                "m": "1.10",
                "n": None,
                "s": "a # b",
                "x": {"y": {"k": [1, "a"]}},
            }
        ),
        "COMMENTS_DROPPED",
        "VALUE_CONVERTED",
    ),
    take(
        "toml-to-yaml",
        "dates stay dates",
        b"d = 2024-01-02\n",
        lambda data: equal(yaml.safe_load(data), {"d": date(2024, 1, 2)}),
    ),
    fail("toml-to-json", "a value that is missing", b"a = 1\nb =\n", line=2, column=4),
    take(
        "xml-to-json",
        "attributes, lists, mixed text and namespaces",
        b'<?xml version="1.0"?><c:log xmlns:c="u"><i n="1">a</i><i n="2"/><p>Hello <b>x</b> y</p></c:log>',
        gives(
            {
                "c:log": {
                    "@xmlns:c": "u",
                    "i": [{"@n": "1", "#text": "a"}, {"@n": "2"}],
                    "p": {"b": "x", "#text": "Hello  y"},
                }
            }
        ),
        "VALUE_CONVERTED",
    ),
    take(
        "xml-to-json",
        "a list of one, another prefix",
        b'<a x="1"><b>1</b></a>',
        gives({"a": {"$x": "1", "b": ["1"]}}),
        forceList="b, c",
        attributePrefix="$",
    ),
    take(
        "xml-to-json",
        "a code page of its own",
        '<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>'.encode("latin-1"),
        gives({"a": "é"}),
    ),
    take(
        "xml-to-json",
        "a document type without declarations",
        b'<!DOCTYPE a SYSTEM "http://example.invalid/a.dtd"><a>b</a>',
        gives({"a": "b"}),
        "CONTENT_DROPPED",
    ),
    fail(
        "xml-to-json",
        "an entity of a definition that is not loaded",
        b'<!DOCTYPE a SYSTEM "http://example.invalid/a.dtd"><a>&b;</a>',
        line=1,
        column=54,
    ),
    take(
        "xml-to-json",
        "entities that the file declares",
        b'<!DOCTYPE a [<!ENTITY c "x &lt; &d;"><!ENTITY d "y"><!ENTITY e "<b>&c;</b>">]><a k="&c;">&e;</a>',
        gives({"a": {"@k": "x < y", "b": "x < y"}}),
        "CONTENT_DROPPED",
    ),
    fail(
        "xml-to-json",
        "an entity that is another file",
        b'<!DOCTYPE a [<!ENTITY c SYSTEM "file:///etc/hostname">]>\n<a>&c;</a>',
        line=2,
        column=4,
    ),
    fail("xml-to-json", "laughs by the billion", _laughs(b"ha"), line=1, column=531),
    fail("xml-to-csv", "laughs by the billion at nothing", _laughs(b"")),
    fail("xml-to-json", "quadratic growth", b'<!DOCTYPE a [<!ENTITY c "%b">]><a>%b</a>' % (b"x" * 3000, b"&c;" * 4000)),
    fail("xml-to-json", "elements in elements without end", b"<a>" * 100_000, line=1, column=1537),
    fail("xml-to-json", "elements that don't match", b"<a>\n<b></a>\n", line=2, column=6),
    take(
        "xml-to-csv",
        "rows at a path",
        b"<o><meta><x>1</x></meta><r><i><a>1</a></i><i><a>2</a></i></r></o>",
        is_text("a\r\n1\r\n2\r\n"),
        rowPath="o.r.i",
    ),
    take(
        "xml-to-csv",
        "rows found, attributes as columns",
        b'<l><p id="7"><n>x</n></p><p id="8"/></l>',
        is_text("id,n\r\n7,x\r\n8,\r\n"),
        attributePrefix="",
    ),
    take(
        "xml-to-json",
        "blanks in character data",
        b"<a><b>\n <![CDATA[ x ]]>\n</b><c><![CDATA[ ]]></c><d c='1'> y <![CDATA[<z> ]]></d><e> w </e></a>",
        lambda data: equal(
            json.loads(data), {"a": {"b": " x ", "c": " ", "d": {"@c": "1", "#text": "y <z> "}, "e": "w"}}
        ),
    ),
    Vector(
        "xml-to-xml",
        "a document",
        "ordinary",
        lambda: b'<?xml version="1.0"?><a><b c="1">x</b><d/></a>',
        check=is_text('<?xml version="1.0" encoding="UTF-8"?>\n<a>\n  <b c="1">x</b>\n  <d/>\n</a>\n'),
    ),
    take(
        "xml-to-xml",
        "comments, instructions, mixed text and character data stay",
        b'<?xml version="1.0"?>\n<!-- c --><?pi x?><a>\n <p>Hello <b>x</b> <i>y</i></p>'
        b"<s><![CDATA[<&]]></s><!-- d -->\n</a>",
        is_text(
            '<?xml version="1.0" encoding="UTF-8"?>\n<!-- c -->\n<?pi x?>\n<a>\n'
            "  <p>Hello <b>x</b> <i>y</i></p>\n  <s><![CDATA[<&]]></s>\n  <!-- d -->\n</a>\n"
        ),
    ),
    take(
        "xml-to-xml",
        "without white space",
        b"<a>\n  <b> x </b>\n</a>",
        is_text('<?xml version="1.0" encoding="UTF-8"?><a><b> x </b></a>\n'),
        indent=0,
    ),
    fail("xml-to-xml", "laughs by the billion", _laughs(b"ha")),
    take(
        "xml-to-xml",
        "a laugh that is small",
        b'<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><l>&b;</l>',
        lambda data: contains(data, "<l>hahaha</l>"),
        "CONTENT_DROPPED",
    ),
    take(
        "html-to-csv",
        "spans, tags left open, nested tables",
        b"<table><tr><th colspan=2>A<th>B<tr><td rowspan=2>1<td>2 <b>x</b>&amp;<td>3<br>4"
        b"<tr><td>5<table><tr><td>in</table></table>",
        is_text('A,A_2,B\r\n1,2 x&,"3\n4"\r\n1,5,\r\n'),
        "CONTENT_DROPPED",
        "MERGED_CELLS",
        "COLUMN_RENAMED",
        "ROW_RAGGED",
    ),
    take(
        "html-to-json",
        "every table",
        b"<table><caption>One</caption><tr><th>a<tr><td>1</table><table><tr><th>b<tr><td>2</table>",
        lambda data: equal(
            {name: json.loads(each) for name, each in unzipped(data).items()},
            {"One.json": [{"a": "1"}], "Table 2.json": [{"b": "2"}]},
        ),
        output="zip",
        sheets="all",
    ),
    take(
        "html-to-csv",
        "links and pictures in cells",
        b'<table><tr><th>a<tr><td><a href="http://e.test/">E</a> <a href="mailto:x@e.test">x@e.test</a>'
        b'<img src="p"></table>',
        is_text("a\r\nE x@e.test\r\n"),
        "CONTENT_DROPPED",
    ),
    take(
        "html-to-parquet",
        "the second table",
        b"<table><tr><th>a<tr><td>1</table><table><tr><th>b<tr><td>2</table>",
        lambda data: schema_is(data, {"b": polars.String}),
        "CONTENT_DROPPED",
        table=2,
    ),
    take(
        "markdown-to-csv",
        "emphasis, code, a link, an escaped bar and cells that are missing",
        b"Text\n\n| **a** | `b` | c |\n|:--|--:|---|\n| *x* | `y \\| z` | [l](http://e.test) |\n| 1 |\n\nMore text\n",
        is_text("a,b,c\r\nx,y | z,l\r\n1,,\r\n"),
        "CONTENT_DROPPED",
    ),
    take(
        "markdown-to-csv",
        "a row with more cells than there are names",
        b"Title\n---\na | b | c\n\n|a|b|\n|-|-|\n|1|2 \\| 3|\n|1|2|3|\n",
        is_text("a,b\r\n1,2 | 3\r\n1,2\r\n"),
        "CONTENT_DROPPED",
    ),
    take("markdown-to-csv", "a table in a quote", b"> a | b\n> --|--\n> 1 | 2\n", is_text("a,b\r\n1,2\r\n")),
    take(
        "markdown-to-json",
        "every table",
        b"|a|\n|-|\n|1|\n\n- in a list:\n\n  |b|\n  |-|\n  |http://e.test|\n",
        lambda data: equal(
            {name: json.loads(each) for name, each in unzipped(data).items()},
            {"Table 1.json": [{"a": "1"}], "Table 2.json": [{"b": "http://e.test"}]},
        ),
        output="zip",
        sheets="all",
    ),
    refuse("html-to-xlsx", "a table that is not there", lambda: b"<table><tr><td>1</table>", table=2),
)
