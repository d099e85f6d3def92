#!/usr/bin/env -S python3 -B
"""Measures the listener of an XMPP account at Prosody, and at a server that replays a room.

    bench/xmpp.py --long          # the sizes that the documentation quotes, in about an hour
    bench/xmpp.py history pings   # some parts

- history: the first history of a room from Prosody with SQLite, beside a bare client that asks for the same pages.
- pings: what another user's pings take while the listener reads the history of a room from Prosody's internal storage.
- stream: a recorded room, replayed by a stand-in at 2,000 messages a second.
- rooms: 200 rooms in which nobody speaks.

Needs prosody and lua-dbi-sqlite3, which `.ci/fetch-tools` fetches.
"""

import argparse
import asyncio
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(REPOSITORY, "Tests", "Soak"))
import soak_jabber  # noqa: E402
import soak_servers  # noqa: E402
import xmpp_stand_in  # noqa: E402
from soak_jabber_people import MAM, PAGES, Person, Stream  # noqa: E402

ROOM = "room@rooms.localhost"
TEXT = "does anyone have the notes of the last lesson? I was away and missed the second half of it."


class Listener:
    """`scrollback listen` with one account."""

    def __init__(self, binary, folder, port, rooms, more=""):
        self.binary, self.folder = binary, folder
        with open(os.open(f"{folder}/secret", os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
            file.write("secret\n")
        with open(f"{folder}/scrollback.toml", "w") as file:
            file.write(
                f'data = "data"\n[[account]]\nname = "xmpp"\nnetwork = "xmpp"\njid = "me@localhost"\npassword_file = "secret"\n'
                f'server = "tcp://127.0.0.1:{port}"\nrooms = {json.dumps(rooms)}\nhistory_days = 3650\n{more}'
            )
        # Ends with this program, also if that is interrupted.
        self.process = subprocess.Popen(
            [binary, "listen", "--config", f"{folder}/scrollback.toml"], stderr=open(f"{folder}/listen.log", "w"),
            preexec_fn=soak_servers.end_with_us,
        )

    def ask(self, *arguments):
        command = [self.binary, *arguments, "--config", f"{self.folder}/scrollback.toml", "--format", "json"]
        answer = subprocess.run(command, capture_output=True)
        return json.loads(answer.stdout) if answer.returncode == 0 else None

    def count(self):
        rooms = self.ask("rooms", "--account", "xmpp")
        return sum(room["messages"] for room in rooms["rooms"]) if rooms else 0

    def live(self):
        """Returns the number of rooms that are received."""
        rooms, gaps = self.ask("rooms", "--account", "xmpp"), self.ask("gaps", "--account", "xmpp")
        return len(rooms["rooms"]) - sum(gap["to"] is None for gap in gaps["gaps"]) if rooms and gaps else 0

    async def wait(self, is_done, seconds):
        end = time.time() + seconds
        while not await asyncio.to_thread(is_done):
            if time.time() > end:
                raise SystemExit(f"the listener was not ready within {seconds} s: see {self.folder}/listen.log")
            await asyncio.sleep(0.5)

    def memory(self, field):
        """Returns a figure of the process in MiB."""
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(dict(line.split(":", 1) for line in file)[field].split()[0]) / 1024

    def processor(self):
        """Returns the processor time so far, in seconds."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        self.process.terminate()
        self.process.wait()


def fill(server, count):
    """Gives the room's archive messages, a second apart, of a server that is stopped."""
    begin = int(time.time()) - count
    if server.has_sql:
        database = sqlite3.connect(f"{server.folder}/archive.sqlite")
        rows = (
            (
                "rooms.localhost", "room", "muc_log", f"key-{number}", begin + number, "message<groupchat", "xml",
                f"<message from='{ROOM}/alice' xml:lang='en' type='groupchat' to='{ROOM}' id='id-{number}'><body>{number}: {TEXT}</body></message>",
            )
            for number in range(count)
        )  # fmt: skip
        with database:
            database.executemany(
                'INSERT INTO prosodyarchive (host, user, store, key, "when", "with", type, value) VALUES (?, ?, ?, ?, ?, ?, ?, ?)', rows
            )
        return database.close()
    with open(f"{server.folder}/data/rooms%2elocalhost/muc_log/room.list", "w") as file:
        for number in range(count):
            file.write(
                'item({\n{ "%d: %s"; ["name"] = "body"; ["attr"] = {}; };\n["name"] = "message"; ["attr"] = { ["to"] = "%s"; '
                '["stamp"] = "%s"; ["xml:lang"] = "en"; ["id"] = "id-%d"; ["from"] = "%s/alice"; ["type"] = "groupchat"; };\n'
                '["with"] = "message<groupchat"; ["key"] = "key-%d"; ["when"] = %d;\n});\n'
                % (number, TEXT, ROOM, time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(begin + number)), number, ROOM, number, begin + number)
            )


async def with_room(storage, folder, count, rooms=(ROOM,)):
    """Returns a server with rooms, the first of which has messages, and the owner of the rooms."""
    server = soak_jabber.JabberServer(storage, f"{folder}/server", ["alice", "me", "bob"])
    await server.start()
    alice = Person(server, "alice", rooms)
    alice.start()
    await alice.is_open.wait()
    await alice.say(ROOM, "hello")
    alice.stop()
    if count:
        await server.end(15)
        fill(server, count)
        await server.start()
    return server


async def walk(port, limit=None, pause=lambda took: 0):
    """Asks for pages as the listener does. Returns the number of messages, and the seconds that each page took."""
    messages, times, before = 0, [], ""

    def heard(element):
        nonlocal messages
        messages += element.find(f"{{{MAM}}}result") is not None

    stream = Stream("bob", "walk", heard)
    await stream.open(port)
    end = limit and time.time() + limit
    while not end or time.time() < end:
        began = time.time()
        page = f"<query xmlns='{MAM}'><set xmlns='{PAGES}'><max>50</max><before>{before}</before></set></query>"
        fin = (await stream.ask(page, to=ROOM, kind="set")).find(f"{{{MAM}}}fin")
        times.append(time.time() - began)
        if fin.get("complete") == "true":
            break
        before = fin.findtext(f".//{{{PAGES}}}first")
        await asyncio.sleep(pause(times[-1]))
    stream.close()
    return messages, times


async def history(options, folder):
    count = options.messages or (100_000 if options.long else 10_000)
    server = await with_room("prosody-sqlite", folder, count)
    began = time.time()
    found, times = await walk(server.port)
    bare = time.time() - began
    print(f"a bare client: {found:,} messages in {bare:.0f} s, a page of 50 in {statistics.median(times) * 1000:.0f} ms (median)", flush=True)
    began, listener = time.time(), Listener(options.binary, folder, server.port, [ROOM])
    await listener.wait(lambda: listener.count() >= count, 3600 * 3)
    seconds = time.time() - began
    print(
        f"scrollback listen: {count:,} in {seconds:.0f} s ({count / seconds:.0f} a second), {listener.processor() / count * 1e6:.0f} µs of processor "
        f"a message, peak {listener.memory('VmHWM'):.1f} MiB", flush=True,
    )  # fmt: skip
    listener.end()
    server.kill()


async def ping(port, seconds):
    """Returns the seconds that each ping took: 20 a second, whether those before were answered or not."""
    stream, times, waiting = Stream("alice", "ping"), [], []
    await stream.open(port)

    async def measure():
        began = time.time()
        await stream.ping()
        times.append(time.time() - began)

    for _ in range(seconds * 20):
        waiting.append(asyncio.ensure_future(measure()))
        await asyncio.sleep(0.05)
    await asyncio.gather(*waiting)
    stream.close()
    return times


async def pings(options, folder):
    server = await with_room("prosody-internal", folder, 10_000)
    seconds = 60 if options.long else 20

    def show(name, times):
        times = sorted(times)
        print(
            f"pings {name}: median {times[len(times) // 2] * 1000:.1f} ms, 90 of 100 within {times[len(times) * 9 // 10] * 1000:.0f} ms, "
            f"longest {times[-1] * 1000:.0f} ms", flush=True,
        )  # fmt: skip

    show("without a walk", await ping(server.port, seconds))
    walks = ("without pauses", lambda took: 0), ("with pauses as long as pages", lambda took: took), ("twice as long", lambda took: 2 * took)
    for name, pause in walks:
        times, (found, pages) = await asyncio.gather(ping(server.port, seconds), walk(server.port, seconds, pause))
        show(f"beside a client {name} ({len(pages)} pages, {statistics.median(pages) * 1000:.0f} ms each)", times)
    listener = Listener(options.binary, folder, server.port, [ROOM])
    await listener.wait(lambda: listener.count() > 0, 60)
    before = listener.count()
    show("beside the listener", await ping(server.port, seconds))
    print(f"meanwhile the listener fetched {listener.count() - before:,} messages")
    listener.end()
    server.kill()


async def stream(options, folder):
    stand_in = xmpp_stand_in.StandIn(ROOM, TEXT, 600_000 if options.long else 60_000, 2000)
    serving = await asyncio.start_server(stand_in.serve, "127.0.0.1", 0)
    listener = Listener(options.binary, folder, serving.sockets[0].getsockname()[1], [ROOM])
    await asyncio.wait_for(stand_in.joined.wait(), 60)
    await listener.wait(lambda: listener.live() == 1, 60)
    before, cpu = listener.memory("VmRSS"), listener.processor()
    stand_in.go.set()
    while not stand_in.done.is_set():
        await asyncio.sleep(stand_in.count / stand_in.rate / 5)
        print(f"  after some time: {listener.memory('VmRSS'):.1f} MiB", flush=True)
    ended = time.time()
    await listener.wait(lambda: listener.count() >= stand_in.count, 300)
    print(
        f"a room replayed: {stand_in.count:,} messages in {stand_in.seconds:.1f} s ({stand_in.count / stand_in.seconds:.0f} a second, at most "
        f"{stand_in.behind * 1000:.0f} ms behind), all stored {time.time() - ended:.1f} s later; {before:.1f} MiB before, "
        f"{listener.memory('VmRSS'):.1f} after, peak {listener.memory('VmHWM'):.1f}, {listener.memory('RssAnon'):.1f} of it the program's own; "
        f"{(listener.processor() - cpu) / stand_in.count * 1e6:.0f} µs of processor a message"
    )  # fmt: skip
    listener.end()
    serving.close()


async def rooms(options, folder):
    names = [ROOM, *(f"quiet{number}@rooms.localhost" for number in range(199))]
    server = await with_room("prosody-internal", folder, 0, names)
    began, listener = time.time(), Listener(options.binary, folder, server.port, names)
    await listener.wait(lambda: listener.live() == len(names), 300)
    seconds, cpu, pause = time.time() - began, listener.processor(), 60 if options.long else 20
    await asyncio.sleep(pause)
    print(
        f"{len(names)} rooms: joined within {seconds:.1f} s; then {(listener.processor() - cpu) / pause * 1000:.1f} ms of processor a second, "
        f"{listener.memory('VmRSS'):.1f} MiB, peak {listener.memory('VmHWM'):.1f}"
    )
    listener.end()
    server.kill()


PARTS = {"history": history, "pings": pings, "stream": stream, "rooms": rooms}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], help="all by default")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--messages", type=int, help="of the first history (default: 10,000, with --long 100,000)")
    parser.add_argument("--binary", default=os.path.join(REPOSITORY, ".build/release/scrollback"))
    options = parser.parse_args()
    for part in options.parts or PARTS:
        with tempfile.TemporaryDirectory(prefix="scrollback-xmpp-bench-") as folder:
            asyncio.run(PARTS[part](options, folder))


if __name__ == "__main__":
    main()
