"""The networks on which kills.py kills a listener: servers, and people who talk."""

import asyncio
import json
import os
import random
import re
import subprocess
import threading
import time
import urllib.request

import torture
from kill_listeners import PATIENCE, Listening, People, wait_until
from torture import Failed

import soak_people
import soak_servers

PYTHON = os.path.join(torture.REPOSITORY, ".venv/bin/python")
# Messages a second.
RATE = 80


class IRC(Listening):
    """ngircd, three rooms, some people."""

    ROOMS = ["#one", "#둘", "#three"]

    def start_server(self):
        self.people, self.numbers = People(), soak_people.Numbers()
        self.server = soak_servers.Server("ngircd", os.path.dirname(self.program.folder))
        self.people.run(self.server.start())
        self.witness = soak_people.Witness("ngircd", self.server.port, self.ROOMS)
        self.people.begin(self.witness.run())
        wait_until("the witness has joined", self.witness.is_ready.is_set)
        self.talkers = [
            soak_people.Talker(f"t{n}", self.server.port, self.witness, self.numbers, random.Random(self.random.random()), 6 / RATE)
            for n in range(6)
        ]
        for talker in self.talkers:
            self.people.begin(talker.run())

    def configuration(self):
        rooms = ", ".join(f'"{room}"' for room in self.ROOMS)
        return (
            f'[[account]]\nname = "net"\nnetwork = "irc"\nserver = "irc://127.0.0.1:{self.server.port}"\n'
            f'nick = "archiver"\nuser = "archiver"\nrooms = [{rooms}]\nsign_of_life_seconds = 1\n'
        )

    def begin_talk(self):
        for room in self.ROOMS:
            self.witness.relayed[room].clear()
        self.people.loop.call_soon_threadsafe(self.witness.is_ready.set)

    def pause_talk(self):
        """Talkers wait for the witness before each message."""
        self.people.loop.call_soon_threadsafe(self.witness.is_ready.clear)
        time.sleep(0.3)

    def end_talk(self):
        """They go on with the next round."""

    def wait_for_rooms(self):
        """Until something that is said now is stored in each room."""
        before = {room: len(self.witness.relayed[room]) for room in self.ROOMS}

        def are_heard():
            return all(self.newest(room) & {number for number, *_ in self.witness.relayed[room][before[room] :]} for room in self.ROOMS)

        wait_until("something is stored in each room", are_heard)

    def wait_for_last(self):
        last = {room: self.witness.relayed[room][-1][0] for room in self.ROOMS if self.witness.relayed[room]}

        def is_stored():
            return all(number in self.newest(room) for room, number in last.items())

        try:
            wait_until(f"what was said last, {last}, is stored", is_stored)
        except Failed as failure:
            return [str(failure)]
        return []

    def newest(self, room):
        _, output, _ = self.program.run("history", f"net/{room}", "-n", "50", "--format", "jsonl")
        return {soak_people.number(json.loads(line).get("body")) for line in output.splitlines()}

    def sent(self):
        return self.numbers.sent

    def compare(self):
        return self.compare_gaps() + self.compare_rooms(self.witness.relayed)

    def close(self):
        self.server.kill()


