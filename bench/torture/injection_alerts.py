"""Runs the scripts of docs/alerts.md over payloads, with programs in place of sendmail and curl that write down what they are given."""

import json
import os
import re
import shutil
import signal
import stat
import subprocess
import time

from injection_archive import HostileArchive

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Writes its arguments, a line, and its input, as one JSON object a call.
RECORDER = """#!/usr/bin/env python3
import json, os, sys
line = json.dumps({"arguments": sys.argv[1:], "input": sys.stdin.buffer.read().decode("utf-8", "surrogateescape")}) + "\\n"
fd = os.open(os.environ["RECORDED"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
os.write(fd, line.encode())
"""
LONGEST = 60


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
    return json.dumps(json.loads(sent), ensure_ascii=False) if heading == "A webhook" else sent


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
    for heading, script in scripts().items():
        run(program, report, heading, script, wanted, tools, plant)


def run(program, report, heading, script, wanted, tools, plant):
    """Follows the messages that are there already, so that a script ends when they are sent."""
    script = script.replace("'from:alice server OR 서버' --new", "-n 1000 -a evil")
    if plant == "shell":
        script = script.replace(
            "printf '%s\\n' \"$message\"",
            'eval "$(printf \'%s\' "$message" | jq -r .body)" < /dev/null; printf \'%s\\n\' "$message"',
        )
    recorded = os.path.join(program.folder, "recorded")
    if os.path.exists(recorded):
        os.remove(recorded)
    environment = {**program.environment, "PATH": f"{tools}:{program.environment['PATH']}", "RECORDED": recorded}
    process = subprocess.Popen(
        ["bash", "-c", script],
        env=environment,
        cwd=program.folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    calls, last, deadline = [], None, time.time() + LONGEST
    while time.time() < deadline:
        time.sleep(0.5)
        if os.path.exists(recorded):
            with open(recorded) as file:
                calls = [json.loads(line) for line in file.read().split("\n")[:-1]]
        if calls and len(calls) == last:
            break
        last = len(calls)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    arguments = {tuple(call["arguments"]) for call in calls}
    if len(arguments) != 1:
        report(f"the alert {heading!r}", [f"arguments differ: {sorted(arguments)[:3]}"])
    sent = {given(heading, call["input"]) for call in calls}
    newest = [expected(heading, message) for message in wanted]
    missing = [it for it in newest if it not in sent]
    if not calls:
        report(f"the alert {heading!r}", ["nothing was sent"])
    # A page of 1000 messages has the newest payloads, all of them where they are few.
    elif len(missing) > max(0, len(newest) - 1000 * 4 // 11) + 4:
        report(f"the alert {heading!r}", [f"{len(missing)} of {len(newest)} were not sent as said: {missing[0][:200]!r}"])
