"""Runs every command that reads over a hostile archive, in every form, and reads every page."""

import json
import os
import urllib.parse

from injection_checks import BODY

# In a pipe each message and each gap is one line, with its time or id before it (docs/terminal.md).
TIMED = r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)  |scrollback: "
AROUND = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d  [>-]  |--$"
# A text export's line is about the log, a gap, a message's first line or belongs to it (docs/export.md).
EXPORTED = r"---( |$)|!!! (gap|not archived|nothing received since) |         [|~]( |$)|\d\d:\d\d:\d\d (<[^<>]*> |\* |-!- |-[^!]|\*\*\* )|$"

MESSAGES = [
    (["history", "--all", "-n", "all"], TIMED),
    (["history", "--all", "-n", "all", "--names", "now", "--ids"], TIMED),
    (["history", "-a", "evil", "-n", "1000", "--hide", "joins"], TIMED),
    (["tail", "-n", "1000", "--unfold"], TIMED),
    (["search", "on:2026", "-n", "all"], TIMED),
    (["search", "is:edited", "-C", "2", "-n", "1000"], AROUND),
]
LISTS = [
    ["rooms"],
    ["rooms", "--sort", "last"],
    ["users"],
    ["attachments", "-n", "all"],
    ["gaps"],
    ["gaps", "--imported"],
    ["unread", "--all"],
    ["accounts"],
    ["status"],
    ["stats", "-n", "all"],
    ["sql", "SELECT * FROM messages", "-n", "all"],
    ["sql", "SELECT rooms.name, people.name FROM rooms JOIN people USING (account)"],
    ["search", "on:2026", "--by", "room", "-n", "all"],
    ["search", "on:2026", "--by", "user", "-n", "all"],
    ["search", "on:2026", "--count"],
    ["archive", "check"],
    ["retention", "holds"],
    ["retention", "log"],
    ["retention", "plan"],
]
# One row of each for an element, below a header.
TABLES = ("rooms", "users", "attachments", "gaps", "accounts", "holds")
FORMATS = {"json": "json", "jsonl": "jsonl", "csv": "csv"}


def learn(program, take):
    """Learns the marks and pages of harmless texts."""
    for format in ("html", "markdown"):
        for kind, _, data in export(program, format):
            take(kind, "", data)


def read_messages(program, take):
    """`take(kind, where, data, **more)` is given every output."""
    for arguments, form in MESSAGES:
        where = " ".join(arguments)
        answer = program.run(*arguments)
        take("lines", where, answer.stdout, form=form)
        take("text", where + ", stderr", answer.stderr)
        take("terminal", where + " on a terminal", program.on_terminal(*arguments))
        machine(program, take, arguments)
    take("jsonl", "tail --feed", program.run("tail", "--feed", "--format", "jsonl").stdout)


def read_lists(program, take):
    for arguments in LISTS:
        where = " ".join(arguments)
        answer = program.run(*arguments)
        rows = machine(program, take, arguments)
        is_table = answer.stdout and arguments[-1 if arguments[0] == "retention" else 0] in TABLES
        take("rows", where, answer.stdout, count=rows + 1 if is_table else None)
        take("text", where + ", stderr", answer.stderr)
        take("terminal", where + " on a terminal", program.on_terminal(*arguments))
    take("text", "status --check", program.run("status", "--check").stdout)


def machine(program, take, arguments):
    """The number of lines in jsonl."""
    rows = 0
    for format, kind in FORMATS.items():
        answer = program.run(*arguments, "--format", format)
        where = f"{' '.join(arguments)} --format {format}"
        # A command that fails has no document.
        if answer.returncode == 0 or answer.stdout:
            take(kind, where, answer.stdout)
        take("text", where + ", stderr", answer.stderr)
        rows = answer.stdout.count(b"\n") if format == "jsonl" else rows
    return rows


def shown(program, take, messages):
    for payload, id in [(it.payload, it.id) for it in messages.values() if it.kind == "message"]:
        if payload.number % 4 == 0:
            take("text", f"show, {payload}", program.run("show", id, "-a", "evil").stdout, kept=BODY)
        if payload.number % 16 == 0:
            take("terminal", f"show on a terminal, {payload}", program.on_terminal("show", id, "-a", "evil"))
            take("lines", f"show --thread, {payload}", program.run("show", id, "-a", "evil", "--thread").stdout, form=TIMED)
            take("json", f"show --format json, {payload}", program.run("show", id, "-a", "evil", "--format", "json").stdout)


