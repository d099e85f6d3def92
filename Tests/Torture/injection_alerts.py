"""Runs the scripts of docs/alerts.md over payloads, with programs in place of sendmail and curl that write down what they are given."""

import json
import os
import re
import shutil
import signal
import stat
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from injection_archive import HostileArchive
from torture import Patience

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Writes the number of its arguments, each argument and its input, with U+0000 after each.
RECORDER = """#!/bin/sh
{ printf '%s\\0' "$#" "$@"; cat; printf '\\0'; } >> "$RECORDED"
"""
# A script that sends nothing for this many seconds has finished.
LONGEST = 30


def scripts():
    """The scripts by their headings."""
    with open(os.path.join(REPOSITORY, "docs/alerts.md")) as file:
        found = re.findall(r"## ([^\n]+)\n\n```sh\n(.*?)```", file.read(), re.S)
    return {heading: script for heading, script in found if "while IFS= read -r message" in script}


def text(message):
    return f"{message.room} {message.sender or 'server'}: {message.body}"


def expected(heading, message):
    """What the program that sends must be given."""
    if heading == "Mail":
        headers = "To: me@example.org\nSubject: An alert of Scrollback\nContent-Type: text/plain; charset=utf-8\n\n"
        return headers + text(message) + "\n"
    return text(message) + "\n" if heading == "ntfy" else json.dumps({"text": text(message)}, ensure_ascii=False)


def given(heading, sent):
    try:
        return json.dumps(json.loads(sent), ensure_ascii=False) if heading == "A webhook" else sent
    except ValueError:
        return sent


def recorded(path):
    """The arguments and the input of each call."""
    if not os.path.exists(path):
        return []
    with open(path, "rb") as file:
        fields = file.read().decode(errors="surrogateescape").split("\0")[:-1]
    calls, place = [], 0
    while place < len(fields) and fields[place].isdigit() and (end := place + 1 + int(fields[place])) < len(fields):
        calls.append((tuple(fields[place + 1 : end]), fields[end]))
        place = end + 1
    return calls


def alert(program, take, report, payloads, start, plant):
    if not shutil.which("jq"):
        return print("skipped the alerts: there is no jq")
    tools = os.path.join(program.folder, "tools")
    os.makedirs(tools, exist_ok=True)
    for name in ("sendmail", "curl"):
        path = os.path.join(tools, name)
        with open(path, "w") as file:
            file.write(RECORDER)
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
    os.symlink(program.binary, os.path.join(tools, "scrollback"))
    archive = HostileArchive(payloads, start)
    archive.write_to(os.path.join(program.folder, "hostile.jsonl"))
    program.run("import", "jsonl", "hostile.jsonl", "-a", "evil")
    # The scripts leave out what was edited, deleted or reacted to.
    wanted = [it for it in archive.messages.values() if it.kind in ("action", "system", "topic", "kick")]
    found = scripts()
    with ThreadPoolExecutor(len(found)) as pool:
        for each in [pool.submit(run, program, report, *script, wanted, tools, plant) for script in found.items()]:
            each.result()


def run(program, report, heading, script, wanted, tools, plant):
    """Follows the messages that are there already, so that a script ends when they are sent."""
    script = script.replace("'from:alice server OR 서버' --new", "-n 1000 -a evil")
    if plant == "shell":
        script = script.replace(
            "printf '%s\\n' \"$message\"",
            'eval "$(printf \'%s\' "$message" | jq -r .body)" < /dev/null; printf \'%s\\n\' "$message"',
        )
    path = os.path.join(program.folder, f"sent by {heading}")
    environment = {**program.environment, "PATH": f"{tools}:{program.environment['PATH']}", "RECORDED": path}
    process = subprocess.Popen(
        ["bash", "-c", script],
        env=environment,
        cwd=program.folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    newest, calls, patience = [expected(heading, message) for message in wanted], [], Patience(LONGEST)
    missing = set(newest)
    while missing and not patience.is_over():
        time.sleep(0.2)
        known, calls = len(calls), recorded(path)
        missing -= {given(heading, sent) for _, sent in calls[known:]}
        patience = Patience(LONGEST) if len(calls) > known else patience
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    arguments = {arguments for arguments, _ in calls}
    if len(arguments) != 1:
        report(f"the alert {heading!r}", [f"arguments differ: {sorted(arguments)[:3]}"])
    # A page of 1000 messages has the newest payloads, all of them where they are few.
    if len(missing) > max(0, len(newest) - 1000 * 4 // 11):
        example = next(it for it in newest if it in missing)
        report(f"the alert {heading!r}", [f"{len(missing)} of {len(newest)} were not sent as said: {example[:200]!r}"])
