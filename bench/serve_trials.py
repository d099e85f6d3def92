#!/usr/bin/env python3
"""Tries `scrollback serve` on awkward cases, and exits with 1 if a case does not end as expected.

usage: bench/serve_trials.py [--binary .build/release/scrollback] [--only NAME] [--quick]

Each trial makes its own archive in a temporary folder and prints one line: the name, and what was seen. What was not
expected follows, a line each. --quick makes everything a tenth as large. The trials `clock` and `print` need playwright
(.ci/make-venv makes .venv with it; run .venv/bin/python bench/serve_trials.py) and chromium ($CHROMIUM, default
/usr/bin/chromium).

- joins: a room with 100,000 joins in a row
- unread: a room with 3,000,000 unread messages
- rooms: 10,000 rooms
- marks: two clients mark a room as read at once
- clock: messages with times that can't be true, and browsers with a wrong clock or a far zone
- moves: 8 clients read while accounts are compressed, restored, backed up, erased and imported
- upgrade: files of earlier schemas
- print: a room on paper
- night: a client follows the feed after a million changes
- slow: clients that read a byte a second, and 2,000 connections without a request
- hostile: addresses and headers that no browser sends
"""

import argparse
import html
import http.client
import json
import os
import random
import re
import resource
import select
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import urllib.parse
import zlib
from collections import Counter
from pathlib import Path

project = Path(__file__).resolve().parent.parent
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
START = 1_700_000_000