# Where a person or a script gives a text; the error says it again.
ECHOES = [
    ["history", "{}"],
    ["search", "--", "{}"],
    ["search", "--regex", "{}", "x"],
    ["history", "--all", "--after", "{}"],
    ["show", "--", "{}"],
    ["tail", "{}"],
    ["users", "{}"],
    ["export", "--room", "{}", "-o", "echo"],
    ["import", "./{}"],
    ["import", "one.jsonl", "-a", "{}"],
    ["retention", "hold", "h{}", "-a", "evil", "--reason", "{}"],
    ["retention", "forget", "-a", "evil", "--user", "{}"],
    ["gaps", "-a", "{}"],
    ["history", "--all", "--format", "{}"],
    ["history", "--all", "--day", "{}"],
    ["{}"],
    ["serve", "token", "add", "{}", "--all"],
    ["mark-read", "-a", "evil", "{}"],
    ["attachments", "{}"],
    ["import", "csv", "one.jsonl", "--columns", "time={},text={}"],
    ["--config", "{}", "config", "path"],
    ["config", "check", "--config", "{}"],
    ["stats", "--data", "{}"],
    ["sql", "{}"],
    ["backup", "verify", "{}"],
    ["import", "one.jsonl", "-a", "evil", "--room", "{}"],
    ["import", "one.jsonl", "-a", "b", "--encoding", "{}"],
]


def echoed(program, take, payload):
    """One of the echoes, in turn; no argument can have U+0000."""
    shape = ECHOES[payload.number % len(ECHOES)]
    argument = payload.text.replace("\x00", "")
    answer = program.run(*(part.replace("{}", argument) for part in shape), input=b"")
    # What was asked for as JSON or CSV is read elsewhere.
    take("text", f"{' '.join(shape)}, stderr, {payload}", answer.stderr, kept=BODY)
    if "--format" not in shape:
        take("text", f"{' '.join(shape)}, {payload}", answer.stdout, kept=BODY)


KINDS = {
    ".html": "html",
    ".log": "export text",
    ".txt": "text",
    ".md": "markdown",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".json": "json",
}


def export(program, format):
    """Exports all accounts, also those that have the names of payloads; gives kind, path and bytes of each file, and what was printed."""
    root = os.path.join(program.folder, f"export-{format}")
    answer = program.run("export", "--all", "--format", format, "-o", root)
    yield "text", f"export --format {format}", answer.stdout + answer.stderr
    for base, folders, files in os.walk(root):
        for name in folders + files:
            yield "file name", f"a name in the export as {format}", name.encode(errors="surrogateescape")
        for name in files:
            path = os.path.join(base, name)
            with open(path, "rb") as file:
                yield KINDS[os.path.splitext(name)[1]], os.path.relpath(path, program.folder), file.read()


def exported(program, take):
    for format in ("html", "text", "markdown", "csv", "jsonl"):
        for kind, where, data in export(program, format):
            take(kind, where, data, form=EXPORTED)
        for arguments in (["backup", "verify", f"export-{format}"], ["backup", "verify", f"export-{format}", "--format", "json"]):
            take("text" if len(arguments) == 3 else "json", " ".join(arguments), program.run(*arguments).stdout)
    for format, kind in (("text", "export text"), ("markdown", "markdown"), ("csv", "csv"), ("jsonl", "jsonl")):
        answer = program.run("export", "-a", "evil", "--format", format, "-o", "-")
        take(kind, f"export --format {format} -o -", answer.stdout, form=EXPORTED)


def oddly_named_files(program, take, payloads):
    """Files that are named by payloads, beside an export and in a folder that is imported."""
    program.run("export", "-a", "evil", "--format", "csv", "-o", "watched")
    for folder in ("odd", "watched"):
        os.makedirs(os.path.join(program.folder, folder), exist_ok=True)
        for payload in payloads:
            name = payload.text.replace("/", "").replace("\x00", "").encode()[:200].decode(errors="ignore")
            if name not in ("", ".", "..") and not os.path.exists(os.path.join(program.folder, folder, name)):
                with open(os.path.join(program.folder, folder, name), "w") as file:
                    file.write("06:23 -!- a [b@c] has joined #x\n06:23 <a> hi\n" if payload.number % 2 else "neither\n")
    for arguments in (["import", "odd", "-a", "odd", "--dry-run"], ["import", "odd", "--dry-run"], ["backup", "verify", "watched"]):
        answer = program.run(*arguments, input=b"")
        take("text", " ".join(arguments), answer.stdout + answer.stderr)
        machine(program, take, arguments)


