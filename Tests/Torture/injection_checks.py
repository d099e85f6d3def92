"""Reads what the program wrote as its readers do, and lists what a payload got through.

Each check returns faults in words. What the program itself writes is learned from the reference, an archive of harmless texts: its
elements and attributes, its marks, its headers. The control sequences of its colours are known.
"""

import csv
import html.parser
import io
import json
import re
import urllib.parse

# Default_Ignorable_Code_Point (Unicode 16, DerivedCoreProperties.txt) without joiners and variation selectors 1 to 16, which emoji and
# Persian need, and those of Mongolian; bidirectional controls (UAX #9); line separators; annotations.
INVISIBLE = (
    "\u00ad\u034f\u061c\u115f-\u1160\u17b4-\u17b5\u180e\u200b\u200e-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
)
HOSTILE = re.compile(
    f"[\x00-\x1f\x7f-\x9f{INVISIBLE}]|(?<![\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])[\U000e0100-\U000e01ef]"
)
# What stays because a script needs it, beside other characters (docs/terminal.md, "Characters that are written out").
UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17b3\u17b6-\u17ff\u1950-\u19ff\u1a20-\u1aaf\u1b00-\u1b7f\ua980-\ua9ff\uaa60-\uaadf"
LEFTWARD = "\u05d0-\u05ea\u0620-\u064a\u066e-\u06d3\u0710-\u072f\u0780-\u07a5\u07ca-\u07ea"
LETTER, NEUTRAL = r"[^\W\d_]", "[^\\w\x00-\x1f\u200e\u200f]*"
NEEDED = re.compile(
    f"(?<=[{UNSPACED}])\u200b{{1,3}}(?!\u200b)|(?<!\u200b)\u200b{{1,3}}(?=[{UNSPACED}])"
    f"|(?<={LETTER}{LETTER})\u00ad(?={LETTER}{LETTER})|(?<=[\u180b-\u180d\u1820-\u18aa])\u180e(?=[\u1820-\u18aa])"
    f"|(?<=[{LEFTWARD}])({NEUTRAL})(?:\u200f(?={NEUTRAL}{LETTER})|\u200e(?={NEUTRAL}(?![{LEFTWARD}]){LETTER}))"
    f"|(?<=(?![{LEFTWARD}]){LETTER})({NEUTRAL})[\u200e\u200f](?={NEUTRAL}[{LEFTWARD}])"
    "|(?<=\U0001f3f4)\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074|\U000e0077\U000e006c\U000e0073)\U000e007f"
)
# A painted text: it is on one line, and no control sequence is in it.
PAINTED = re.compile("\x1b\\[([0-9;]+)m([^\x1b\n]+)\x1b\\[0m")
# The parameters with ";" after each: bold, italic, underlined, reversed and struck, and black or white on a background, or a colour
# (Sources/Rendering/Text/TextStyle.swift). The styles of Sources/Rendering/Terminal/Style.swift are some of these.
STYLE = re.compile(
    "(1;)?(3;)?(4;)?(7;)?(9;)?"
    "(38;5;231;48;5;(16|18|21|88|90);|38;5;16;48;5;(28|30|46|51|196|201|208|226|231|244|252);|(2|3[1-6]|9[12456]);)?"
)
# What ncurses writes on the terminal of injection_reader.py: places, blanks, repeated characters, modes, and styles without those of
# payloads (blinking, hidden, other colours).
SCREEN = re.compile(
    "\x1b(?:\\[H\x1b\\[2J|\\[(?:[0-9]+;[0-9]+)?H|\\[[0-9]*[CDGXbdr@PLMST]|\\[[0-9]+;[0-9]+r|\\[[2-9]?[AB]|\\[[01]?[JK]"
    "|\\[\\?1049h\x1b\\[22;0;0t|\\(B|[=>]|\\[4[hl]|\\[\\?(?:1|7|12|25|1000|1034|1006;1000)[hl]"
    "|\\[(?:(?:0|1|2|3|4|7|10|2[2-7]|3[0-7]|39|49|9[0-7])(?:;|(?=m)))*m)"
)
# How the program replaces a line of progress.
PROGRESS = "\r\x1b[K"
# The controls that stay in the text of a message in a pipe or a file.
BODY = "\n\t"
EXCERPT = 60


def excerpt(text, place):
    return repr(text[max(0, place - EXCERPT) : place + EXCERPT])


def decoded(data, faults):
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        faults.append(f"not UTF-8: {data[max(0, error.start - EXCERPT) : error.start + EXCERPT]!r}")
        return data.decode(errors="replace")


def text(data, kept="\n"):
    """Text for people: nothing that a terminal acts upon or hides, except `kept`."""
    faults = []
    shown = NEEDED.sub(lambda found: found[1] or found[2] or "", decoded(data, faults))
    for found in HOSTILE.finditer(shown):
        if found[0] not in kept:
            faults.append(f"raw U+{ord(found[0]):04X} in {excerpt(shown, found.start())}")
    return faults