class Server:
    """A running `scrollback serve`, with the owner's cookie. (The class of serve.py ends the program at a status of 404.)"""

    def __init__(self, binary, data):
        self.process = subprocess.Popen(
            [binary, "serve", "--listen", "127.0.0.1:0", "--data", data, "--log-level", "error"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = self.process.stdout.readline().strip()
        address = urllib.parse.urlsplit(self.url)
        self.port, key = address.port, urllib.parse.parse_qs(address.query)["key"][0]
        self.base, self.cookie = f"http://127.0.0.1:{self.port}", f"scrollback-{self.port}={key}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def connection(self, timeout=60):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def ask(self, path, connection=None, method="GET", body=None, headers=()):
        """Returns the status, the headers and the body."""
        own = connection or self.connection()
        own.request(method, path, body, {"Cookie": self.cookie, **dict(headers)})
        answer = own.getresponse()
        result = answer.status, answer.headers, answer.read()
        if not connection:
            own.close()
        return result

    def get(self, path, connection=None):
        status, _, body = self.ask(path, connection)
        if status != 200:
            raise AssertionError(f"GET {path}: {status} {body[:200]}")
        return body.decode()

    def json(self, path, connection=None):
        return json.loads(self.get(path, connection))

    def times(self, path, count=9):
        """Returns the first time and the median of the others in ms, and the size of the last body."""
        connection, times = self.connection(), []
        for _ in range(count):
            start = time.perf_counter()
            size = len(self.get(path, connection).encode())
            times.append((time.perf_counter() - start) * 1000)
        connection.close()
        return times[0], statistics.median(times[1:]), size

    def socket(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=10)

    def memory(self, name="VmHWM"):
        """Returns the server's memory in MiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(name + r":\s+(\d+)", status)[1]) // 1024

    def is_alive(self):
        return self.process.poll() is None


class Trial:
    """A temporary folder with an archive, and what was not expected."""

    def __init__(self, binary, is_quick, folder):
        self.binary, self.is_quick, self.folder = binary, is_quick, folder
        self.data, self.wrong = folder + "/data", []

    def scale(self, number):
        return number // 10 if self.is_quick else number

    def expect(self, is_so, words):
        if not is_so:
            self.wrong.append(words)

    def command(self, *arguments, text=None, check=True, timeout=900):
        result = subprocess.run(
            [self.binary, *arguments, "--data", self.data], input=text, text=True, capture_output=True, timeout=timeout)
        if check and result.returncode:
            raise AssertionError(f"{arguments}: {result.returncode} {result.stderr[-400:]}")
        return result

    def messages(self, account, count, room="#room", begin=0, more=()):
        """Imports messages, one a second."""
        file = f"{self.folder}/{account}.jsonl"
        with open(file, "w") as out:
            for number in range(begin, begin + count):
                out.write(line(START + number, room, f"message number {number} and a word or two", number % 50) + "\n")
        result = self.command("import", "jsonl", file, "-a", account, *more)
        os.remove(file)
        return result

    def log(self, account, lines, more=()):
        """Imports an irssi log of (time, text)."""
        file, day = f"{self.folder}/{account}.log", None
        with open(file, "w") as out:
            for when, text in lines:
                if when // 86400 != day:
                    day = when // 86400
                    out.write(time.strftime("--- Day changed %a %b %d %Y\n", time.gmtime(when)))
                second = when % 86400
                out.write(f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02} {text}\n")
        self.command("import", "irssi", file, "-a", account, "--room", "#room", "--timezone", "UTC", *more)
        os.remove(file)

    def server(self):
        return Server(self.binary, self.data)


def stamp(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%S.000000Z", time.gmtime(seconds))


def line(when, room, body, user=1, **more):
    sender = {"id": user, "name": f"user{user}", "is_self": False}
    when = when if isinstance(when, str) else stamp(when)
    return json.dumps({"id": when, "kind": "message", "room": room, "sender": sender, "body": body, **more})


def ids(page):
    return re.findall(r' id="(\d{4}-\d\d-\d\dT[0-9:.]+Z)"', page)


# MARK: Trials


def joins(trial):
    count, said = trial.scale(100_000), 500
    lines = [(START + n, f"<user{n % 9}> before {n}") for n in range(said)]
    lines += [(START + said + n, f"-!- guest{n % 3000} [~g@host] has joined #room") for n in range(count)]
    lines += [(START + said + count + n, f"<user{n % 9}> after {n}") for n in range(said)]
    trial.log("net", lines)
    total = len(lines)
    with trial.server() as server:
        room, middle = "/room/net/1", stamp(START + said + count // 2)
        first, warm, size = server.times(f"{room}?around={middle}")
        page = server.get(f"{room}?around={middle}")
        folds, rows = page.count("<details"), len(re.findall(r'<li class="(?:m|q)', page))
        trial.expect(first < 1000, f"the page of joins took {first:.0f} ms, not under 1 s")
        trial.expect(size < 200_000, f"the page of joins has {size} bytes")
        trial.expect(rows <= 3 and folds >= 1, f"the page of joins has {rows} rows and {folds} folds")
        trial.expect('rel="prev"' in page and 'rel="next"' in page, "the page of joins has no link on one side")
        hidden, known = server.get(f"{room}?hide=joins&limit=1000"), 2 * said
        trial.expect(len(ids(hidden)) == known, f"with hide=joins, {len(ids(hidden))} of {known} messages are shown")

        seen = {}
        for name, link, begin in [("older", "prev", "?limit=1000"), ("newer", "next", "?oldest=1&limit=1000")]:
            connection, address, found, slowest = server.connection(), room + begin, [], 0
            while address:
                start = time.monotonic()
                page = server.get(address, connection)
                slowest = max(slowest, time.monotonic() - start)
                new = ids(page)
                found = new + found if link == "prev" else found + new
                target = re.search(rf'rel="{link}" href="([^"#]+)', page)
                address = target and html.unescape(target[1])
            seen[name] = found
            trial.expect(slowest < 1, f"by {name} links, a page took {slowest:.2f} s")
            connection.close()
        connection, found, cursor = server.connection(), [], None
        while True:
            place = f"&before={cursor}" if cursor else ""
            answer = server.json(f"/api/v1/messages?room=net/1&limit=1000{place}", connection)
            found = [each["id"] for each in answer["messages"]] + found
            cursor = answer["older"]
            if not cursor:
                break
        seen["API"] = found
        for name, found in seen.items():
            is_whole = len(found) == total and len(set(found)) == total and found == sorted(found)
            trial.expect(is_whole, f"by {name}: {len(found)} rows, {len(set(found))} different, of {total}")
        return (f"{count} joins: page {first:.0f} ms first, {warm:.1f} ms warm, {size} bytes, {rows} rows, {folds} folds; "
                f"walks found {', '.join(f'{len(each)} ({name})' for name, each in seen.items())} of {total}; "
                f"{count // 100} links of the default length lead past the joins, hide=joins has {len(ids(hidden))} messages")


def unread(trial):
    count = trial.scale(3_000_000)
    begin = time.monotonic()
    trial.log("net", ((START + n * 20, f"<user{n % 300}> message number {n}") for n in range(count)), ["--unread"])
    took, parts = time.monotonic() - begin, []
    paths = ["/", "/room/net/1", "/room/net/1?unread=1", "/api/v1/unread", "/api/v1/rooms"]
    with trial.server() as server:
        for state in ("nothing was read", "read to the 1,000th"):
            if state != "nothing was read":
                to = urllib.parse.urlencode({"room": "net/1", "to": stamp(START + 999 * 20)})
                start = time.perf_counter()
                status, _, body = server.ask("/api/v1/read-marks", method="POST", body=to, headers=FORM)
                parts.append(f"mark-read {(time.perf_counter() - start) * 1000:.0f} ms")
                trial.expect(status == 200, f"POST read-marks {to}: {status} {body[:200]}")
            for path in paths:
                first, warm, _ = server.times(path)
                parts.append(f"{path} {first:.0f}/{warm:.1f}")
                trial.expect(warm < 100, f"{state}: {path} takes {warm:.0f} ms warm, not under 100")
            room = server.json("/api/v1/unread")["rooms"][0]
            parts.append(f"{state}: unread {room['unread']}{'+' if room['has_more'] else ''}")
        page = server.get("/room/net/1?unread=1")
        trial.expect('id="unread"' in page, "the page of the unread place has no line where unread messages begin")
        return f"{count} messages (imported in {took:.0f} s), first/warm ms: " + ", ".join(parts)


def rooms(trial):
    count = trial.scale(10_000)
    lines = "\n".join(line(START + n * 10, f"#room-{n}", f"the word of room {n}", n % 40) for n in range(count))
    trial.command("import", "jsonl", "-", "-a", "net", "--unread", text=lines + "\n")
    parts = []
    limits = [("/", 500, 1_000_000), (f"/?page={max(1, count // 500)}", 500, 1_000_000), ("/?filter=room-77", 500, 1_000_000),
              ("/room/net/1", 100, 200_000), ("/api/v1/rooms", 1000, 10_000_000), ("/api/v1/unread", 1000, 10_000_000)]
    with trial.server() as server:
        for path, most, bytes_most in limits:
            first, warm, size = server.times(path)
            parts.append(f"{path} {first:.0f}/{warm:.1f} ms {size // 1000} kB")
            trial.expect(warm < most, f"{path} takes {warm:.0f} ms warm, not under {most}")
            trial.expect(size < bytes_most, f"{path} has {size} bytes, not under {bytes_most}")
        found = len(server.json("/api/v1/rooms")["rooms"])
        trial.expect(found == count, f"the API has {found} rooms of {count}")
        listed, number = set(), 1
        while new := set(re.findall(r'<h2><a href="(/room/net/\d+)', server.get(f"/?page={number}"))) - listed:
            listed, number = listed | new, number + 1
        trial.expect(len(listed) == count, f"the pages of / list {len(listed)} rooms of {count}")
        return f"{count} rooms, {server.memory()} MiB at most, first/warm: " + ", ".join(parts)


def marks(trial):
    trial.messages("net", 1000, more=["--unread"])
    rounds, statuses, wrong, slowest = trial.scale(300), Counter(), [], [0]
    with trial.server() as server:
        def mark(connection, number):
            body = urllib.parse.urlencode({"room": "net/1", "to": stamp(START + number)})
            start = time.monotonic()
            status, _, text = server.ask("/api/v1/read-marks", connection, "POST", body, FORM)
            slowest[0] = max(slowest[0], time.monotonic() - start)
            statuses[status] += 1
            if status != 200:
                wrong.append(f"POST /api/v1/read-marks {body}: {status} {text[:200].decode()}")

        def marker():
            return server.json("/api/v1/unread")["rooms"][0]["read_through"]

        barrier, places = threading.Barrier(3), [0, 0]

        def client(index):
            connection, chance = server.connection(), random.Random(index)
            for _ in range(rounds):
                places[index] = chance.randrange(990)
                barrier.wait()
                try:
                    mark(connection, places[index])
                except Exception as error:
                    wrong.append(f"POST /api/v1/read-marks: {error!r}")
                    connection = server.connection()
                barrier.wait()
                barrier.wait()
            connection.close()

        clients = [threading.Thread(target=client, args=[index], daemon=True) for index in range(2)]
        for each in clients:
            each.start()
        astray = 0
        for _ in range(rounds):
            barrier.wait()
            barrier.wait()
            astray += marker() not in [stamp(START + place) for place in places]
            barrier.wait()
        for each in clients:
            each.join()
        # Many clients without any order.
        def crowd(index):
            connection, chance = server.connection(), random.Random(index)
            for _ in range(rounds // 5):
                try:
                    mark(connection, chance.randrange(990))
                except Exception as error:
                    wrong.append(f"POST /api/v1/read-marks: {error!r}")
                    connection = server.connection()

        clients = [threading.Thread(target=crowd, args=[index]) for index in range(16)]
        for each in clients:
            each.start()
        for each in clients:
            each.join()
        connection = server.connection()
        for number in (900, 100, 500):
            mark(connection, number)
            trial.expect(marker() == stamp(START + number), f"after a mark at {stamp(START + number)}: {marker()}")
        # The marker is at 500. The button of the oldest page would make read messages unread again.
        page = server.get("/room/net/1?oldest=1")
        trial.expect("Mark as read up to here" not in page, "GET /room/net/1?oldest=1 has the button \"Mark as read up to here\" on a page "
                     "before the marker, which makes messages unread")
        trial.expect(astray == 0, f"{astray} of {rounds} times the marker was at neither of the two places")
        for words, number in Counter(re.sub(r"to=\S+", "to=…", each) for each in wrong).most_common(5):
            trial.expect(False, f"{number} times {words}")
        return (f"{rounds} rounds of 2 clients at once and {rounds // 5} marks of each of 16: statuses {dict(statuses)}, "
                f"slowest {slowest[0] * 1000:.0f} ms, the marker was astray {astray} times, the last request counts")


def browser(playwright, *arguments):
    return playwright.chromium.launch(
        executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox", *arguments])


def clock(trial):
    from playwright.sync_api import sync_playwright

    now, untrue = int(time.time()), ["1970-01-01T00:00:00.000000Z", "1985-06-01T12:00:00.000000Z",
                                     "1989-12-31T23:59:59.000000Z", stamp(time.time() + 2 * 86400), "9999-12-31T23:59:59.000000Z"]
    true = ["1990-01-02T00:00:00.000000Z", stamp(now + 23 * 3600)] + [stamp(now - n * 3600) for n in range(60)]
    lines = [line(when, "#room", f"an unlikely time {when}") for when in untrue + true]
    result = trial.command("import", "jsonl", "-", "-a", "net", "--unread", "--format", "json", text="\n".join(lines) + "\n")
    totals = json.loads(result.stdout)["totals"]
    trial.expect((totals["new"], totals["invalid"]) == (len(true), len(untrue)),
                 f"import: {totals['new']} new and {totals['invalid']} invalid of {len(true)} and {len(untrue)}")
    trial.expect("invalid" in result.stderr or totals["invalid"], "import says nothing of the untrue times")
    year = time.gmtime().tm_year
    paths = ["/", "/room/net/1", "/room/net/1?oldest=1", "/room/net/1?unread=1", f"/room/net/1?around={true[1]}",
             f"/room/net/1/calendar?year={year}", "/room/net/1/calendar?year=1990", "/search?q=unlikely",
             "/search?q=unlikely&facets=1", f"/message/net/{true[0]}", f"/message/net/{true[1]}", "/account/net", "/help"]
    visits, complaints, bad = 0, [], []
    with trial.server() as server, sync_playwright() as playwright:
        for query in ("year=1", "year=1989", "year=2100", "year=9999", "year=10000", "year=-1", "year=99999999999999999999"):
            status, _, _ = server.ask(f"/room/net/1/calendar?{query}")
            trial.expect(status == 200 or 400 <= status < 500, f"GET /room/net/1/calendar?{query}: {status}")
        for zone in ("Nowhere/Never", "../../etc/passwd", "%00", "A" * 5000):
            status, _, _ = server.ask("/room/net/1", headers={"Cookie": f"{server.cookie}; tz={zone}"})
            trial.expect(status == 200, f"GET /room/net/1 with the cookie tz={zone[:30]}: {status}")
        chromium = browser(playwright)
        for zone in ("UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kathmandu", "America/St_Johns", "Africa/Casablanca"):
            for when in (None, "1970-01-01T00:00:01Z", "2001-02-03T04:05:06Z", "2099-12-31T23:59:59Z"):
                if trial.is_quick and when and zone != "UTC":
                    continue
                context = chromium.new_context(timezone_id=zone)
                page = context.new_page()
                name = f"{zone} at {when or 'the right time'}"
                page.on("pageerror", lambda error, name=name: complaints.append(f"{name}: {error}"))
                page.on("console", lambda message, name=name: message.type == "error" and complaints.append(
                    f"{name}: {message.text} {message.location.get('url', '')}"))
                if when:
                    page.clock.install(time=when)
                page.goto(server.url)
                known = page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
                known = "GMT" if known == "UTC" else known
                for path in paths:
                    answer = page.goto(server.base + path)
                    visits += 1
                    if answer.status != 200:
                        bad.append(f"{name}: GET {path}: {answer.status}")
                    elif path != "/help" and known not in page.text_content("body"):
                        bad.append(f"{name}: {path} does not name the zone")
                context.close()
        chromium.close()
    for words in list(dict.fromkeys(complaints))[:5] + bad[:5]:
        trial.expect(False, words)
    return (f"{totals['invalid']} of {len(untrue)} untrue times refused, {totals['new']} stored; {visits} visits with 6 zones and "
            f"4 clocks: {len(complaints)} complaints of the browser, {len(bad)} wrong pages")


def moves(trial):
    size, seconds = trial.scale(50_000), 5 if trial.is_quick else 20
    for account in ("stay", "move", "gone"):
        trial.messages(account, size if account != "gone" else size // 10)
    # First all clients read everything without a pause: pages show the rooms of all accounts, so nothing can be moved. Then they read
    # one account, and another one is to be free 2 s after its last reading (docs/serve.md). Then they read everything in bursts,
    # so that moves begin in the pauses.
    often = ["/", "/room/stay/1", "/room/stay/1?oldest=1", "/account/stay", "/search?q=number&context=1", "/api/v1/rooms",
             "/api/v1/messages?room=stay/1&limit=200", "/api/v1/search?q=word", "/api/v1/accounts", "/api/v1/status",
             "/api/v1/unread", "/api/v1/users?account=stay", "/merged?room=stay/1"]
    one = ["/api/v1/messages?room=stay/1&limit=200", "/api/v1/search?q=word&account=stay", "/api/v1/users?account=stay"]
    seldom = ["/room/move/1", "/api/v1/messages?room=move/1", "/account/move", "/api/v1/search?q=word&account=move",
              "/room/gone/1", "/api/v1/messages?room=gone/1", "/room/move/1/calendar", "/api/v1/gaps", "/api/v1/changes?account=gone"]
    statuses, wrong, reasons, end = Counter(), [], Counter(), threading.Event()
    phase = ["all"]
    runs, moved = Counter(), Counter()
    with trial.server() as server:
        def reader(index):
            chance, connection = random.Random(index), server.connection()
            while not end.is_set():
                if phase[0] == "bursts" and time.monotonic() % 8 > 4:
                    time.sleep(0.01)
                    continue
                path = chance.choice(one if phase[0] == "one" else seldom if index >= 6 else often)
                try:
                    status, headers, body = server.ask(path, connection)
                except Exception as error:
                    wrong.append(f"GET {path}: {error!r}")
                    connection = server.connection()
                    continue
                statuses[status] += 1
                if status in (404, 503):
                    kind, text = headers["Content-Type"] or "", body.decode()
                    if path.startswith("/api/"):
                        has_reason = kind.startswith("application/problem+json") and bool(json.loads(text).get("detail"))
                        reasons[json.loads(text)["type"] if has_reason else "none"] += 1
                    else:
                        has_reason = bool(re.search(r'class="page-title">[^<]+', text))
                    if not has_reason:
                        wrong.append(f"GET {path}: {status} without a reason: {text[:100]}")
                elif status != 200:
                    wrong.append(f"GET {path}: {status} {body[:300].decode(errors='replace')}")

        readers = [threading.Thread(target=reader, args=[index], daemon=True) for index in range(8)]
        for each in readers:
            each.start()
        begin, turn, slowest, free = time.monotonic(), 0, ("", 0), None
        while phase[0] == "all" or time.monotonic() - begin < seconds:
            if time.monotonic() - begin > seconds:
                phase[0] = "one"
                time.sleep(5)
                free = trial.command("archive", "compress", "move", check=False, timeout=60)
                trial.expect(free.returncode == 0, "while clients read one account, another that was read 5 s before is not free: "
                                                   f"{free.stderr.strip()[-200:]}")
                phase[0], begin = "bursts", time.monotonic()
            steps = [
                ("import stay", lambda: trial.messages("stay", 100, begin=size + turn * 100)),
                ("compress stay", lambda: trial.command("archive", "compress", "stay", check=False, timeout=60)),
                ("compress move", lambda: trial.command("archive", "compress", "move", check=False, timeout=60)),
                ("import move", lambda: trial.messages("move", 100, begin=size + turn * 100)),
                ("compress move", lambda: trial.command("archive", "compress", "move", check=False, timeout=60)),
                ("restore move", lambda: trial.command("archive", "restore", "move", check=False, timeout=60)),
                ("backup", lambda: trial.command("backup", "--all", trial.folder + "/backup", check=False, timeout=60)),
                ("erase gone", lambda: trial.command("archive", "erase", "gone", "--execute", check=False, timeout=60)),
                ("import gone", lambda: trial.messages("gone", 100)),
            ]
            for name, step in steps:
                start = time.monotonic()
                try:
                    result = step()
                    runs[f"{phase[0]}: {name} {result.returncode}"] += 1
                    if result.returncode:
                        moved[f"{name}: {result.stderr.strip()[-200:]}"] += 1
                    if result.returncode not in (0, 1):
                        wrong.append(f"{name} ended with {result.returncode}: {result.stderr.strip()[-200:]}")
                except subprocess.TimeoutExpired:
                    wrong.append(f"{name} hung for 60 s")
                except AssertionError as error:
                    wrong.append(f"{name}: {error}")
                slowest = max(slowest, (name, time.monotonic() - start), key=lambda each: each[1])
                if phase[0] == "bursts" and name == "erase gone":
                    time.sleep(4)  # Clients look for what is gone.
            turn += 1
        end.set()
        for each in readers:
            each.join(30)
        trial.expect(server.is_alive(), "the server died")
        trial.command("archive", "restore", "move", check=False)
        for name in ("compress move", "erase gone"):
            trial.expect(runs[f"bursts: {name} 0"], f"{name} never succeeded, also not in pauses of 4 s")
        for path in often + one + seldom:
            status, _, body = server.ask(path)
            trial.expect(status == 200, f"afterwards, GET {path}: {status} {body[-300:].decode(errors='replace')}")
        for words, number in Counter(wrong).most_common(8):
            trial.expect(False, f"{number} times {words}")
        return (f"{sum(statuses.values())} answers {dict(statuses)}, reasons {dict(reasons)}; commands and their exit status "
                f"{dict(runs)}, slowest {slowest[0]} {slowest[1]:.1f} s" + (f"; said most often {dict(moved.most_common(2))}" if moved else ""))


EARLY_ROWS = """
INSERT INTO account VALUES (1, 'demo', 'streamchat', 'e', 1);
INSERT INTO room VALUES (1, '', 'server', 2);
INSERT INTO room_name VALUES (1, 10, NULL, 'lobby');
INSERT INTO user VALUES (1, 'alice', 0), (2, '민수', 0);
INSERT INTO user_name VALUES (1, 10, NULL, 'alice'), (2, 10, NULL, '민수');
INSERT INTO message (id, room_id, kind, sender_id, session_id, flags, remote_id, body)
  VALUES (1700000000000000, 1, 0, 1, NULL, 0, '1:0', 'an early word'), (1700000060000000, 1, 0, 2, NULL, 0, '1:9', '안녕');
"""


def upgrade(trial):
    steps, parts = sorted((project / "migrations").glob("0*.sql")), []
    silent = 0
    for schema, readers in [(schema, readers) for schema in (1, 5, 9, 17, len(steps) - 1) for readers in (1, 8)]:
        data = f"{trial.folder}/{schema}-{readers}"
        place = Path(f"{data}/accounts/demo-000000")
        place.mkdir(parents=True, mode=0o700)
        file = sqlite3.connect(place / "1.sqlite")
        file.execute("PRAGMA journal_mode = WAL")
        for number, step in enumerate(steps[:schema], 1):
            file.executescript(step.read_text() + (EARLY_ROWS if number == 1 else ""))
        file.executescript(f"PRAGMA application_id = {0x53424152}; PRAGMA user_version = {schema}")
        file.close()
        with Server(trial.binary, data) as server:
            start = time.monotonic()
            answers, threads = [], []
            paths = ["/api/v1/messages?room=demo/1", "/room/demo/1", "/", "/api/v1/search?q=early"] * 2
            for path in paths[:readers]:
                threads.append(threading.Thread(target=lambda path=path: answers.append((path, *server.ask(path)))))
                threads[-1].start()
            for each in threads:
                each.join()
            took = (time.monotonic() - start) * 1000
            refused = [f"GET {path}: {status}" for path, status, _, _ in answers if status != 200]
            failed = [body.decode() for path, status, _, body in answers if status != 200 and path.startswith("/api/")]
            trial.expect(not refused, f"schema {schema}, {len(refused)} of {readers} first readings at once fail: "
                                      f"{refused[:2]} {failed[:1]}")
            for path, status, _, body in answers:
                if "messages" in path and status == 200:
                    found = [each["body"] for each in json.loads(body)["messages"]]
                    trial.expect(found == ["an early word", "안녕"], f"schema {schema}: the messages are {found}")
            # The index of old messages is made later; until then the search has to say how far it reaches.
            hits, page = server.json("/api/v1/search?q=early")["messages"], server.get("/search?q=early")
            silent += not hits and "index" not in page
        file = sqlite3.connect(place / "1.sqlite")
        now = file.execute("PRAGMA user_version").fetchone()[0]
        file.close()
        trial.expect(now == len(steps), f"schema {schema} became {now}, not {len(steps)}")
        parts.append(f"{schema} to {now} in {took:.0f} ms ({len(answers) - len(refused)} of {readers} answered)")
    trial.expect(not silent, f"{silent} times GET /search?q=early finds nothing and does not say that older messages are not in the "
                             "search index (the command says it, and docs/search.md)")
    return "the first readings migrate schema " + ", ".join(parts)


LOOK = """() => {
    const shown = (selector) => [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility()).length;
    const light = (colour) => { const [r, g, b] = colour.match(/[\\d.]+/g).map(Number); return (r * 299 + g * 587 + b * 114) / 255000; };
    let ground = 'rgb(255, 255, 255)';
    for (const each of [document.body, document.documentElement]) {
        const colour = getComputedStyle(each).backgroundColor;
        if (colour !== 'rgba(0, 0, 0, 0)') { ground = colour; break; }
    }
    const texts = [...document.querySelectorAll('.log .b, .log .t, .log h2, .log b')].filter((each) => each.checkVisibility());
    return { hidden: shown('nav, form, .side, .top, .tools, button'), rows: shown('.log .m'), ground: light(ground),
        text: Math.max(...texts.map((each) => light(getComputedStyle(each).color))), bodies: shown('.log .m .b') };
}"""


def fills(pdf):
    """Returns the lightness of each colour in which a PDF writes text."""
    found = set()
    for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        try:
            content = zlib.decompress(stream)
        except zlib.error:
            continue
        if b"BT" not in content:
            continue
        colour = (0, 0, 0)
        for word in re.finditer(rb"([\d.]+) ([\d.]+) ([\d.]+) rg\b|\bBT\b", content):
            if word[1]:
                colour = tuple(map(float, word.groups()))
            else:
                found.add(round(colour[0] * 0.299 + colour[1] * 0.587 + colour[2] * 0.114, 2))
    return found


def print_(trial):
    from playwright.sync_api import sync_playwright

    trial.messages("net", 300, more=["--unread"])
    seen = []
    with trial.server() as server, sync_playwright() as playwright:
        for scheme, number in (("light", 1), ("dark", 0)):
            # A browser of a dark desktop. The emulation of playwright would make the paper dark as well.
            chromium = browser(playwright, f"--blink-settings=preferredColorScheme={number}")
            page = chromium.new_context(color_scheme="null", viewport={"width": 1300, "height": 900}).new_page()
            page.goto(server.url)
            page.goto(server.base + "/room/net/1?limit=100")
            page.wait_for_timeout(300)
            is_dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
            trial.expect(is_dark == (scheme == "dark"), f"{scheme}: the browser has the other colours")
            page.emulate_media(media="print")
            look = page.evaluate(LOOK)
            pdf = page.pdf(print_background=True)
            pages, colours = len(re.findall(rb"/Type\s*/Page\b", pdf)), fills(pdf)
            chromium.close()
            trial.expect(look["hidden"] == 0, f"{scheme}: {look['hidden']} of navigation, forms and buttons are printed")
            trial.expect(look["rows"] == 100, f"{scheme}: {look['rows']} messages of 100 are printed")
            if scheme == "light":
                trial.expect(look["ground"] > 0.9, f"by the styles, the ground has the lightness {look['ground']:.2f}")
                trial.expect(look["text"] < 0.6, f"by the styles, a text has the lightness {look['text']:.2f}")
            trial.expect(pages > 0, f"{scheme}: the PDF has no page")
            trial.expect(colours and max(colours) < 0.6, f"{scheme}: the PDF has texts of the lightness {sorted(colours)}")
            seen.append(f"{scheme} desktop: {pages} pages, {len(pdf)} bytes, lightest text in the PDF {max(colours, default=-1):.2f}")
    return "; ".join(seen)


def follow(server, last, wanted, account="net", room=None):
    """Reads events to the given number. Returns the names of the first two, their number, the first's and the whole time."""
    connection = server.connection(timeout=120)
    start = time.monotonic()
    connection.request("GET", f"/api/v1/changes?account={account}" + (f"&room={room}" if room else ""), headers={
        "Cookie": server.cookie, "Accept": "text/event-stream", **({"Last-Event-ID": last} if last else {})})
    answer = connection.getresponse()
    names, count, first = [], 0, None
    for each in answer:
        if each.startswith(b"event:"):
            first = first or time.monotonic() - start
            count += 1
            if len(names) < 2:
                names.append(each[6:].strip().decode())
            if count >= wanted:
                break
    connection.close()
    return answer.status, names, count, first or 0, time.monotonic() - start


def night(trial):
    count = trial.scale(1_000_000)
    trial.log("net", ((START + n * 20, f"<user{n % 300}> message number {n}") for n in range(count)))
    feed = subprocess.Popen([trial.binary, "tail", "--feed", "-a", "net", "--format", "jsonl", "--data", trial.data],
                            stdout=subprocess.PIPE, text=True)
    epoch = json.loads(feed.stdout.readline())["position"].split(":")[0]
    feed.kill()
    feed.wait()
    parts = []
    with trial.server() as server:
        server.get("/room/net/1")
        before = server.memory()
        for name, last in [("a million ago", f"{epoch}:1"), ("another epoch", "00000000-0000-4000-8000-000000000000:5"),
                           ("a later place", f"{epoch}:{count * 9}")]:
            status, names, found, first, whole = follow(server, last, count)
            trial.expect(status == 200 and found == count, f"{name}: status {status}, {found} events of {count}")
            is_reset = name != "a million ago"
            trial.expect((names[:1] == ["reset"]) == is_reset, f"{name}: the first events are {names}")
            trial.expect(first < 1, f"{name}: the first event came after {first:.2f} s")
            parts.append(f"{name}: {'reset' if is_reset else 'changes'} after {first * 1000:.0f} ms, {found} in {whole:.0f} s")
        for last in ("x", ":", "a:b", f"{epoch}:-1", f"{epoch}:99999999999999999999999", "0" * 20000):
            connection = server.connection()
            connection.putrequest("GET", "/api/v1/changes?account=net")
            for header, value in [("Cookie", server.cookie), ("Accept", "text/event-stream"), ("Last-Event-ID", last.encode())]:
                connection.putheader(header, value)
            connection.endheaders()
            status = connection.getresponse().status
            trial.expect(400 <= status < 500, f"GET /api/v1/changes with Last-Event-ID: {last[:40]}: {status}")
            connection.close()
        # Clients that follow from the beginning and read nothing.
        stuck = []
        for _ in range(20):
            client = server.socket()
            client.sendall(f"GET /api/v1/changes?account=net HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nCookie: {server.cookie}\r\n"
                           f"Accept: text/event-stream\r\nLast-Event-ID: {epoch}:1\r\n\r\n".encode())
            stuck.append(client)
        time.sleep(5)
        _, warm, _ = server.times("/room/net/1")
        trial.expect(warm < 200, f"beside 20 followers that do not read, a page takes {warm:.0f} ms")
        for client in stuck:
            client.close()
        after = server.memory()
        trial.expect(after - before < 100, f"the peak of memory rose from {before} to {after} MiB")
        return f"{'; '.join(parts)}; 20 followers that do not read: a page takes {warm:.1f} ms; peak {before} to {after} MiB"


def slow(trial):
    trial.messages("net", trial.scale(50_000))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    idle_count = min(trial.scale(2000), hard - 300)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, idle_count + 300), hard))
    paths = ["/api/v1/messages?room=net/1&limit=1000", "/api/v1/changes?account=net", "/room/net/1?limit=1000"]
    with trial.server() as server:
        head = f"Host: 127.0.0.1:{server.port}\r\nCookie: {server.cookie}\r\n"
        _, base, _ = server.times("/room/net/1")
        before = server.memory()
        slow_ones, idle = [], []
        for number in range(24):
            client = socket.socket()
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            client.connect(("127.0.0.1", server.port))
            # Ten answers each, so that no buffer of the system takes them all.
            client.sendall(f"GET {paths[number % 3]} HTTP/1.1\r\n{head}\r\n".encode() * 10)
            slow_ones.append(client)
        opened = time.monotonic()
        for number in range(idle_count):
            idle.append(server.socket())
            # A third of them begins a request and does not end its headers, another third not its body.
            if number % 3 == 1:
                idle[-1].sendall(b"GET / HTTP/1.1\r\nHost: 127")
            if number % 3 == 2:
                idle[-1].sendall(f"POST /api/v1/read-marks HTTP/1.1\r\n{head}Content-Length: 60000\r\n\r\nroom=".encode())
        times, path_times, read = [], {}, 0
        others = ["/", "/room/net/1", "/api/v1/messages?room=net/1&limit=100", "/api/v1/search?q=number&limit=20", "/help"]
        for _ in range(10):
            for client in slow_ones:
                client.settimeout(1)
                try:
                    read += len(client.recv(1))
                except OSError:
                    pass
            for path in others:
                start = time.perf_counter()
                server.get(path)
                took = (time.perf_counter() - start) * 1000
                times.append(took)
                path_times[path] = max(path_times.get(path, 0), took)
            time.sleep(1)
        worst = max(path_times, key=path_times.get)
        trial.expect(max(times) < 200, f"GET {worst} took {max(times):.0f} ms beside slow clients")
        peak = server.memory()
        trial.expect(peak - before < 200, f"24 slow clients raise the peak of memory from {before} to {peak} MiB")
        time.sleep(max(0, 66 - (time.monotonic() - opened)))
        open_ones = [0, 0, 0]
        for number, client in enumerate(idle):
            client.setblocking(False)
            try:
                # The server may say why it closes the connection.
                while client.recv(4096):
                    pass
            except BlockingIOError:
                open_ones[number % 3] += 1
            except OSError:
                pass
        for number, words in zip(open_ones, ("without a request", "with a part of the headers", "with a part of a body")):
            trial.expect(number == 0, f"{number} connections {words} are open after 66 s; docs/serve.md says 60")
        for client in slow_ones + idle:
            client.close()
        trial.expect(server.is_alive(), "the server died")
        return (f"24 clients that read slowly and {idle_count} without a request: others take {statistics.median(times):.1f} ms, "
                f"{max(times):.0f} at most (alone {base:.1f}); peak {before} to {peak} MiB; after 66 s {sum(open_ones)} are open")