def served(server, take, messages, payloads):
    """Pages and answers of the server; one of each for a payload, and all lists."""
    ids = {it.payload.number: it.id for it in messages.values() if it.kind == "message"}

    def page(path, kind="html"):
        status, headers, body = server.get(path)
        take("headers", f"headers of {path[:80]}", headers)
        take(kind if status < 400 or kind == "html" else "json", f"{path[:80]} ({status})", body)
        return status

    rooms = [room for room in json.loads(server.get("/api/v1/rooms?account=evil")[2])["rooms"]]
    for path in (
        "/",
        "/?sort=last",
        "/?sort=messages",
        "/account/evil",
        "/account/evil?limit=500",
        "/account/evil?fragment=1",
        f"/room/evil/{rooms[0]['id']}/calendar",
        "/merged?" + "&".join(f"room=evil/{room['id']}" for room in rooms[:20]),
        "/search?q=on:2026&facets=1",
        "/search?q=on:2026&context=2",
        "/search?q=is:edited",
        "/search?q=is:deleted",
    ):
        page(path)
    for route in (
        "rooms",
        "users",
        "unread",
        "gaps",
        "status",
        "attachments",
        "days",
        "accounts",
        "messages?all=1&limit=1000",
        "search?q=on:2026",
        "search?q=on:2026&by=room",
        "openapi.json",
    ):
        page(f"/api/v1/{route}", "json")
    page("/api/v1/changes?account=evil", "jsonl")
    for payload, room in zip(payloads, sorted(rooms, key=lambda room: room["id"])):
        text = urllib.parse.quote(payload.text.encode()[:3000])
        page(f"/room/evil/{room['id']}?limit=50")
        page(f"/message/evil/{ids[payload.number]}")
        page(f"/search?q={text}")
        turn = payload.number % 6
        paths = [
            f"/?filter={text}",
            f"/room/evil/{text}",
            f"/room/evil/{room['id']}?day={text}",
            f"/message/evil/{text}",
            f"/merged?room={text}",
            f"/{text}",
        ]
        page(paths[turn])
        apis = [
            f"messages/evil/{ids[payload.number]}",
            f"messages?room={text}",
            f"search?q={text}",
            f"messages?after={text}",
            f"{text}",
            f"users?account={text}",
        ]
        page(f"/api/v1/{apis[turn]}", "json")
    take("events", "the stream of events", server.stream("/api/v1/changes?account=evil&after=00000000-0000-4000-8000-000000000000:0", 12 * len(payloads)))


TOOLS = [
    ("list_rooms", {}),
    ("list_people", {}),
    ("get_messages", {"account": "evil", "limit": 50}),
    ("search", {"q": "on:2026", "limit": 50, "context": 1}),
    ("search", {"q": "on:2026", "by": "room"}),
    ("gaps", {}),
    ("stats", {}),
    ("whats_new", {"account": "evil"}),
]


def asked(assistant, take, messages, payloads):
    for tool, arguments in TOOLS:
        take("assistant", f"the tool {tool} {arguments}", assistant.call(tool, **arguments))
    ids = {it.payload.number: it.id for it in messages.values() if it.kind == "message"}
    for payload in payloads:
        text, id = payload.text, ids[payload.number]
        calls = [
            ("get_message", {"message": id, "account": "evil"}),
            ("get_thread", {"message": id, "account": "evil"}),
            ("search", {"q": text}),
            ("get_messages", {"room": text}),
            ("get_messages", {"account": "evil", "around": id, "limit": 13}),
        ]
        for tool, arguments in (calls[0], calls[payload.number % 4 + 1]):
            take("assistant", f"the tool {tool}, {payload}", assistant.call(tool, **arguments))
        if payload.number % 5 == 0:
            take("assistant", f"an unknown tool, {payload}", assistant.ask("tools/call", {"name": text, "arguments": {text: text}}))
            take("assistant", f"an unknown method, {payload}", assistant.ask(text, {}))