def lines(data, form, kept="\n"):
    """Every line begins as `form` says, so that no message can imitate another line."""
    faults = text(data, kept)
    rows = decoded(data, []).splitlines()
    faults += [f"a line of its own: {row[: 2 * EXCERPT]!r}" for row in rows if not re.match(form, row)]
    return faults


def terminal(data):
    """Text on a terminal: paint of the program, and nothing else that a terminal acts upon or hides."""
    faults = []
    plain = PAINTED.sub(lambda found: found[2] if STYLE.fullmatch(found[1] + ";") else found[0], decoded(data, faults))
    return faults + text(plain.replace(PROGRESS, "").encode())


def screen(data):
    """A full screen, written whole: only ncurses moves the cursor, and nothing is hidden."""
    faults = []
    return text(SCREEN.sub("", decoded(data, faults)).encode()) + faults


def controls(data):
    """All output of a full screen: only ncurses writes control characters. Parts of lines may begin within a word."""
    faults = []
    plain = SCREEN.sub("", decoded(data, faults))
    return faults + [f"raw U+{ord(found[0]):04X} in {excerpt(plain, found.start())}" for found in re.finditer("[\x00-\x1f\x7f-\x9f]", plain)]


def json_text(data):
    """JSON that can be printed on a terminal: characters that it acts upon are escaped. Bidirectional ones are exact (docs/json.md)."""
    faults = []
    shown = decoded(data, faults)
    for found in re.finditer("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]", shown):
        faults.append(f"raw U+{ord(found[0]):04X} in JSON: {excerpt(shown, found.start())}")
    return faults


def json_document(data):
    faults = json_text(data)
    try:
        json.loads(data)
    except ValueError as error:
        faults.append(f"not JSON: {error}")
    return faults


def json_lines(data):
    faults = json_text(data)
    for row in data.decode(errors="replace").split("\n")[:-1]:
        try:
            if not isinstance(json.loads(row), dict):
                faults.append(f"not an object: {row[:EXCERPT]!r}")
        except ValueError as error:
            faults.append(f"not JSON: {error}: {row[:EXCERPT]!r}")
    return faults


def strings(value, key=""):
    """All strings of a JSON value, each with its key."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, list):
        for item in value:
            yield from strings(item, key)
    elif isinstance(value, dict):
        for name, item in value.items():
            yield name, name
            yield from strings(item, name)


def assistant(value):
    """An answer to an assistant: everything invisible is written out, and only a body has lines (docs/mcp.md)."""
    faults = []
    for key, it in strings(value):
        for found in HOSTILE.finditer(it):
            if not (key in ("body", "text") and found[0] in "\n\t"):
                faults.append(f"raw U+{ord(found[0]):04X} under {key!r}: {excerpt(it, found.start())}")
    return faults


def table(data):
    """CSV (RFC 4180) without formulas (OWASP, "CSV Injection") and with as many fields in each record as in the header."""
    faults = text(data, kept="\r\n")
    shown = data.decode(errors="replace")
    if "\n" in shown.replace("\r\n", "") or "\r" in shown.replace("\r\n", ""):
        faults.append("a record does not end in CRLF")
    try:
        records = list(csv.reader(io.StringIO(shown, newline=""), strict=True))
    except csv.Error as error:
        return [*faults, f"not CSV: {error}"]
    for record in records:
        if len(record) != len(records[0]):
            faults.append(f"{len(record)} fields, and the header has {len(records[0])}: {record}"[:200])
        faults += [f"a formula: {field[:EXCERPT]!r}" for field in record if field[:1] in tuple("=+-@\t\r\n＝＋－＠")]
    return faults


def scheme(address):
    """As a browser reads an address (WHATWG URL): tabs and line feeds are nothing, controls and spaces before it neither."""
    address = re.sub("[\t\n\r]", "", address).lstrip("".join(map(chr, range(0x21))))
    if found := re.match("([A-Za-z][A-Za-z0-9+.-]*):", address):
        return found[1].lower()
    return "other host" if re.match(r"[/\\]{2}", address) else "own"


class Page(html.parser.HTMLParser):
    """The elements of a page and what can act in them."""

    ADDRESSES = {"href", "src", "action", "formaction", "srcset", "poster", "data", "xlink:href", "background", "cite", "ping"}
    # Anything else that begins with < or has < or > where text is was not escaped.
    STRICT = re.compile(r"<!doctype html>|</?[a-z][a-z0-9]*(?:\s+[a-zA-Z:-]+(?:=\"[^\"<>]*\")?)*\s*/?>|[^<>]+", re.I)
    RAW = re.compile(r"(<(script|style)(?:\s[^<>]*)?>)(.*?)(</\2>)", re.S)

    def __init__(self, data):
        super().__init__(convert_charrefs=True)
        self.shape, self.faults, self.ids, self.hidden = set(), [], set(), 0
        page = decoded(data, self.faults)
        place = 0
        outside = self.RAW.sub(lambda found: found[1] + found[4], page)
        while place < len(outside):
            found = self.STRICT.match(outside, place)
            if not found:
                self.faults.append(f"not escaped: {excerpt(outside, place)}")
                break
            place = found.end()
        self.shape |= {("text of", found[2], found[3]) for found in self.RAW.finditer(page)}
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.shape.add(("element", tag))
        self.hidden += tag in ("script", "style")
        for name, value in attributes:
            self.shape.add(("attribute", tag, name))
            self.check_text(value or "")
            if name in self.ADDRESSES:
                self.shape.add(("address", tag, name, scheme(value or "")))
                self.check_address(value or "")
            elif name in ("style", "http-equiv", "content", "rel", "target", "type", "method") or name.startswith("on"):
                self.shape.add(("value", tag, name, value))
            elif name == "class":
                self.shape |= {("class", tag, re.sub("[0-9]+", "0", it)) for it in (value or "").split()}
            elif name == "id":
                if value in self.ids:
                    self.faults.append(f"id twice: {value!r}")
                self.ids.add(value)

    def check_address(self, value):
        if "://" in value:
            host = urllib.parse.urlsplit(value).netloc
            if not host.isascii() or "@" in host or "\\" in value.split("?")[0]:
                self.faults.append(f"a link that does not show where it leads: {value[: 2 * EXCERPT]!r}")

    def handle_endtag(self, tag):
        self.hidden -= tag in ("script", "style")

    def handle_data(self, data):
        if not self.hidden:
            self.check_text(data)

    def check_text(self, data):
        for found in HOSTILE.finditer(data):
            if found[0] not in "\n\t":
                self.faults.append(f"raw U+{ord(found[0]):04X} on a page: {excerpt(data, found.start())}")

    def handle_comment(self, data):
        self.faults.append(f"a comment: {data[:EXCERPT]!r}")

    def unknown_decl(self, data):
        self.faults.append(f"a declaration: {data[:EXCERPT]!r}")

    def handle_pi(self, data):
        self.faults.append(f"an instruction: {data[:EXCERPT]!r}")


class Pages:
    """Knows the shape of the program's pages."""

    def __init__(self):
        # Marks the words that an edit added. The edits of harmless texts only remove one.
        self.shape = {("element", "ins")}

    def learn(self, data):
        self.shape |= Page(data).shape

    def check(self, data):
        page = Page(data)
        return page.faults + [
            f"not of the program: {' '.join(map(str, it))[:200]!r}" for it in sorted(page.shape - self.shape, key=str)
        ]