class StreamChat(Listening):
    """Scrollback's room server, its one room, and people."""

    ROOM = "lobby"

    def start_server(self):
        self.people, self.numbers = People(), {}
        self.relayed, self.is_paused = [], True
        self.server = self.program.start("room-server", "--port", "0", "--framing", "nul", text=True)
        self.port = int(re.search(r"port=(\d+)", self.server.stderr.readline())[1])
        self.people.run(self.connect_all())

    async def connect_all(self):
        # A connection whose writer nobody holds is closed.
        self.connections = [await asyncio.open_connection("127.0.0.1", self.port) for _ in range(4)]
        for (_, writer), name in zip(self.connections, ["witness", "alice", "bob", "carol"]):
            writer.write(f"USR_NAME::{name}::END".encode())
        self.tasks = [asyncio.ensure_future(self.watch(self.connections[0][0]))]
        self.tasks += [asyncio.ensure_future(self.talk(reader, writer)) for reader, writer in self.connections[1:]]

    async def watch(self, reader):
        while True:
            line = (await reader.readuntil(b"\0"))[:-1].decode()
            name, separator, text = line.partition("::")
            if separator and (number := soak_people.number(text)) is not None:
                self.relayed.append((number, time.time(), name, text))

    async def talk(self, reader, writer):
        # What is not read fills the server's buffers.
        self.tasks.append(asyncio.ensure_future(reader.read()))
        while True:
            await asyncio.sleep(self.random.expovariate(RATE / 3))
            if self.is_paused:
                continue
            number = len(self.numbers) + 1
            self.numbers[number] = ("classroom", self.ROOM)
            writer.write(f"MSG::{torture.text(number)} {'말' * self.random.randrange(60)}::END".encode())

    def configuration(self):
        return (
            f'[[account]]\nname = "classroom"\nnetwork = "streamchat"\nserver = "tcp://127.0.0.1:{self.port}"\n'
            f'nick = "archiver"\nroom = "{self.ROOM}"\nframing = "nul"\nsign_of_life_seconds = 1\n'
        )

    def begin_talk(self):
        self.relayed.clear()
        self.is_paused = False

    def pause_talk(self):
        self.is_paused = True
        time.sleep(0.3)

    def end_talk(self):
        """They go on with the next round."""

    def wait_for_last(self):
        last = torture.text(self.relayed[-1][0])
        try:
            wait_until("what was said last is stored", lambda: last in self.program.run("tail", "-n", "20", "-a", "classroom")[1])
        except Failed as failure:
            return [str(failure)]
        return []

    def sent(self):
        return self.numbers

    def compare(self):
        return self.compare_gaps() + self.compare_rooms({self.ROOM: list(self.relayed)})

    def close(self):
        self.server.kill()


class SLP(Listening):
    """The workspace service of the tests, with history: in the end nothing may be missing."""

    ROUND = 25
    ROOMS = ["general", "가족"]

    def start_server(self):
        """Each round has its own service: a new archive fetches all history."""

    def begin_talk(self):
        command = [PYTHON, "-B", os.path.join(torture.REPOSITORY, "Tests/SLPServer/slp_server.py"), "--port", str(self.port)]
        self.server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.control = int(re.search(r"control=(\d+)", self.server.stderr.readline())[1])
        workspace = self.order("workspace", name="acme")["id"]
        self.rooms = [self.order("channel", workspace=workspace, name=name)["id"] for name in self.ROOMS]
        self.is_over, self.count = threading.Event(), 0
        self.talker = threading.Thread(target=self.talk, daemon=True)
        self.talker.start()

    def order(self, what, **order):
        request = urllib.request.Request(f"http://127.0.0.1:{self.control}/control/service/{what}", json.dumps(order).encode())
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.loads(answer.read() or "{}")

    def talk(self):
        while not self.is_over.wait(self.random.expovariate(RATE / 2)):
            try:
                self.order("say", room=self.random.choice(self.rooms), content=torture.text(self.count))
                self.count += 1
            except TimeoutError:
                # The machine was suspended meanwhile; the service notes what it heard.
                pass

    def configuration(self):
        self.port = soak_servers.free_port()
        for name, secret in (("password", "secret"), ("key", "key")):
            with open(os.open(os.path.join(self.program.folder, name), os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
                file.write(secret + "\n")
        return (
            f'[[account]]\nname = "work"\nnetwork = "slp"\nserver = "http://127.0.0.1:{self.port}"\nemail = "alice@example.net"\n'
            'password_file = "password"\napp_key_file = "key"\nsign_of_life_seconds = 1\n'
        )

    def pause_talk(self):
        self.is_over.set()
        self.talker.join()

    def wait_for_last(self):
        try:
            wait_until(f"all {self.count} messages are stored", lambda: len(self.program.messages()) >= self.count)
        except Failed as failure:
            return [str(failure)]
        return []

    def end_talk(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.control}/control/service/said", timeout=PATIENCE) as answer:
            self.said = json.loads(answer.read())
        self.close()

    def compare(self):
        stored = sorted((m["room"], m["remote_id"], m["body"]) for m in self.messages if m["kind"] == "message")
        said = sorted((m["room"], m["id"], m["content"]) for m in self.said)
        if stored == said:
            return []
        missing, extra = sorted(set(said) - set(stored)), sorted(set(stored) - set(said))
        return [f"{len(said)} said, {len(stored)} stored; missing {missing[:3]} ({len(missing)}), not said {extra[:3]} ({len(extra)})"]

    def close(self):
        if self.server.poll() is None:
            self.server.kill()
            self.server.communicate()
