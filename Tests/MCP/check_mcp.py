"""Asks an archive as an assistant does, for Tests/EndToEndTests/Serve/MCPEndToEndTests.swift.

usage: check_mcp.py PROGRAM URL TOKEN

The archive is that of the home folder. Asks over standard input and output and over HTTP, by the protocol of 2026-07-28 and by the one before.
Every answer is compared with what the command prints.
"""

import asyncio
import json
import os
import re
import subprocess
import sys

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

program, url, token = sys.argv[1:]
os.chdir(os.environ["HOME"])

# A tool, its arguments, and the command that prints the same.
QUESTIONS = [
    ("list_rooms", {}, ["rooms"]),
    ("list_rooms", {"account": ["demo"], "sort": "last"}, ["rooms", "-a", "demo", "--sort", "last"]),
    ("list_people", {"sort": "messages"}, ["users", "--sort", "messages"]),
    ("list_people", {"room": "demo/#example"}, ["users", "demo/#example"]),
    ("get_messages", {"account": ["demo", "둘"], "limit": 9}, ["history", "-a", "demo", "-a", "둘", "-n", "9"]),
    ("get_messages", {"room": "demo/가족", "oldest": True, "limit": 7}, ["history", "demo/가족", "--oldest", "-n", "7"]),
    (
        "get_messages",
        {"room": "demo/#example", "around": "2023-11-18", "limit": 8, "utc": True},
        ["history", "demo/#example", "--around", "2023-11-18", "-n", "8", "--utc"],
    ),
    (
        "get_messages",
        {"account": "demo", "after": "2023-11-16", "before": "2023-11-18", "utc": True, "limit": 9, "hide": "joins"},
        "history -a demo --after 2023-11-16 --before 2023-11-18 --utc -n 9 --hide joins".split(),
    ),
    (
        "get_messages",
        {"room": "demo/#example", "hide": ["lurkers", "bots"], "limit": 9},
        ["history", "demo/#example", "--hide", "lurkers", "--hide", "bots", "-n", "9"],
    ),
    ("search", {"q": "안 -server", "context": 2, "limit": 5}, ["search", "-C", "2", "-n", "5", "--", "안", "-server"]),
    ("search", {"q": "server", "count": True}, ["search", "server", "--count"]),
    (
        "search",
        {"q": "server", "between": ["2023-11-16", "2023-11-18"], "utc": True, "limit": 4},
        "search server --between 2023-11-16 2023-11-18 --utc -n 4".split(),
    ),
    ("search", {"q": "server", "by": "room", "limit": 3}, ["search", "server", "--by", "room", "-n", "3"]),
    ("search", {"q": "server", "by": "weekday,user", "utc": True}, "search server --by weekday,user --utc".split()),
    ("search", {"q": "server", "sort": "relevance", "limit": 6}, ["search", "server", "--sort", "relevance", "-n", "6"]),
    ("gaps", {"imported": True}, ["gaps", "--imported"]),
    ("stats", {"room": "demo/#example", "utc": True}, ["stats", "demo/#example", "--utc"]),
]

HOSTILE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]")


def shown(value, key=""):
    """A document with everything invisible made visible, as the tools give it."""
    if isinstance(value, str):
        def visible(match):
            char = match.group()
            return char if key == "body" and char in "\n\t" else f"\\u{{{ord(char):X}}}"

        return HOSTILE.sub(visible, value)
    if isinstance(value, list):
        return [shown(item) for item in value]
    if isinstance(value, dict):
        return {name: shown(item, name) for name, item in value.items()}
    return value


def command(arguments):
    # A negated word ends the options.
    place = arguments.index("--") if "--" in arguments else len(arguments)
    arguments = arguments[:place] + ["--format", "json"] + arguments[place:]
    return json.loads(subprocess.run([program, *arguments], capture_output=True, check=True).stdout)


async def ask(client, tool, arguments):
    result = await client.call_tool(tool, arguments)
    text = result.content[0].text
    assert len(text.encode()) <= 32 * 1024, (tool, arguments, len(text))
    if not result.is_error:
        assert json.loads(text) == result.structured_content, tool
    return result


async def check(client, name):
    tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == [
        "list_rooms", "list_people", "get_messages", "get_message", "search", "get_thread", "whats_new", "gaps", "stats",
    ]
    assert all(tool.annotations.read_only_hint for tool in tools)
    for tool, arguments, words in QUESTIONS:
        found = (await ask(client, tool, arguments)).structured_content
        found.pop("next_skip", None)
        expected = shown(command(words))
        assert found == expected, (name, tool, arguments, found, expected)

    # A walk through a room meets every message once, however many an answer has room for.
    ids, newer = [], None
    while True:
        arguments = {"account": "demo", "limit": 1000} | ({"after": newer} if newer else {"oldest": True})
        page = (await ask(client, "get_messages", arguments)).structured_content
        ids += [message["id"] for message in page["messages"]]
        newer = page["newer"]
        if newer is None:
            break
    everything = command(["history", "-a", "demo", "--oldest", "-n", "1000"])
    assert ids == [message["id"] for message in everything["messages"]], name

    # One message, and its conversation.
    answer = next(message for message in everything["messages"] if message["reply_to"])
    one = (await ask(client, "get_message", {"message": answer["id"], "account": "demo"})).structured_content
    assert one == shown(command(["show", answer["id"], "-a", "demo"])), name
    thread = (await ask(client, "get_thread", {"message": answer["id"], "account": "demo"})).structured_content
    assert answer["reply_to"] in json.dumps(thread), name

    # What is new: nothing, from a position; then everything from the beginning.
    start = (await ask(client, "whats_new", {"account": "demo"})).structured_content
    assert start["changes"] == [] and start["more"] is False
    position = start["position"].rsplit(":", 1)[0] + ":0"
    seen, more = 0, True
    while more:
        new = (await ask(client, "whats_new", {"account": "demo", "after": position, "limit": 500})).structured_content
        seen += len(new["changes"])
        position, more = new["position"], new["more"]
    assert seen >= len(ids) and position == start["position"], (name, seen, position, start)

    # Mistakes come back as words, with advice.
    for tool, arguments, words in [
        ("search", {}, "q is missing"),
        ("search", {"q": "has:cat"}, "unknown condition has:cat"),
        ("get_messages", {"rom": "x"}, "did you mean room?"),
        ("get_messages", {"limit": 100000}, "limit takes 1 to 1000"),
        ("get_messages", {"room": "nowhere"}, "nowhere"),
        ("get_message", {"message": "yesterday"}, "is not a message id"),
        ("whats_new", {}, "account is missing"),
    ]:
        result = await ask(client, tool, arguments)
        assert result.is_error and words in result.content[0].text, (name, tool, result.content[0].text)


async def main():
    for mode in ["auto", "legacy"]:
        server = StdioServerParameters(command=program, args=["mcp"], env=dict(os.environ))
        async with Client(server, mode=mode) as client:
            await check(client, f"stdio {mode}")
        headers = {"Authorization": f"Bearer {token}"}
        async with httpx2.AsyncClient(headers=headers, timeout=30) as http:
            async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
                await check(client, f"http {mode}")
        print(f"{mode}: fine")


asyncio.run(main())
