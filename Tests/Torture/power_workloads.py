"""The workloads that powercuts.py records, and the rules for each image.

`prepare` makes the folder. `run` is recorded. `check` gets the program on an image, and the output that the program had written by then.
"""

import datetime
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import time

import torture
from torture import Failed, expect, numbers

FIRST, ALL = 250, 600
IDS = re.compile(r"^\d{4}-\d\d-\d\dT[\d:.]+Z$", re.MULTILINE)


class Workload:
    def __init__(self, program):
        self.program = program

    def log(self, name, wanted, **how):
        torture.write_log(os.path.join(self.program.folder, name), wanted, **how)

    def configure(self, text):
        with open(os.path.join(self.program.folder, "scrollback.toml"), "w") as file:
            file.write(text)


class Ingest(Workload):
    """A listener in a StreamChat room; acknowledged is each id that it writes to its descriptor 3."""

    COUNT = 400

    def prepare(self):
        self.server = self.program.start("room-server", "--port", "0", "--framing", "nul", text=True)
        port = int(re.search(r"port=(\d+)", self.server.stderr.readline())[1])
        self.configure(
            f'[[account]]\nname = "demo"\nnetwork = "streamchat"\nserver = "tcp://127.0.0.1:{port}"\nnick = "archiver"\n'
            'room = "lobby"\nframing = "nul"\nsign_of_life_seconds = 1\n'
        )
        self.talker = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.talker.sendall(b"USR_NAME::alice::END")
        self.heard, self.times = b"", {}

    def wait(self, for_bytes):
        while for_bytes not in self.heard:
            data = self.talker.recv(1 << 16)
            if not data:
                raise SystemExit("the room server hung up")
            self.heard += data

    def run(self, program):
        # What is outside the folder is recorded as output.
        listener = program.listen("/dev/null")
        self.wait(b"archiver has joined")
        for number in range(self.COUNT):
            self.times[number] = time.time()
            # Long texts: the log grows over the 1,000 pages at which SQLite moves them into the file.
            self.talker.sendall(f"MSG::{torture.text(number)} {'x' * 200}::END".encode())
            if number % 5 == 0:
                self.wait(torture.text(number).encode())
                time.sleep(0.002)
        self.wait(torture.text(self.COUNT - 1).encode())
        time.sleep(0.2)
        listener.send_signal(signal.SIGTERM)
        if listener.wait(60) != 0:
            raise SystemExit("the listener failed")
        self.server.kill()
        self.server.communicate()

    def check(self, program, output):
        acknowledged = set(IDS.findall(output))
        _, _, errors = program.run("accounts")
        if "[no-archive]" in errors and not acknowledged:
            return
        program.check()
        messages = program.messages()
        stored = numbers(messages)
        expect(stored, range(len(stored)), "stored messages are not the first ones")
        missing = acknowledged - {message["id"] for message in messages}
        if missing:
            raise Failed(f"{len(missing)} acknowledged messages are missing, such as {min(missing)}")
        if stored and len(stored) < self.COUNT:
            self.check_gap(program, messages[-1]["id"], self.times[len(stored)])

    def check_gap(self, program, last, lost):
        """The gap begins after the last stored message and before the first one that is lost."""
        gaps = json.loads(program.must("gaps", "--format", "json"))["gaps"]
        lost = datetime.datetime.fromtimestamp(lost + 1, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        if not any(gap["to"] is None and gap["from"] <= lost for gap in gaps):
            raise Failed(f"messages after {last} are missing, and no gap says so: {gaps}")
        if any(gap["from"] < last and (gap["to"] is None or gap["to"] > last) for gap in gaps):
            raise Failed(f"the message {last} is stored, and in a gap: {gaps}")


class Import(Workload):
    """Two imports: more messages of an account, some of which it has, and a new account."""

    def prepare(self):
        for name, wanted in {"first": range(FIRST), "more": range(FIRST // 2, ALL), "other": range(ALL, ALL + FIRST)}.items():
            self.log(f"{name}.jsonl", wanted)
        self.program.must("import", "jsonl", "first.jsonl", "-a", "demo")

    def run(self, program):
        program.must("import", "jsonl", "more.jsonl", "-a", "demo")
        program.must("import", "jsonl", "other.jsonl", "-a", "other")

    def check(self, program, output):
        program.check()
        done = output.count(" new messages, ")
        found = numbers(program.messages())
        wanted = [*range(ALL if done > 0 else FIRST), *(range(ALL, ALL + FIRST) if done > 1 else [])]
        expect(found, wanted, "after the cut", more=range(ALL + FIRST))
        self.run(program)
        expect(numbers(program.messages()), range(ALL + FIRST), "imported again")
        program.check()


class Move(Workload):
    """Compresses an account whose newest messages are in the write-ahead log, restores it, and does both again."""

    def prepare(self):
        self.log("first.jsonl", range(FIRST))
        self.log("more.jsonl", range(FIRST, ALL))
        self.program.must("import", "jsonl", "first.jsonl", "-a", "demo")
        # While somebody reads, the log can't be moved into the file.
        [file] = torture.account_files(self.program.data, "1.sqlite")
        reader = sqlite3.connect(f"file:{file}?mode=ro", uri=True, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM message").fetchall()
        self.program.must("import", "jsonl", "more.jsonl", "-a", "demo")
        copy = os.path.join(self.program.folder, "copy")
        subprocess.run(["cp", "-a", self.program.data, copy], check=True)
        reader.close()
        shutil.rmtree(self.program.data)
        os.rename(copy, self.program.data)
        if not os.path.getsize(file + "-wal"):
            raise SystemExit("the write-ahead log is empty")

    def run(self, program):
        program.must("archive", "compress", "demo")
        program.must("archive", "restore", "demo")
        program.must("archive", "compact", "demo", "--execute")
        program.must("archive", "compress", "demo")
        # Reading expands it.
        program.must("history", "demo/room0")

    def check(self, program, output):
        expect(numbers(program.messages("-a", "demo")), range(ALL), "after the cut")
        program.check()
        program.must("archive", "compress", "demo")
        program.check()
        expect(numbers(program.messages("-a", "demo")), range(ALL), "compressed again")


class Forget(Workload):
    """Rules that remove all but the newest messages, then a person who is forgotten."""

    KEPT = 40
    NAME, WORD = "mallory", "canarywort"

    def prepare(self):
        self.log("log.jsonl", range(ALL))
        said = [json.loads(torture.log_line(number, room="room0", sender=self.NAME)) for number in range(ALL, ALL + 30)]
        with open(os.path.join(self.program.folder, "log.jsonl"), "a") as file:
            for message in said:
                message["body"] += f" {self.WORD} 카나리아"
                file.write(json.dumps(message, ensure_ascii=False) + "\n")
        self.program.must("import", "jsonl", "log.jsonl", "-a", "demo")
        os.remove(os.path.join(self.program.folder, "log.jsonl"))
        self.configure(f'[retention]\nmax_age = "1h"\nmin_messages = {self.KEPT}\n')
        by_room = {room: [number for number in range(ALL) if number % 3 == room] for room in range(3)}
        # In the first room the newest are those of the person who is forgotten.
        by_room[0] += range(ALL, ALL + 30)
        self.kept = [number for room in by_room.values() for number in room[-self.KEPT :] if number < ALL]

    def run(self, program):
        program.must("retention", "apply", "--yes")
        program.must("retention", "forget", "-a", "demo", "--user", self.NAME, "--delete", "--execute")

    def check(self, program, output):
        program.check()
        found = numbers(program.messages())
        is_applied, is_forgotten = "removed" in output, "forgot" in output
        others = [number for number in found if number < ALL]
        expect(others, self.kept, "what the rules keep", more=[] if is_applied else range(ALL))
        if is_forgotten:
            self.check_traces(program, found)
        program.must("retention", "apply", "--yes")
        status, _, errors = program.run("retention", "forget", "-a", "demo", "--user", self.NAME, "--delete", "--execute")
        if status != 0 and "[unknown-user]" not in errors:
            raise Failed(f"forgetting again: {errors}")
        found = numbers(program.messages())
        # If forgetting was first, the rules kept others in place of what was forgotten.
        expect(found, self.kept, "in the end", more=range(ALL))
        self.check_traces(program, found)
        program.check()

    def check_traces(self, program, found):
        left = [number for number in found if number >= ALL]
        traces = torture.traces(program.data, self.NAME, self.WORD, self.WORD[-6:], "카나", "나리")
        if left or traces:
            raise Failed(f"forgotten, and still there: {left} {traces}")


class Backup(Workload):
    """A backup that replaces an earlier one, and a new one."""

    def prepare(self):
        self.log("first.jsonl", range(FIRST))
        self.log("more.jsonl", range(FIRST, ALL))
        self.program.must("import", "jsonl", "first.jsonl", "-a", "demo")
        self.program.must("backup", "--all", "copies")
        self.program.must("import", "jsonl", "more.jsonl", "-a", "demo")

    def run(self, program):
        program.must("backup", "--all", "copies")
        program.must("backup", "--all", "second")

    def check(self, program, output):
        expect(numbers(program.messages()), range(ALL), "the account itself")
        program.check()
        done = output.count("messages in")
        for index, (folder, earlier) in enumerate([("copies", FIRST), ("second", 0)]):
            self.check_copy(program, folder, ALL if done > index else None, earlier)
        self.run(program)
        for folder in ("copies", "second"):
            self.check_copy(program, folder, ALL, None)
            program.must("backup", "verify", folder)

    def check_copy(self, program, folder, acknowledged, earlier):
        if not os.path.isdir(os.path.join(program.folder, folder)):
            found = []
        else:
            copies = program.on(program.folder)
            copies.environment["SCROLLBACK_DATA"] = copies.data = os.path.join(program.folder, folder)
            found = numbers(copies.messages())
        wanted = {acknowledged} - {None} or {earlier, ALL}
        if len(found) not in wanted:
            raise Failed(f"{folder} has {len(found)} messages in place of {' or '.join(map(str, sorted(wanted)))}")
        expect(found, range(len(found)), folder)


WORKLOADS = {"ingest": Ingest, "import": Import, "move": Move, "forget": Forget, "backup": Backup}
