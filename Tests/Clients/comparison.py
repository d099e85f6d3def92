"""Imports a client's log with the built program, and compares the archive with what was said."""

import json
import os
import subprocess
from collections import Counter
from dataclasses import dataclass

import script


@dataclass(frozen=True)
class Fault:
    words: str
    step: script.Step | None = None

    def __str__(self):
        return f"{self.words}: {self.step}" if self.step else self.words


def imported(binary, client, folder):
    """Returns the rows of the archive after an import of the client's log, as steps."""
    data = os.path.join(folder, "archive")
    environment = {"PATH": "/usr/bin:/bin", "HOME": folder, "LC_ALL": "C.UTF-8", "TZ": "UTC", "SCROLLBACK_DATA": data}

    def scrollback(*arguments):
        return subprocess.run(
            [binary, *arguments], env=environment, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL
        )

    run = scrollback("import", client.log_path(folder), "-a", "test", "--timezone", "UTC")
    if run.returncode != 0 and not client.may_skip_files:
        raise SystemExit(f"{client.name}: import failed ({run.returncode})\n{run.stdout}{run.stderr}")
    output = os.path.join(folder, "export.jsonl")
    with open(output, "w") as file:
        subprocess.run(
            [binary, "export", "-a", "test", "--format", "jsonl", "-o", "-"],
            env=environment, stdout=file, stderr=subprocess.DEVNULL, timeout=60, check=True,
        )
    return list(rows(output))


def rows(path):
    with open(path) as file:
        for line in file:
            row = json.loads(line)
            if "kind" in row and "record" not in row and row["kind"] != "system":
                yield script.Step(row["room"], row["kind"], (row.get("sender") or {}).get("name"), row.get("body"))


def plain(step):
    """The step as clients agree on it: servers put quotes around the reasons of quits, and an empty text is none."""
    body = step.body
    if step.kind == "leave" and body:
        body = body.strip('"')
    # In a conversation of two, XMPP clients write addresses.
    sender = (step.sender or "").split("@")[0]
    return (step.room, step.kind, sender, body or None)


def compare(client, said, stored):
    """Returns the faults: steps that are missing, and messages that nobody said."""
    have = Counter(plain(step) for step in stored)
    wanted = [step for step in said if not script.topics(step) & client.lacks]
    faults = []
    for step in wanted:
        if have[plain(step)] > 0:
            have[plain(step)] -= 1
        else:
            faults.append(Fault("not in the archive", step))
    # What a client logs in another form, as bip writes notices like messages.
    lacked = {(step.room, step.sender, step.body) for step in said if script.topics(step) & client.lacks}
    for (room, kind, sender, body), count in have.items():
        is_spoken = kind in script.SPOKEN and sender in script.PEOPLE
        if count > 0 and is_spoken and (room, sender, body) not in lacked:
            faults.append(Fault(f"in the archive, but nobody said it: {room} {kind} <{sender}> {body!r}"))
    return faults
