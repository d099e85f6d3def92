#!/usr/bin/env -S python3 -B
"""Lets a token of one room do its worst to a listener that serves, and measures what the owner notices, beside an idle run.

    Tests/Torture/readers.py --messages 300000 --clients 1000 --binary .build/release/scrollback

The listener hears a StreamChat room, in which somebody talks all the time, and serves an archive of long messages. One token reads
one room of it. Its clients, each with a small receive buffer:

- unread: many connections that ask for the longest answers, files and pages and read nothing, and ask again on a new connection
- stalled: connections that wait to be closed because they do not read
- load: 16 and 64 connections that send regular expressions with many steps, searches with counts, and requests that they abort

Meanwhile the owner asks for a page of messages, a page of a room and a search. What must hold:

- the owner's answers take at most 10 times their time in the idle run (medians; 30 ms count as that, because the client waits for the
  processors itself), and every one comes
- the listener lives, has no gap, and stores every message said; its memory stays under 160 MB with the clients that do not read, and
  under 220 MB until the end
- a connection that reads nothing is closed after 30 s
"""

import argparse
import http.client
import json
import os
import pathlib
import random
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(REPOSITORY / "Tests/Soak"))

import soak_servers  # noqa: E402

# In kB: with clients that do not read, and after every part.
MOST_MEMORY, MOST_MEMORY_OF_ALL = 160_000, 220_000
MOST_TIMES = 10
# What the client itself waits for a processor on a busy machine, in seconds.
NOISE = 0.030
WORDS = "server down again please restart the build it works now deploy kernel update thanks lunch meeting tomorrow".split()
EXPRESSIONS = [r"(a?){16}b|zq", r"(\w+\s?)+\d{30}", r"(a|aa)+$", r"\X{500}zz", ".*.*.*.*.*z"]


def write_archive(path, messages, chance):
    """Messages of 2 kB in one room, and 300 of 70 to 130 kB in another."""

    def line(file, number, room, body):
        moment = time.strftime("%Y-%m-%dT%H:%M:%S.000000Z", time.gmtime(1_700_000_000 + number))
        sender = {"name": f"user{number % 50}"}
        file.write(json.dumps({"id": moment, "kind": "message", "room": room, "body": body, "sender": sender}) + "\n")

    with open(path, "w") as file:
        long = " ".join(chance.choices(WORDS, k=400))[:2000]
        for number in range(messages):
            start = number % 900
            line(file, number, "#busy", f"w{number % 1000} {long[start:]} {long[:start]}")
        for number in range(300):
            size = chance.randrange(70_000, 130_000)
            text = "a" * size if number % 3 == 0 else (f"w{number} " * size)[:size]
            line(file, messages + number, "#fat", text)


class Listener:
    """A listener of a StreamChat room that serves."""

    def __init__(self, binary, folder):
        self.binary, self.folder, self.data = binary, folder, f"{folder}/data"
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("SCROLLBACK_")}
        self.environment |= {"HOME": folder, "XDG_CONFIG_HOME": folder, "TZ": "UTC", "SCROLLBACK_DATA": self.data}
        self.place = {"env": self.environment, "preexec_fn": soak_servers.end_with_us}
        self.said = 0

    def run(self, *arguments):
        result = subprocess.run([self.binary, *arguments], env=self.environment, capture_output=True, text=True)
        if result.returncode not in (0, 1):
            sys.exit(f"scrollback {' '.join(arguments)}: {result.stderr}")
        return result.stdout

    def start(self):
        self.room_log, self.log = open(f"{self.folder}/room.log", "w+"), open(f"{self.folder}/listen.log", "w+")
        command = [self.binary, "room-server", "--port", "0", "--framing", "lf"]
        self.room = subprocess.Popen(command, stderr=self.room_log, stdout=subprocess.DEVNULL, **self.place)
        port = self.waited(self.room_log, r"port=(\d+)")
        pathlib.Path(f"{self.folder}/scrollback.toml").write_text(
            f'[serve]\nlisten = "127.0.0.1:0"\n\n[[account]]\nname = "live"\nnetwork = "streamchat"\n'
            f'server = "tcp://127.0.0.1:{port}"\nnick = "archiver"\nroom = "lobby"\nframing = "lf"\n')
        command = [self.binary, "listen", "--config", f"{self.folder}/scrollback.toml"]
        self.process = subprocess.Popen(command, stderr=self.log, stdout=subprocess.DEVNULL, **self.place)
        self.port = int(self.waited(self.log, r"address=http://[0-9.]+:(\d+)"))
        self.cookie = f"scrollback-{self.port}={pathlib.Path(self.data, 'serve.secret').read_text().strip()}"
        self.talker = socket.create_connection(("127.0.0.1", int(port)))
        self.talker.sendall(b"USR_NAME::sender::END\n")
        time.sleep(2)
        self.talks = True
        threading.Thread(target=self.talk, daemon=True).start()

    def waited(self, log, pattern):
        for _ in range(600):
            log.seek(0)
            if found := re.search(pattern, log.read()):
                return found[1]
            time.sleep(0.1)
        sys.exit(f"no {pattern} in {log.name}")

    def talk(self):
        while self.talks:
            self.talker.sendall(f"MSG::said {self.said}::END\n".encode())
            self.said += 1
            time.sleep(0.05)

    def memory(self, name):
        found = re.search(name + r":\s+(\d+)", pathlib.Path(f"/proc/{self.process.pid}/status").read_text())
        return int(found[1]) if found else 0

    def stop(self):
        self.talks = False
        time.sleep(2)
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        self.room.terminate()