class Markdown:
    """Knows which marks the program makes; a CommonMark parser reads them."""

    def __init__(self):
        try:
            from markdown_it import MarkdownIt

            self.parser = MarkdownIt("gfm-like", {"linkify": False, "html": True})
        except ImportError:
            self.parser = None
        self.shape = set()

    def read(self, data):
        tokens = self.parser.parse(data.decode(errors="replace"))
        pending, shape, faults = list(tokens), set(), []
        while pending:
            token = pending.pop()
            pending += token.children or []
            shape.add((token.type, token.tag))
            if token.type == "link_open":
                address = str(token.attrs["href"])
                shape.add(("link", scheme(address)))
        return shape, faults

    def learn(self, data):
        if self.parser:
            self.shape |= self.read(data)[0]

    def check(self, data):
        faults = text(data, BODY)
        if self.parser:
            shape, more = self.read(data)
            faults += more + [f"markup not of the program: {it}" for it in sorted(shape - self.shape)]
        return faults


class Headers:
    """Knows the names of the server's headers."""

    def __init__(self):
        self.names = set()

    def learn(self, headers):
        self.names |= {name.lower() for name, _ in headers}

    def check(self, headers):
        faults = [f"a header {name!r}" for name, _ in headers if name.lower() not in self.names]
        return faults + [f"{name}: raw U+{ord(it):04X}" for name, value in headers for it in value if not " " <= it <= "~"]


def events(data):
    """Server-sent events (WHATWG): only the program's fields, its kinds of events, and JSON as data."""
    kinds = {"stored", "edited", "deleted", "reactions", "forgotten", "attachment", "names", "coverage", "reset"}
    faults = json_text(data)
    for row in data.decode(errors="replace").split("\n"):
        field, _, value = row.partition(": ")
        if field == "data":
            try:
                json.loads(value)
            except ValueError as error:
                faults.append(f"data is not JSON: {error}: {value[:EXCERPT]!r}")
        elif (
            row
            and not row.startswith(":")
            and not (field == "event" and value in kinds)
            and not re.fullmatch(r"(id|retry): [\w:.-]+", row)
        ):
            faults.append(f"a line in the stream: {row[: 2 * EXCERPT]!r}")
    return faults
