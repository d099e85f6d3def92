#!/usr/bin/env python3
"""Writes a full export of an invented account with everything that a page shows: python3 sample.py FOLDER"""
import hashlib
import json
import os
import struct
import sys
import zlib
from datetime import datetime, timedelta, timezone

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
START = datetime(2026, 11, 19, 9, 0, tzinfo=timezone.utc)


def at(minutes):
    return (START + timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def picture(width, height):
    rows = b"".join(
        b"\0" + b"".join(bytes((x * 255 // width, 120 + y * 100 // height, 200 - x * 120 // width)) for x in range(width))
        for y in range(height))

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


PEOPLE = {"U1": "alice", "U2": "bob", "U3": "carol", "U4": "지민", "U5": "عائشة", "U6": "dave\u202eevad", "U7": "me"}
records = [{"record": "account", "name": "team", "network": "streamchat", "epoch": "sample", "created_at": at(0)}]
for key, name in PEOPLE.items():
    records.append({"record": "user", "key": key, "is_self": key == "U7", "pictures": [],
                    "names": [{"name": name, "first_seen": at(0), "last_seen": None}]})
ROOMS = {"general": "general", "design": "design", "he": "עברית"}
for key, name in ROOMS.items():
    records.append({"record": "room", "key": key, "kind": "channel",
                    "names": [{"name": name, "first_seen": at(0), "last_seen": None}]})
records += [
    {"record": "coverage", "room_key": "general", "from": at(0), "to": at(300)},
    {"record": "coverage", "room_key": "general", "from": at(600), "to": at(4000)},
    {"record": "gap_note", "room_key": "general", "from": at(300), "reason": "lost", "attempts": 3, "unfilled": "limit"},
    {"record": "coverage", "room_key": "design", "from": at(0), "to": at(4000)},
    {"record": "read_marker", "room_key": "general", "through": at(1500), "set_at": at(2000)},
]
messages, number = [], 0


def say(minute, who, body, kind="message", room="general", **more):
    global number
    number += 1
    message = {
        "id": at(minute), "room": ROOMS[room], "kind": kind, "room_key": room, "room_kind": "channel",
        "sender": {"id": int(who[1:]), "name": PEOPLE[who], "is_self": who == "U7"}, "sender_key": who,
        "sender_is_self": who == "U7", "body": body, "remote_id": f"m{number}", "received_at": at(minute),
        "source_time": None, "edited_at": None, "deleted_at": None, "flags": [], "reply_to_remote_id": None,
        "versions": [], "reaction_list": [], "files": []}
    message.update(more)
    messages.append(message)
    return message["remote_id"]


png = picture(640, 420)
files = {hashlib.sha256(png).hexdigest(): png, hashlib.sha256(b"notes\n").hexdigest(): b"notes\n"}
hash_png, hash_txt = files.keys()
first = say(1, "U1", "Good morning! Did anybody look at the search results for short words?")
say(2, "U1", "Two letters find nothing for me.")
say(4, "U2", "That is expected: see https://example.org/docs/search#words for the reason.", reply_to_remote_id=first,
    reaction_list=[{"text": "👍", "user_key": "U1", "at": at(5)}, {"text": "👍", "user_key": "U3", "at": at(6)},
                   {"text": "🎉", "user_key": "U4", "at": at(6)}])
say(7, "U3", "    let all = try await reading.roomList()\n    return sorted(all)\n\t// <script>alert(1)</script>\nend")
say(9, "U4", "안녕하세요! 채팅 기록을 검색할 수 있어요. 日本語も大丈夫です。")
say(11, "U5", "السلام عليكم، هل قرأتم الوثائق الجديدة؟")
say(12, "U6", "My name has a right-to-left override, and this line stays in order.")
say(14, "U2", "See you at eleven tomorrow in the small room", edited_at=at(16),
    versions=[{"at": at(14), "body": "See you at ten tomorrow in the big room"},
              {"at": at(15), "body": "See you at eleven tomorrow in the big room"}])
say(18, "U3", "This was meant for another room", deleted_at=at(19))
say(20, "U1", "is back", kind="action")
for index, who in enumerate(["U2", "U3", "U4", "U5"]):
    say(22 + index / 10, who, None, kind="join")
say(23, "U2", None, kind="leave")
say(25, "U2", "Here is the picture and the notes:", files=[
    {"path": "https://files.example.org/hills.png", "bytes": len(png), "sha256": hash_png, "state": "here"},
    {"path": "https://files.example.org/notes.txt", "bytes": 6, "sha256": hash_txt, "state": "here"},
    {"path": "https://files.example.org/huge.zip", "bytes": 900_000_000, "sha256": None, "state": "too_large"}])
say(27, "U1", "An answer to something older", reply_to_remote_id="gone-1")
say(30, "U3", "\x02bold\x02 \x1ditalic\x1d \x0304red\x03 \x0300,02white on blue\x03 \x1funderlined\x1f")
say(33, "U4", "👩‍👩‍👧‍👦 🇰🇷 👍🏽")
say(40, "U2", "long " * 60_000)
for index in range(60):
    say(620 + index * 20, ["U1", "U2", "U3", "U7"][index % 4],
        ["The build is green again.", "Thanks, I will have a look.", "Which version was that?",
         "The one from Tuesday; the report says so.", "Server down again? The server is down in Berlin."][index % 5])
for index in range(30):
    say(1900 + index * 30, ["U1", "U3"][index // 3 % 2], f"Unread line {index + 1}: the colours of the chart need more contrast.")
say(50, "U1", "The chart is in the design folder", room="design")
say(70, "U4", "색이 좋아요", room="design")
say(60, "U5", "שלום לכולם", room="he")
with open(f"{folder}/account.jsonl", "w") as out:
    for record in records:
        out.write(json.dumps(record, ensure_ascii=False) + "\n")
os.makedirs(f"{folder}/rooms", exist_ok=True)
with open(f"{folder}/rooms/2026-11.jsonl", "w") as out:
    for message in sorted(messages, key=lambda message: message["id"]):
        out.write(json.dumps(message, ensure_ascii=False) + "\n")
for hash, data in files.items():
    os.makedirs(f"{folder}/attachments/{hash[:2]}", exist_ok=True)
    open(f"{folder}/attachments/{hash[:2]}/{hash[2:]}", "wb").write(data)