class Token:
    """Clients with the token, which do not read unless they say so."""

    def __init__(self, port, text):
        self.port, self.header = port, f"Host: 127.0.0.1:{port}\r\nAuthorization: Bearer {text}\r\n"

    def open(self, path, headers=""):
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(10)
        client.connect(("127.0.0.1", self.port))
        client.sendall(f"GET {path} HTTP/1.1\r\n{self.header}{headers}\r\n".encode())
        return client

    def ask(self, path, timeout=60):
        """The status of an answer that is read; 0 for none."""
        try:
            with self.open(path, "Connection: close\r\n") as client:
                client.settimeout(timeout)
                status = client.recv(64)
                while client.recv(1 << 16):
                    pass
                return int(status.split()[1])
        except (OSError, IndexError, ValueError):
            return 0

    def abort(self, path):
        try:
            client = self.open(path)
            time.sleep(0.02)
            client.close()
        except OSError:
            time.sleep(0.02)


class Owner:
    """Measures the owner's answers, one request of each kind after the other."""

    KINDS = {
        "messages": "/api/v1/messages?account=work&limit=50&before={}", "room": "/room/work/{room}?limit=50&before={}",
        "search": "/api/v1/search?q=kernel&limit=20&before={}",
    }

    def __init__(self, listener, room, messages):
        self.listener, self.room, self.messages, self.count, self.refused = listener, room, messages, 0, []

    def measure(self, seconds):
        times, end = {kind: [] for kind in self.KINDS}, time.monotonic() + seconds
        while time.monotonic() < end:
            for kind, path in self.KINDS.items():
                self.count += 1
                moment = time.gmtime(1_700_000_000 + self.count * 7919 % self.messages)
                place = path.replace("{room}", str(self.room)).replace("{}", time.strftime("%Y-%m-%dT%H:%M:%SZ", moment))
                start = time.perf_counter()
                connection = http.client.HTTPConnection("127.0.0.1", self.listener.port, timeout=60)
                try:
                    connection.request("GET", place, headers={"Cookie": self.listener.cookie})
                    answer = connection.getresponse()
                    answer.read()
                    status = answer.status
                except OSError as error:
                    status = type(error).__name__
                if status != 200:
                    self.refused.append(f"the owner got {status} for {place}")
                times[kind].append(time.perf_counter() - start)
                connection.close()
            time.sleep(0.05)
        return times


class Report:
    def __init__(self, listener, idle):
        self.listener, self.idle, self.faults = listener, idle, []

    def limit_memory(self, most):
        """Adds a fault if the listener had more memory so far, in kB."""
        if (peak := self.listener.memory("VmHWM")) > most:
            self.faults.append(f"the listener had {peak // 1000} MB in memory, the limit is {most // 1000} MB")

    def line(self, name, times):
        parts = []
        for kind, found in times.items():
            found.sort()
            median = statistics.median(found)
            limit = max(MOST_TIMES * statistics.median(self.idle[kind]), NOISE)
            parts.append(f"{kind} {median * 1000:6.1f} (99th {found[len(found) * 99 // 100] * 1000:6.1f}) ms")
            if median > limit:
                self.faults.append(f"{name}: {kind} took {median * 1000:.1f} ms, the limit is {limit * 1000:.1f} ms")
        rss, peak = self.listener.memory("VmRSS"), self.listener.memory("VmHWM")
        print(f"{name:34} {'; '.join(parts)}; memory {rss // 1000} MB, peak {peak // 1000} MB", flush=True)


def attacked(owner, seconds, clients, body):
    """The owner's times while so many clients repeat the body."""
    end = threading.Event()

    def work(number):
        while not end.is_set():
            body(number)

    for number in range(clients):
        threading.Thread(target=work, args=(number,), daemon=True).start()
    time.sleep(2)
    times = owner.measure(seconds)
    end.set()
    time.sleep(1)
    return times


