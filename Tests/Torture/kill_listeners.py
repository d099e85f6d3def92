"""`scrollback listen`, killed while people talk. What one round needs: a new archive, its lives, and the comparison.

Acknowledged is each id that the listener writes to its descriptor 3 after COMMIT.
"""

import asyncio
import json
import os
import random
import signal
import sqlite3
import threading
import time

import torture
from torture import Failed

import soak_comparison
import soak_people

# The longest wait for people, servers and a listener on a busy machine.
PATIENCE = 120


class People:
    """An event loop in a thread of its own, with those who talk and a witness."""

    def __init__(self):
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    def run(self, work):
        """Waits for a coroutine's result."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE)

    def begin(self, work):
        asyncio.run_coroutine_threadsafe(work, self.loop)


def wait_until(what, is_so):
    patience = torture.Patience(PATIENCE)
    while not (found := is_so()):
        if patience.is_over():
            raise Failed(f"{what}: not within {PATIENCE} s")
        time.sleep(0.01)
    return found


class Listening:
    """A workload with a listener. Subclasses have people who talk, and compare what they said with the archive."""

    ROUND = 50

    def __init__(self, program, seed):
        self.program, self.random = program, random.Random(f"{seed} people")
        self.longest, self.plant, self.listener = None, None, None
        os.makedirs(self.program.folder, exist_ok=True)
        self.start_server()

    def begin(self):
        self.acknowledged = os.path.join(self.program.folder, "acknowledged")
        with open(os.path.join(self.program.folder, "scrollback.toml"), "w") as file:
            file.write(self.configuration())
        self.lives = []
        self.begin_talk()
        began = time.time()
        listener = self.start()
        wait_until("the first message is stored", self.has_news(listener))
        self.end_life(listener, signal.SIGKILL)
        self.longest = min(2, 2 * (time.time() - began))

    def start(self):
        with open(os.path.join(self.program.folder, "listen.log"), "ab") as log:
            self.listener = self.program.listen(self.acknowledged, log)
        self.lives.append([self.size(), None])
        return self.listener

    def stop(self):
        """After a failure."""
        if self.listener and self.listener.poll() is None:
            self.listener.kill()
            self.listener.wait()

    def size(self):
        return os.path.getsize(self.acknowledged) if os.path.exists(self.acknowledged) else 0

    def has_news(self, listener):
        before = self.size()

        def is_so():
            if listener.poll() is not None:
                raise Failed(f"the listener ended with {listener.returncode}: {self.log()}")
            return self.size() > before

        return is_so

    def log(self):
        with open(os.path.join(self.program.folder, "listen.log")) as file:
            return file.read()[-600:]

    def end_life(self, listener, number):
        listener.send_signal(number)
        wait_until("the listener ends", lambda: listener.poll() is not None)
        self.lives[-1][1] = self.size()
        return listener.returncode

    def kill(self, chance):
        listener = self.start()
        time.sleep(chance.uniform(0, self.longest))
        if (status := self.end_life(listener, signal.SIGKILL)) != -signal.SIGKILL:
            raise Failed(f"the listener ended by itself with {status}: {self.log()}")
        # About half of the lives end before their first message is stored.
        began, ended = self.lives[-1]
        self.longest *= 0.9 if ended > began else 1.1
        return 1

    def end(self):
        """Lets the listener hear everything once more, and returns the misses."""
        kept = self.program.data + "-kept"
        if self.plant == "lost":
            torture.copy(self.program.data, kept)
        listener = self.start()
        wait_until("a message is stored in the end", self.has_news(listener))
        self.wait_for_rooms()
        self.pause_talk()
        misses = self.wait_for_last()
        if (status := self.end_life(listener, signal.SIGTERM)) != 0:
            misses.append(f"the listener ended with {status}: {self.log()}")
        self.end_talk()
        if self.plant == "lost":
            torture.copy(kept, self.program.data)
        elif self.plant:
            self.sabotage()
        try:
            self.program.check()
            self.messages = self.program.messages()
            self.gaps = json.loads(self.program.must("gaps", "--format", "json"))["gaps"]
        except Failed as failure:
            return [*misses, str(failure)]
        return misses + self.compare_acknowledged() + self.compare()

    def wait_for_rooms(self):
        """With one room, or with history, nothing more is to wait for."""

    def sabotage(self):
        """Plants a bug that the comparison must notice."""
        [file] = torture.account_files(self.program.data, ".sqlite")
        if self.plant == "corrupt":
            torture.overwrite(file)
        elif self.plant == "no-gap":
            with sqlite3.connect(file) as database:
                ends = database.execute("SELECT room_id, min(from_us), max(coalesce(to_us, 0)) FROM coverage GROUP BY room_id").fetchall()
                for room, first, last in ends:
                    database.execute("DELETE FROM coverage WHERE room_id = ? AND from_us <> ?", (room, first))
                    database.execute("UPDATE coverage SET to_us = ? WHERE room_id = ?", (last, room))
                database.execute("DELETE FROM gap_note WHERE from_us NOT IN (SELECT to_us FROM coverage)")
        elif self.plant == "twice":
            message = next(m for m in self.program.messages() if torture.NUMBERED.search(m["body"] or ""))
            line = {**{name: message[name] for name in ("room", "kind", "sender", "body")}, "id": "2024-01-01T00:00:00.000000Z"}
            line["sender"] = {"name": line["sender"]["name"]}
            with open(os.path.join(self.program.folder, "twice.jsonl"), "w") as log:
                log.write(json.dumps(line) + "\n")
            self.program.must("import", "jsonl", "twice.jsonl", "-a", message["account"], "--allow-shift")

    def acknowledged_lives(self):
        """The ids that each life acknowledged."""
        with open(self.acknowledged) as file:
            text = file.read()
        # A kill may have cut the last line of a life.
        return [text[start:end].split("\n")[:-1] for start, end in self.lives]

    def compare_acknowledged(self):
        stored = {message["id"] for message in self.messages}
        missing = [id for ids in self.acknowledged_lives() for id in ids if id not in stored]
        return [f"acknowledged, and missing: {missing[:3]} ({len(missing)})"] if missing else []

    def compare_gaps(self):
        """What one life heard of a room from its first message to its last one is in no gap."""
        rooms = {message["id"]: message["room"] for message in self.messages}
        misses = []
        for ids in self.acknowledged_lives():
            heard = {}
            for id in ids:
                heard.setdefault(rooms.get(id), []).append(id)
            for gap in self.gaps:
                own = sorted(heard.get(gap["room"], []))
                if own and gap["from"] < own[-1] and (gap["to"] is None or gap["to"] > own[0]):
                    misses.append(f"{gap['room']}: {own[0]} to {own[-1]} were heard in one life, and {gap['from']} to {gap['to']} is a gap")
        return misses

    def compare_rooms(self, relayed):
        """`relayed`: by room, what a witness saw, in order."""
        misses = []
        for name, seen in relayed.items():
            archived = [m for m in self.messages if m["room"] == name and soak_people.number(m["body"]) is not None]
            stored = {soak_people.number(m["body"]) for m in archived}
            # What was said before the archive began is not missing.
            first = next((index for index, (number, *_) in enumerate(seen) if number in stored), len(seen))
            gaps = [gap for gap in self.gaps if gap["room"] == name]
            room = soak_comparison.Room(name, seen[first:], archived, gaps, False)
            room.compare(self.sent())
            misses += room.misses
        return misses
