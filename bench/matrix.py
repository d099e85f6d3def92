#!/usr/bin/env -S python3 -B
"""Measures the Matrix listener at a homeserver of this script, which answers at once.

usage: bench/matrix.py [--binary .build/release/scrollback] [first|live|rooms ...]

A real homeserver (Synapse with SQLite, on two cores) handles about 75 messages a second, so a benchmark with one would measure the
homeserver. Tests/Soak/matrix_soak.py uses a real one, and reports its own times.

- first: the first sync of 100 rooms with 1,000 messages each: the last 100 of each room in the sync, the other 900 by /messages. The
  time until all are stored, and the largest resident memory
- live: 200 events a second in 20 rooms for a minute: the time from sending to stored, the median and the 99th of 100
- rooms: 500 rooms with 20 messages each, and then 10 events a second for 20 s: the resident memory, then and at most
"""

import argparse
import http.server
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from pathlib import Path

WORDS = (
    "server down again please restart the build it works now 안녕하세요 서버가 죽었어요 오늘 배포 합니다 kernel update "
    "thanks lunch 東京 meeting tomorrow review merge branch 사랑 내일 회의 release notes test failed passed"
).split()
TIMELINE, LONGEST_WAIT = 100, 600


def event(room, number, at, text):
    return {
        "type": "m.room.message",
        "event_id": f"${room}-{number}",
        "sender": f"@user{number % 50}:x",
        "origin_server_ts": int(at * 1000),
        "content": {"msgtype": "m.text", "body": text},
        "unsigned": {"age": 100},
    }


def state(kind, content, key=""):
    return {
        "type": kind,
        "state_key": key,
        "event_id": f"${kind}{random.random()}",
        "sender": "@user0:x",
        "origin_server_ts": 1,
        "content": content,
    }


class Homeserver:
    """Rooms of messages, the oldest first; `arrived` wakes the sync that waits."""

    def __init__(self, rooms, messages):
        chance, now = random.Random(1), time.time()
        self.lock, self.begun = threading.Condition(), now
        self.rooms = []
        for room in range(rooms):
            texts = (" ".join(chance.choices(WORDS, k=chance.randrange(3, 14))) for _ in range(messages))
            self.rooms.append([event(room, i, now - 3600 * 24 + i * 60, text) for i, text in enumerate(texts)])
        # (room, event) of what came live, in order: the place of a sync is its length.
        self.live = []
        handler = type("Handler", (Handler,), {"home": self})
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def send(self, room, said):
        with self.lock:
            self.live.append((room, said))
            self.lock.notify_all()

    def first(self):
        members = [state("m.room.member", {"membership": "join", "displayname": f"User {n}"}, f"@user{n}:x") for n in range(50)]
        return {
            "next_batch": "0",
            "rooms": {
                "join": {
                    f"!{room}:x": {
                        "state": {"events": [state("m.room.name", {"name": f"room {room}"})] + members},
                        "timeline": {
                            "events": events[-TIMELINE:],
                            "limited": len(events) > TIMELINE,
                            "prev_batch": f"{max(0, len(events) - TIMELINE)}",
                        },
                    }
                    for room, events in enumerate(self.rooms)
                }
            },
        }

    def later(self, since, wait):
        with self.lock:
            self.lock.wait_for(lambda: len(self.live) > since, wait)
            new, place = self.live[since:], len(self.live)
        rooms = {}
        for room, said in new:
            rooms.setdefault(f"!{room}:x", {"timeline": {"events": []}})["timeline"]["events"].append(said)
        return {"next_batch": str(place), "rooms": {"join": rooms}}

    def history(self, room, before, limit):
        if before <= 0:
            return {"chunk": [state("m.room.create", {})], "start": "0"}
        events = self.rooms[room][max(0, before - limit) : before]
        return {"chunk": events[::-1], "start": str(before), "end": str(before - len(events))}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.answer({"access_token": "token", "user_id": "@bot:x", "device_id": "D"})

    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        query = {key: values[0] for key, values in urllib.parse.parse_qs(address.query).items()}
        if address.path.endswith("/sync"):
            wait = int(query.get("timeout", 0)) / 1000
            self.answer(self.home.later(int(query["since"]), wait) if "since" in query else self.home.first())
        elif address.path.endswith("/messages"):
            room = int(re.search(r"/rooms/!(\d+):x/", urllib.parse.unquote(address.path))[1])
            before = int(query.get("from", len(self.home.rooms[room])))
            self.answer(self.home.history(room, before, int(query.get("limit", 10))))
        elif address.path.endswith("/joined_rooms"):
            self.answer({"joined_rooms": [f"!{room}:x" for room in range(len(self.home.rooms))]})
        else:
            self.answer({})

    def answer(self, value, status=200):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


