"""The parts that kills.py and powercuts.py share: the program, the messages of an archive, and logs to import. runs.py has their command lines."""

import datetime
import json
import os
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Soak"))

import soak_servers
from patience import Patience

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NUMBERED = re.compile(r"<(\d{7})>")
START = datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc)
# Longer than any command takes here on a busy machine.
LONGEST = 120


class Failed(Exception):
    """A command that should have succeeded."""


class Program:
    """`scrollback` with a data folder; the configuration, if there is one, stands beside it."""

    def __init__(self, binary, folder, environment=None):
        self.binary, self.folder, self.data = binary, folder, os.path.join(folder, "data")
        # Settings of the user who runs this don't apply.
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("SCROLLBACK_")}
        self.environment.update(environment or {}, HOME=folder, XDG_CONFIG_HOME=folder, TZ="UTC", SCROLLBACK_DATA=self.data)

    def on(self, folder, environment=None):
        """The same program on the folder of another archive."""
        return Program(self.binary, folder, environment)

    def start(self, *arguments, **more):
        """Starts a process that ends when this one does."""
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
        return subprocess.Popen(
            [self.binary, *arguments], cwd=self.folder, env=self.environment, preexec_fn=soak_servers.end_with_us, **pipes
        )

    def listen(self, acknowledged, log=subprocess.DEVNULL):
        """Starts a listener that writes the ids of stored messages to a file."""
        command = ["sh", "-c", 'exec "$@" 3>> "$0"', acknowledged, self.binary, "listen", "--ack-fd", "3"]
        places = {"cwd": self.folder, "stdin": subprocess.DEVNULL, "stdout": log, "stderr": log}
        return subprocess.Popen(command, env=self.environment, preexec_fn=soak_servers.end_with_us, **places)

    def run(self, *arguments):
        """Returns the exit status, stdout and stderr."""
        process, patience = self.start(*arguments), Patience(LONGEST)
        while True:
            try:
                output, errors = process.communicate(timeout=Patience.STEP)
                return process.returncode, output.decode(errors="replace"), errors.decode(errors="replace")
            except subprocess.TimeoutExpired:
                if patience.is_over():
                    process.kill()
                    return 1, "", f"scrollback {' '.join(arguments)} took over {LONGEST} s"

    def must(self, *arguments):
        """Returns stdout of a command that has to succeed."""
        status, output, errors = self.run(*arguments)
        if status != 0:
            raise Failed(f"scrollback {' '.join(arguments)} ended with {status}: {output}{errors}".strip())
        return output

    def messages(self, *where):
        """All messages, oldest first. Those of an account: `-a NAME`."""
        status, output, errors = self.run("history", *(where or ["--all"]), "-n", "all", "--format", "jsonl")
        # 1: there is none.
        if status not in (0, 1):
            raise Failed(f"scrollback history ended with {status}: {errors}")
        return [json.loads(line) for line in output.splitlines() if '"body"' in line]

    def check(self):
        self.must("archive", "check")


def numbers(messages):
    """The numbers in the texts of messages, such as 12 of `<0000012> hello`, in order."""
    return [int(found[1]) for message in messages if (found := NUMBERED.search(message["body"] or ""))]


def expect(found, wanted, what, more=()):
    """Requires every wanted number once, and of the others only some of `more`, once."""
    wanted, allowed = set(wanted), set(wanted) | set(more)
    missing = sorted(wanted - set(found))
    extra = sorted(set(found) - allowed)
    twice = sorted({number for number in found if found.count(number) > 1}) if len(found) > len(set(found)) else []
    if missing or extra or twice:
        raise Failed(
            f"{what}: missing {missing[:3]} ({len(missing)}), twice {twice[:3]} ({len(twice)}), not expected {extra[:3]} ({len(extra)})"
        )


def text(number):
    return f"<{number:07}> 서버 word{number % 97} canary{number % 5}"


def log_line(number, room=None, sender=None, minutes=7):
    """A line to import with `import jsonl`: message `number` of a chat with one every few minutes."""
    time = START + datetime.timedelta(minutes=minutes * number)
    return json.dumps(
        {
            "id": time.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
            "room": room or f"room{number % 3}",
            "kind": "message",
            "sender": {"name": sender or f"person{number % 5}"},
            "body": text(number),
        },
        ensure_ascii=False,
    )


def write_log(path, wanted, **how):
    with open(path, "w") as file:
        file.writelines(log_line(number, **how) + "\n" for number in wanted)


def traces(folder, *words):
    """The files below a folder that contain one of the words."""
    found = []
    for top, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(top, name), "rb") as file:
                content = file.read()
            found += [f"{name} has {word!r}" for word in words if word.encode() in content]
    return found


def account_files(data, end):
    """The files of all accounts whose names end so."""
    return [
        os.path.join(top, name)
        for top, _, names in os.walk(os.path.join(data, "accounts"))
        for name in sorted(names)
        if name.endswith(end)
    ]


def overwrite(path):
    """Damages a database: the heads of pages in its middle."""
    with open(path, "r+b") as file:
        middle = os.path.getsize(path) // 4096 // 2
        for page in range(middle, middle + 4):
            file.seek(page * 4096)
            file.write(b"\xa5" * 64)


def copy(source, target, leave_out=("-shm", ".sock")):
    """Copies a folder; by default as a restart of the machine finds it."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, ignore=lambda _, names: [name for name in names if name.endswith(leave_out)])
