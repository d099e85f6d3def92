"""Writes a full export (docs/json.md) with a payload in every field that a peer controls."""

import base64
import datetime
import json

# Kinds whose body is a text, a reason, a topic or a new name.
KINDS = ("message", "action", "notice", "system", "join", "leave", "kick", "rename", "topic", "mode", "invite")
START = datetime.datetime(2026, 11, 20, tzinfo=datetime.timezone.utc)
# Seconds from one payload to the next; each of its messages is a second later than the last.
STEP = 40


def instant(seconds):
    return (START + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


class Expected:
    """A message as `history --format jsonl` must give it back."""

    def __init__(self, payload, id, kind, body, room, sender, files, reactions, reply):
        self.payload, self.id, self.kind, self.body, self.room, self.sender = payload, id, kind, body, room, sender
        self.files, self.reactions, self.reply = files, reactions, reply

    def differences(self, message):
        sender = (message["sender"] or {}).get("name")
        found = {
            "kind": message["kind"],
            "body": message["body"],
            "room": message["room"],
            "sender": sender,
            "reply_to_remote_id": message["reply_to_remote_id"],
            "files": [file["path"] for file in message["attachments"]],
            "reactions": [it["text"] for it in message["reactions"]],
        }
        wanted = {
            "kind": self.kind,
            "body": self.body,
            "room": self.room,
            "sender": self.sender,
            "reply_to_remote_id": self.reply,
            "files": self.files,
            "reactions": self.reactions,
        }
        return [f"{key} is {found[key]!r}, and was {wanted[key]!r}" for key in wanted if found[key] != wanted[key]]


class HostileArchive:
    """`lines` is the export; `messages` has what must come back, by id."""

    def __init__(self, payloads, start=0):
        self.lines, self.messages = [], {}
        self.record(record="account", name="evil", network="slp", epoch="torture", created_at=instant(start))
        for place, payload in enumerate(payloads):
            self.write(payload, start + place * STEP)

    def record(self, **keys):
        self.lines.append(json.dumps(keys))

    def write(self, payload, second):
        text, number = payload.text, payload.number
        room, sender, workspace = (f"{text}#{letter}{number}" for letter in "ruw")
        self.record(record="workspace", key=workspace, names=[{"name": text, "first_seen": instant(second)}])
        self.record(
            record="user",
            key=sender,
            is_self=False,
            pictures=[{"name": text, "first_seen": instant(second)}],
            names=[
                {"name": text + " before", "first_seen": instant(second - 9), "last_seen": instant(second)},
                {"name": text, "first_seen": instant(second)},
            ],
        )
        self.record(
            record="room",
            key=room,
            kind="channel",
            workspace_key=workspace,
            partner_key=sender,
            names=[
                {"name": text + " before", "first_seen": instant(second - 9), "last_seen": instant(second)},
                {"name": text, "first_seen": instant(second)},
            ],
        )
        self.record(record="membership", room_key=room, user_key=sender, joined_at=instant(second))
        self.record(record="coverage", room_key=room, **{"from": instant(second), "to": instant(second + 20)})
        self.record(record="coverage", room_key=room, **{"from": instant(second + 25), "to": instant(second + 30)})
        # The first gap of a hostile export has words of its own, too.
        reason = text if number % 2 else "lost"
        self.record(
            record="gap_note",
            room_key=room,
            attempts=3,
            unfilled="refused",
            detail=text,
            reason=reason,
            **{"from": instant(second + 20)},
        )
        self.record(
            record="failure",
            room_key=room,
            remote_id=f"{text}#f{number}",
            reason=text,
            first_at=instant(second),
            last_at=instant(second),
            payload=base64.b64encode(text.encode()).decode(),
            count=1,
        )
        self.said(payload, second, room, sender)

    def said(self, payload, second, room, sender):
        text, number = payload.text, payload.number
        # U+0000 is stored as U+FFFD (docs/schema.md).
        stored = text.replace("\x00", "\ufffd")
        for index, kind in enumerate(KINDS):
            id, remote = instant(second + 1 + index), f"{text}#m{number}.{index}"
            line = {
                "id": id,
                "room": text,
                "room_key": room,
                "room_kind": "channel",
                "kind": kind,
                "body": text,
                "remote_id": remote,
                "sender": {"name": text},
                "sender_key": sender,
            }
            expected = Expected(payload, id, kind, stored, stored, stored, [], [], None)
            if kind == "system":
                line["sender"], line["sender_key"], expected.sender = None, None, None
            if kind == "message":
                line["versions"] = [{"at": id, "body": text + " before"}]
                line["edited_at"] = instant(second + 2)
                line["reaction_list"] = [{"text": text, "user_key": sender, "at": instant(second + 2)}]
                expected.files = [stored, f"https://files.example.org/{stored}"]
                paths = [text, f"https://files.example.org/{text}"]
                line["files"] = [{"path": path, "bytes": 3, "state": "missing"} for path in paths]
                # The archive keeps 1000 bytes of a reaction.
                expected.reactions = [stored.encode()[:1000].decode(errors="ignore")]
            if kind == "action":
                line["reply_to_remote_id"], expected.reply = f"{text}#m{number}.0", f"{stored}#m{number}.0"
            if kind == "notice":
                line["deleted_at"] = instant(second + 3)
                self.record(
                    record="retraction",
                    room_key=room,
                    remote_id=remote,
                    user_key=sender,
                    at=instant(second + 3),
                    reason=text,
                    wipes=False,
                )
            self.messages[id] = expected
            self.lines.append(json.dumps(line))

    def write_to(self, path):
        with open(path, "w") as file:
            file.write("\n".join(self.lines) + "\n")