class Listener:
    """`scrollback listen` of one account, and its file."""

    def __init__(self, binary, home):
        self.folder = tempfile.TemporaryDirectory(prefix="scrollback-matrix-")
        folder = Path(self.folder.name)
        (folder / "secret").write_text("password\n")
        (folder / "secret").chmod(0o600)
        (folder / "scrollback.toml").write_text(
            f'data = "data"\n[[account]]\nname = "matrix"\nnetwork = "matrix"\nuser = "@bot:x"\n'
            f'server = "http://127.0.0.1:{home.server.server_port}"\npassword_file = "secret"\nhistory_days = 365\n'
        )
        environment = {key: value for key, value in os.environ.items() if not key.startswith("SCROLLBACK_")}
        with open(folder / "log", "wb") as log:
            self.process = subprocess.Popen(
                [binary, "listen", "--config", folder / "scrollback.toml"], stderr=log, stdout=log, env=environment
            )
        self.path, self.reader = folder, None

    def messages(self):
        """The number of messages in the archive, without joins."""
        if self.reader is None:
            files = list(self.path.glob("data/accounts/*/*.sqlite"))
            if not files:
                return 0
            self.reader = sqlite3.connect(f"file:{files[0]}?mode=ro", uri=True, timeout=10)
        try:
            return self.reader.execute("SELECT ifnull(sum(messages), 0) FROM room").fetchone()[0]
        except sqlite3.OperationalError:
            return 0

    def wait(self, count):
        end = time.time() + LONGEST_WAIT
        while self.messages() < count:
            if time.time() > end or self.process.poll() is not None:
                sys.exit(f"{self.messages()} of {count} messages are stored: see {self.keep()}")
            time.sleep(0.005)

    def keep(self):
        self.folder._finalizer.detach()
        return self.path / "log"

    def memory(self, field):
        """Resident memory in MiB: VmRSS now, VmHWM the largest."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"{field}:\s+(\d+)", status)[1]) / 1024

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        if status := self.process.wait(30):
            sys.exit(f"the listener ended with {status}: see {self.keep()}")


def first(binary):
    home = Homeserver(100, 1000)
    begun = time.time()
    listener = Listener(binary, home)
    # The creation of each room is a message, too.
    listener.wait(100_100)
    took = time.time() - begun
    print(f"first sync, 100 rooms of 1,000 messages: {took:.1f} s, {100_000 / took:,.0f}/s, peak {listener.memory('VmHWM'):.1f} MiB")
    listener.stop()


def live(binary):
    home, rate, seconds = Homeserver(20, 0), 200, 60
    listener = Listener(binary, home)
    # Each room has a message first, so that it is there.
    for room in range(20):
        home.send(room, event(room, 0, time.time(), "first"))
    listener.wait(40)
    sent, stored = [], []

    def watch():
        while len(stored) < rate * seconds:
            count, now = listener.messages() - 40, time.time()
            stored.extend([now] * (count - len(stored)))
            time.sleep(0.002)

    listener.reader.close()
    listener.reader = None
    watcher = threading.Thread(target=watch)
    watcher.start()
    begun = time.time()
    for number in range(rate * seconds):
        time.sleep(max(0, begun + number / rate - time.time()))
        sent.append(time.time())
        home.send(number % 20, event(number % 20, number + 1, time.time(), f"live message {number}"))
    watcher.join(LONGEST_WAIT)
    took = sorted(b - a for a, b in zip(sent, stored))
    print(
        f"live, {rate} events a second for {seconds} s: stored {len(stored):,}, the median after {took[len(took) // 2] * 1000:.0f} ms, "
        f"99 of 100 within {took[len(took) * 99 // 100] * 1000:.0f} ms, peak {listener.memory('VmHWM'):.1f} MiB"
    )
    listener.stop()


def rooms(binary):
    home = Homeserver(500, 20)
    listener = Listener(binary, home)
    listener.wait(10_500)
    for number in range(200):
        home.send(number % 500, event(number % 500, 1000 + number, time.time(), f"live message {number}"))
        time.sleep(0.1)
    listener.wait(10_700)
    print(f"500 rooms: resident {listener.memory('VmRSS'):.1f} MiB, peak {listener.memory('VmHWM'):.1f} MiB")
    listener.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", choices=[[], "first", "live", "rooms"], default=[])
    parser.add_argument("--binary", default=".build/release/scrollback")
    options = parser.parse_args()
    for part in options.parts or ["first", "live", "rooms"]:
        globals()[part](options.binary)


if __name__ == "__main__":
    main()