def exchange(server, data, timeout=10):
    """Sends bytes. Returns the status (0 for a close without an answer, None for no answer in time) and the body."""
    client = server.socket()
    client.settimeout(timeout)
    answer = b""
    try:
        try:
            client.sendall(data)
        except OSError:
            pass
        while b"\r\n\r\n" not in answer:
            part = client.recv(65536)
            if not part:
                break
            answer += part
    except TimeoutError:
        return None, answer
    except OSError:
        pass
    finally:
        client.close()
    found = re.match(rb"HTTP/1\.[01] (\d+)", answer)
    return (int(found[1]) if found else 0), answer


def hostile(trial):
    trial.messages("net", 200)
    bad = ["..", "%2e%2e", "%00", "..%2f..%2f..%2fetc%2fpasswd", "../../../etc/passwd", "%2e%2e/%2e%2e/serve.secret", "a" * 4096, "%41" * 1365,
           "%ff%fe", "%", "%zz", "..;/", "%252e%252e", "-1", "99999999999999999999", "net%00", "net%2f1", "'", "%0d%0aX-A:1", "\\..\\.."]
    # Where a part of an address is to be replaced, it is @. The others get one more part.
    places = ["/@", "/room/@/1", "/room/net/@", "/room/net/1/@", "/room/@/1/calendar", "/room/net/@/calendar", "/account/@",
              "/message/@/1", "/message/net/@", "/search/@", "/merged/@", "/help/@", "/merged?room=@", "/room/net/1?before=@",
              "/room/net/1?after=@", "/room/net/1?around=@", "/room/net/1?day=@", "/room/net/1?limit=@", "/room/net/1?hide=@",
              "/room/net/1?names=@", "/room/net/1?@=1", "/room/net/1/calendar?year=@", "/?page=@", "/?sort=@", "/?key=@&@",
              "/api/@", "/api/v1/@", "/api/v1/messages/@/1", "/api/v1/messages/net/@", "/api/v1/messages/net/@/thread",
              "/api/v1/messages?room=@", "/api/v1/messages?room=net/1&before=@", "/api/v1/messages?room=net/1&limit=@",
              "/api/v1/messages?room=net/1&between=@", "/api/v1/search?q=a&limit=@", "/api/v1/search?q=a&before=@",
              "/api/v1/rooms?account=@", "/api/v1/rooms?kind=@", "/api/v1/users?account=@", "/api/v1/unread?account=@",
              "/api/v1/gaps?account=@", "/api/v1/status?account=@", "/api/v1/attachments?account=@", "/api/v1/days?account=@",
              "/api/v1/days?room=@", "/api/v1/changes?account=@", "/api/v1/changes?account=net&after=@",
              "/api/v1/changes?account=net&room=@", "/api/v1/files/@", "/api/v1/openapi.json/@", "/api/v1/read-marks/@"]
    # What is right in such a place.
    fine = {(place, "net%2f1") for place in places if "room=@" in place}
    statuses, wrong, slowest, sent = Counter(), [], ("", 0), 0
    with trial.server() as server:
        def head(cookie=True):
            return f"Host: 127.0.0.1:{server.port}\r\nConnection: close\r\n" + (f"Cookie: {server.cookie}\r\n" if cookie else "")

        def check(name, data):
            nonlocal slowest, sent
            start = time.monotonic()
            status, answer = exchange(server, data)
            took, sent = time.monotonic() - start, sent + 1
            slowest = max(slowest, (name, took), key=lambda each: each[1])
            statuses[status] += 1
            if status is None:
                wrong.append(f"{name}: no answer in 10 s")
            elif not 400 <= status < 500:
                body = answer.partition(b"\r\n\r\n")[2][:120] if status >= 500 else answer[:60]
                wrong.append(f"{name}: {status or 'closed without an answer'} {body}")

        for place in places:
            for each in bad:
                if (place, each) not in fine:
                    path = place.replace("@", each)
                    more = "Accept: text/event-stream\r\n" if "changes" in place else ""
                    check(f"GET {path[:90]}", f"GET {path} HTTP/1.1\r\n{head()}{more}\r\n".encode())
                    if not trial.is_quick:
                        check(f"GET {path[:90]} without a cookie", f"GET {path} HTTP/1.1\r\n{head(False)}{more}\r\n".encode())
        for path in ("/", "/room/net/1", "/api/v1/rooms", "/api/v1/changes?account=net", "/api/v1/files/" + "0" * 64):
            request = f"GET {path} HTTP/1.1\r\n"
            check(f"GET {path} with a header of 64 KiB", f"{request}{head()}X: {'a' * 65536}\r\n\r\n".encode())
            check(f"GET {path} with 64 headers of 1 KiB", (request + head() + "".join(
                f"X-{n}: {'a' * 1018}\r\n" for n in range(64)) + "\r\n").encode())
            check(f"GET {path} with 9000 small headers", (request + head() + "".join(
                f"X{n}: 1\r\n" for n in range(9000)) + "\r\n").encode())
            check(f"GET {path} with the cookie of 40 KiB", f"{request}{head()}Cookie: {'a' * 40960}\r\n\r\n".encode())
            check(f"GET {path} with an address of 20 KiB", f"GET {path}?{'a' * 20480} HTTP/1.1\r\n{head()}\r\n".encode())
            check(f"GET {path} with an address of 100 KiB", f"GET {path}?{'a' * 102400} HTTP/1.1\r\n{head()}\r\n".encode())
            check(f"GET {path} for another host", f"{request}Host: example.net\r\nCookie: {server.cookie}\r\nConnection: close\r\n\r\n".encode())
            check(f"GET {path} without a host", f"{request}Cookie: {server.cookie}\r\nConnection: close\r\n\r\n".encode())
            check(f"GET {path} with two hosts", f"{request}{head()}Host: example.net\r\n\r\n".encode())
            check(f"DELETE {path}", f"DELETE {path} HTTP/1.1\r\n{head()}\r\n".encode())
            check(f"POST {path} without a length", f"POST {path} HTTP/1.1\r\n{head()}Content-Length: -1\r\n\r\n".encode())
        for name, data in [("a NUL in the address", b"GET /\0 HTTP/1.1\r\n"), ("no HTTP at all", b"\x16\x03\x01\x02\0\x01\0\r\n"),
                           ("a space in the address", b"GET /room/a b HTTP/1.1\r\n"), ("an unknown version", b"GET / HTTP/9.9\r\n"),
                           ("a byte above 127 in the address", b"GET /room/\xff/1 HTTP/1.1\r\n"),
                           ("an address with a host", b"GET http://example.net/ HTTP/1.1\r\n"), ("the method PRI", b"PRI * HTTP/2.0\r\n"),
                           ("an address without a slash", b"GET room HTTP/1.1\r\n"), ("two slashes", b"GET //room/net/1 HTTP/1.1\r\n")]:
            check(name, data + head().encode() + b"\r\n")
        for name, kind, body in [
            ("a body of 65 KiB", "application/x-www-form-urlencoded", b"room=" + b"a" * 66560), ("half a JSON", "application/json", b'{"room": ['),
            ("deep JSON", "application/json", b"[" * 30000), ("a NUL", "application/x-www-form-urlencoded", b"room=net/1%00"),
            ("no room", "application/x-www-form-urlencoded", b""), ("bytes", "application/octet-stream", bytes(range(256))),
            ("an unknown room", "application/x-www-form-urlencoded", b"room=net/..%2f.."),
            ("a wrong time", "application/x-www-form-urlencoded", b"room=net/1&to=99999999999999999999"),
        ]:
            for chunked in (False, True):
                frame = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {len(body)}"
                content = f"{len(body):x}\r\n".encode() + body + b"\r\n0\r\n\r\n" if chunked and body else b"0\r\n\r\n" if chunked else body
                check(f"POST /api/v1/read-marks with {name}{', in chunks' if chunked else ''}",
                      f"POST /api/v1/read-marks HTTP/1.1\r\n{head()}Content-Type: {kind}\r\n{frame}\r\n\r\n".encode() + content)
        trial.expect(server.is_alive(), "the server died")
        server.get("/room/net/1")
    for words in wrong[:40]:
        trial.expect(False, words)
    return f"{sent} requests, statuses {dict(statuses)}, the slowest took {slowest[1] * 1000:.0f} ms ({slowest[0][:60]}); {len(wrong)} wrong"


TRIALS = {"joins": joins, "unread": unread, "rooms": rooms, "marks": marks, "clock": clock, "moves": moves, "upgrade": upgrade,
          "print": print_, "night": night, "slow": slow, "hostile": hostile}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", default=str(project / ".build/release/scrollback"))
    parser.add_argument("--only", choices=TRIALS)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    failures = 0
    for name, body in TRIALS.items():
        if options.only and name != options.only:
            continue
        with tempfile.TemporaryDirectory() as folder:
            trial = Trial(options.binary, options.quick, folder)
            try:
                seen = body(trial)
            except ModuleNotFoundError as error:
                seen = f"not tried: {error}"
            except Exception:
                seen = "did not end"
                trial.expect(False, traceback.format_exc())
        print(f"{name}: {seen}", flush=True)
        for words in trial.wrong:
            print(f"  NOT EXPECTED: {words}", flush=True)
        failures += len(trial.wrong)
    sys.exit(1 if failures else 0)


main()