def unread(token, paths, clients, seconds, owner):
    """The owner's times while clients read nothing, and the counts of the first bytes of answers that came."""
    open_clients, statuses, end = [], {}, threading.Event()

    def work(number):
        chance = random.Random(number)
        while not end.is_set():
            try:
                client = token.open(chance.choice(paths), chance.choice(["", "Accept-Encoding: gzip\r\n"]))
                open_clients.append(client)
                status = client.recv(12)[9:12].decode()
                statuses[status] = statuses.get(status, 0) + 1
                end.wait(chance.uniform(5, 45) if status == "200" else chance.uniform(1, 5))
                client.close()
            except OSError:
                end.wait(1)

    for number in range(clients):
        threading.Thread(target=work, args=(number,), daemon=True).start()
    times = owner.measure(seconds)
    end.set()
    for client in open_clients:
        client.close()
    return times, statuses


def stalled(token, paths, seconds):
    """The number of connections that still had an answer after so many seconds without reading."""
    clients = [token.open(path) for path in paths]
    time.sleep(seconds)
    held = 0
    for client in clients:
        client.settimeout(2)
        size = 0
        try:
            while part := client.recv(1 << 16):
                size += len(part)
                if size > 1 << 20:
                    held += 1
                    break
        except OSError:
            pass
        client.close()
    return held


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=str(REPOSITORY / ".build/release/scrollback"))
    parser.add_argument("--messages", type=int, default=300_000)
    parser.add_argument("--clients", type=int, default=1000)
    parser.add_argument("--seconds", type=int, default=20, help="the length of each part (default 20)")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options = parser.parse_args()
    print(f"seed {options.seed}")
    folder = tempfile.TemporaryDirectory()
    listener = Listener(options.binary, folder.name)
    write_archive(f"{folder.name}/log.jsonl", options.messages, random.Random(options.seed))
    listener.run("import", "jsonl", f"{folder.name}/log.jsonl", "-a", "work")
    os.remove(f"{folder.name}/log.jsonl")
    rooms = {room["name"]: room["id"] for room in json.loads(listener.run("rooms", "-a", "work", "--format", "json"))["rooms"]}
    text = listener.run("serve", "token", "add", "fat", "--room", "work/#fat").strip()
    listener.start()
    token, owner = Token(listener.port, text), Owner(listener, rooms["#busy"], options.messages)
    owner.measure(2)
    report = Report(listener, owner.measure(options.seconds))
    report.line("idle", report.idle)

    paths = [f"/api/v1/messages?limit={1000 - number}" for number in range(40)] + [
        "/search?q=w*&limit=1000&context=100", f"/room/work/{rooms['#fat']}?limit=1000", "/api/v1/search?q=w*&limit=1000", "/", "/help"]
    times, statuses = unread(token, paths, options.clients, max(60, options.seconds), owner)
    report.line(f"{options.clients} clients that do not read", times)
    print(f"  statuses of answers to clients that do not read: {statuses}")
    held = stalled(token, paths[:10], 45)
    print(f"  connections that read nothing, open after 45 s: {held} of 10")
    if held:
        report.faults.append(f"{held} connections that read nothing were still served after 45 s")
    report.limit_memory(MOST_MEMORY)

    def regex(number):
        token.ask("/api/v1/search?count=1&regex=" + urllib.parse.quote(EXPRESSIONS[number % len(EXPRESSIONS)]))

    def facets(number):
        token.ask("/search?facets=1&context=50&limit=1000&q=" + urllib.parse.quote("w* OR a*") + f"&before=20{number % 50 + 30}-01-01")

    def aborted(number):
        token.abort("/api/v1/search?count=1&regex=" + urllib.parse.quote(EXPRESSIONS[number % len(EXPRESSIONS)]))

    for connections in (16, 64):
        for name, body in {"regular expressions": regex, "counts": facets, "aborted requests": aborted}.items():
            report.line(f"{connections} connections, {name}", attacked(owner, options.seconds, connections, body))
    report.limit_memory(MOST_MEMORY_OF_ALL)
    listener.stop()
    check(listener, report, listener.process.returncode)
    report.faults += owner.refused
    for fault in report.faults:
        print(f"FAILED: {fault}")
    sys.exit(1 if report.faults else 0)


def check(listener, report, status):
    """Compares the archive with what was said."""
    if status != 0:
        report.faults.append(f"the listener ended with status {status}")
    gaps = json.loads(listener.run("gaps", "-a", "live", "--format", "json"))["gaps"]
    stored = json.loads(listener.run("search", "said", "-a", "live", "--count", "--format", "json"))
    found = stored["counts"][0]["count"] if stored.get("counts") else 0
    open_gaps = [gap for gap in gaps if gap.get("reason") not in ("stopped", None)]
    print(f"  {listener.said} messages said, {found} stored; gaps: {open_gaps}")
    if found < listener.said:
        report.faults.append(f"{listener.said - found} messages are missing")
    if open_gaps:
        report.faults.append(f"gaps: {open_gaps}")


if __name__ == "__main__":
    main()
