#!/usr/bin/env -S python3 -B
"""Runs `scrollback listen` at a real homeserver with injected faults, and reports lost, duplicated and changed messages.

    .venv/bin/python Tests/Soak/matrix_soak.py --minutes 5 --seed 1

Synapse (`.ci/make-venv`), 20 rooms, ten people who talk, and one listener that is killed, stopped (SIGTERM), frozen and disconnected;
Synapse is killed and restarted. A person retries a failed call with the same transaction id. At the end each message that Synapse has
confirmed is archived once, in its room and as it was said, or lies in a gap of its room (within 2 s, as clocks are read at different
places); and `scrollback archive check` finds nothing wrong. Exits with 1 if any of that fails.
"""

import argparse
import asyncio
import os
import random
import shutil
import signal
import socket
import struct
import sys
import tempfile
import time
import uuid
from collections import Counter

import aiohttp
import soak_comparison
import soak_listener
import soak_proxy
import soak_servers
from patience import Patience

ROOMS, TALKERS = 20, 10
LONGEST_START, LONGEST_RECOVERY = 90, 400
TEXTS = ["the build is broken", "서버가 다시 살아났어요", "see you at lunch 🍜", "東京は雨です", "release notes", "e\u0301gal"]
LIMITS = """
rc_message: {per_second: 100000, burst_count: 100000}
rc_registration: {per_second: 100000, burst_count: 100000}
rc_login:
  address: {per_second: 100000, burst_count: 100000}
  account: {per_second: 100000, burst_count: 100000}
rc_room_creation: {per_second: 100000, burst_count: 100000}
rc_joins_per_room: {per_second: 100000, burst_count: 100000}
rc_joins:
  local: {per_second: 100000, burst_count: 100000}
  remote: {per_second: 100000, burst_count: 100000}
"""


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Homeserver:
    def __init__(self, folder):
        self.folder, self.port, self.process = folder, free_port(), None
        self.program = os.path.join(soak_servers.REPOSITORY, ".venv/bin/synapse_homeserver")
        self.settings = os.path.join(folder, "homeserver.yaml")
        with open(self.settings, "w") as file:
            file.write(
                f"server_name: soak\npid_file: {folder}/pid\nreport_stats: false\nenable_registration: true\n"
                f"enable_registration_without_verification: true\nsuppress_key_server_warning: true\n"
                f"trusted_key_servers: []\nsigning_key_path: {folder}/key\nmedia_store_path: {folder}/media\n"
                f"macaroon_secret_key: a\nform_secret: b\nregistration_shared_secret: c\n"
                f"database: {{name: sqlite3, args: {{database: '{folder}/homeserver.db'}}}}\n"
                f"listeners: [{{port: {self.port}, type: http, bind_addresses: ['127.0.0.1'], "
                f"resources: [{{names: [client]}}]}}]\n{LIMITS}"
            )

    async def start(self):
        log = os.path.join(self.folder, "synapse.log")
        if self.process is None:
            command = [self.program, "--config-path", self.settings, "--generate-keys"]
            await asyncio.to_thread(soak_servers.spawn(command, log).wait)
        self.process = soak_servers.spawn([self.program, "--config-path", self.settings], log)
        end = time.time() + LONGEST_START
        async with aiohttp.ClientSession() as session:
            while time.time() < end:
                try:
                    async with session.get(f"http://127.0.0.1:{self.port}/_matrix/client/versions") as answer:
                        if answer.status == 200:
                            return
                except aiohttp.ClientError:
                    await asyncio.sleep(0.2)
        raise SystemExit(f"Synapse does not answer: see {log}")

    async def end(self, number):
        self.process.send_signal(number)
        await asyncio.to_thread(self.process.wait)


class Person:
    """A login of a person, whose calls are repeated until they are answered."""

    def __init__(self, server, session):
        self.server, self.session, self.id, self.token = server, session, None, None

    async def call(self, method, path, body=None):
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        address = f"http://127.0.0.1:{self.server.port}/_matrix/client/v3{path}"
        while True:
            try:
                async with self.session.request(method, address, json=body, headers=headers) as answer:
                    value = await answer.json(content_type=None)
                    if answer.status == 200:
                        return value
                    if answer.status < 500 and answer.status != 429:
                        raise SystemExit(f"{method} {path}: {value}")
            except (aiohttp.ClientError, asyncio.TimeoutError, ValueError):
                pass
            await asyncio.sleep(0.3)

    async def register(self, name):
        answer = await self.call(
            "POST", "/register", {"username": name, "password": "pw-" + name, "auth": {"type": "m.login.dummy"}}
        )
        self.id, self.token = answer["user_id"], answer["access_token"]

    async def talk(self, rooms, sent, tried, chance, interval):
        number = 0
        while True:
            room, number = chance.choice(rooms), number + 1
            text = f"{self.id} {number}: {chance.choice(TEXTS)}"
            path = f"/rooms/{room}/send/m.room.message/{uuid.uuid4()}"
            tried.add(text)
            answer = await self.call("PUT", path, {"msgtype": "m.text", "body": text})
            sent[answer["event_id"]] = (room, self.id, text, time.time())
            await asyncio.sleep(chance.expovariate(1 / interval))


class Proxy:
    """Stands between the listener and Synapse, and fails on demand."""

    def __init__(self, target):
        self.target, self.port, self.links, self.is_dropping = target, 0, set(), False

    async def start(self):
        server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self.server = server

    async def serve(self, reader, writer):
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target.port)
        except OSError:
            return writer.close()
        self.links.add(writer)
        await soak_proxy.until_one_ends(self.pump(reader, far_writer), self.pump(far_reader, writer))
        self.links.discard(writer)
        for end in (writer, far_writer):
            end.close()

    async def pump(self, reader, writer):
        try:
            while data := await reader.read(1 << 14):
                while self.is_dropping:
                    await asyncio.sleep(0.1)
                writer.write(data)
                await writer.drain()
        except OSError:
            pass

    def reset(self):
        for writer in list(self.links):
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()


class Listener(soak_listener.Listener):
    def __init__(self, binary, folder, proxy):
        self.binary, self.folder, self.accounts = binary, folder, {}
        self.process, self.log = None, os.path.join(folder, "listen.log")
        self.memory, self.frozen = 0, 0.0
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("SCROLLBACK_")}
        secret = os.path.join(folder, "secret")
        with open(os.open(secret, os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
            file.write("pw-bot\n")
        with open(os.path.join(folder, "scrollback.toml"), "w") as file:
            file.write(
                f'data = "data"\n\n[[account]]\nname = "matrix"\nnetwork = "matrix"\nserver = "http://127.0.0.1:{proxy.port}"\n'
                f'user = "@bot:soak"\npassword_file = "secret"\n'
            )


class Soak:
    def __init__(self, options, folder):
        self.options, self.random = options, random.Random(options.seed)
        self.server = Homeserver(folder)
        self.proxy = Proxy(self.server)
        self.folder, self.done, self.listener = folder, Counter(), None
        # The confirmed messages by id, and the texts of all attempts.
        self.sent, self.tried = {}, set()
        # The rooms' names, by id.
        self.names = {}

    async def run(self):
        await self.server.start()
        await self.proxy.start()
        self.listener = Listener(self.options.binary, self.folder, self.proxy)
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as session:
            bot, *people = [Person(self.server, session) for _ in range(TALKERS + 1)]
            await bot.register("bot")
            for number, person in enumerate(people):
                await person.register(f"talker{number}")
            rooms = await self.make_rooms(bot, people)
            self.listener.start()
            interval = TALKERS / self.options.rate
            talkers = [
                asyncio.ensure_future(
                    person.talk(rooms, self.sent, self.tried, random.Random(self.random.random()), interval)
                )
                for person in people
            ]
            await self.fail(time.time() + self.options.minutes * 60)
            for talker in talkers:
                talker.cancel()
            await asyncio.gather(*talkers, return_exceptions=True)
            # One in each room without any fault, after which everything before is due.
            for room in rooms:
                path = f"/rooms/{room}/send/m.room.message/{uuid.uuid4()}"
                answer = await people[0].call("PUT", path, {"msgtype": "m.text", "body": "the end"})
                self.sent[answer["event_id"]] = (room, people[0].id, "the end", time.time())
            misses = await self.compare()
        if status := await self.listener.end(signal.SIGTERM):
            misses.append(f"the listener ended with {status}")
        if wrong := self.listener.check():
            misses.append(wrong)
        return misses

    async def make_rooms(self, bot, people):
        rooms = []
        for number in range(ROOMS):
            answer = await people[0].call("POST", "/createRoom", {"preset": "public_chat", "name": f"room {number}"})
            rooms.append(answer["room_id"])
            self.names[rooms[-1]] = f"room {number}"
            for person in [bot, *people[1:]]:
                await person.call("POST", f"/join/{rooms[-1]}", {})
        return rooms

    async def fail(self, end):
        faults = [self.kill, self.stop, self.freeze, self.reset, self.drop, self.kill_server, self.restart_server]
        while time.time() < end:
            await asyncio.sleep(self.random.uniform(1, 6))
            fault = self.random.choice(faults)
            self.done[fault.__name__] += 1
            await fault()
            self.listener.must_run()

    async def kill(self):
        await self.listener.restart(signal.SIGKILL, self.random.uniform(0, 5))

    async def stop(self):
        if status := await self.listener.restart(signal.SIGTERM, self.random.uniform(0, 5)):
            raise SystemExit(f"the listener ended with {status}: see {self.listener.log}")

    async def freeze(self):
        await self.listener.freeze(self.random.uniform(1, 8))

    async def reset(self):
        self.proxy.reset()

    async def drop(self):
        self.proxy.is_dropping = True
        await asyncio.sleep(self.random.uniform(1, 10))
        self.proxy.reset()
        self.proxy.is_dropping = False

    async def kill_server(self):
        await self.server.end(signal.SIGKILL)
        await asyncio.sleep(self.random.uniform(0, 3))
        await self.server.start()

    async def restart_server(self):
        await self.server.end(signal.SIGTERM)
        await self.server.start()

    async def compare(self):
        """Waits until nothing more can come, and returns what is wrong."""
        patience = Patience(LONGEST_RECOVERY)
        while True:
            archived = await asyncio.to_thread(lambda: [m for m in self.listener.messages("matrix") if m["kind"] == "message"])
            gaps = (await asyncio.to_thread(self.listener.ask, "gaps"))["gaps"]
            gaps = [gap for gap in gaps if gap["to"]]
            found = Counter(message["remote_id"] for message in archived)
            lost = [id for id in self.sent if id not in found]
            if not lost and not gaps or patience.is_over():
                break
            await asyncio.sleep(2)
        self.report(archived, gaps, lost)
        names = {room["name"]: room for room in self.listener.ask("rooms")["rooms"]}
        misses = [f"{id} is archived {count} times" for id, count in found.items() if count > 1]
        misses += [
            f"{message['remote_id']} was never said"
            for message in archived
            if message["remote_id"] not in self.sent and message["body"] not in self.tried
        ]
        for message in archived:
            said = self.sent.get(message["remote_id"])
            if said and (message["room"], message["body"], message["sender"]["name"]) != (
                self.names[said[0]],
                said[2],
                said[1].split(":")[0][1:],
            ):
                misses.append(f"{message['remote_id']} says {message['body']!r} by {message['sender']}, said was {said}")
        if len(names) != ROOMS:
            misses.append(f"there are {len(names)} rooms: {sorted(names)}")
        for id in lost:
            at = self.sent[id][3] * 1e6
            spans = [
                (soak_comparison.microseconds(gap["from"]), soak_comparison.microseconds(gap["to"]))
                for gap in gaps
                if gap["room"] == self.names[self.sent[id][0]]
            ]
            if not any(begin - 2e6 <= at <= finish + 2e6 for begin, finish in spans):
                misses.append(f"{self.sent[id]} is lost, and in no gap")
        return misses

    def report(self, archived, gaps, lost):
        faults = ", ".join(f"{name} {count}" for name, count in sorted(self.done.items()))
        print(f"faults: {faults}")
        print(f"said {len(self.sent):,}, archived {len(archived):,}, in gaps {len(lost):,}; gaps left: {len(gaps)}")
        late = sorted(
            soak_comparison.microseconds(m["received_at"]) / 1e6 - self.sent[m["remote_id"]][3]
            for m in archived
            if m["remote_id"] in self.sent
        )
        self.listener.take_figures()
        print(
            f"from confirmed to received: the median {late[len(late) // 2] * 1000:.0f} ms, 99 of 100 within "
            f"{late[len(late) * 99 // 100]:.1f} s (faults included); peak {self.listener.memory / 1024:.1f} MiB"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--rate", type=float, default=10, help="messages a second in all")
    parser.add_argument("--binary", default=".build/release/scrollback")
    options = parser.parse_args()
    options.binary = os.path.abspath(options.binary)
    folder = tempfile.mkdtemp(prefix="scrollback-matrix-soak-")
    print(f"seed {options.seed}, in {folder}", flush=True)
    soak = Soak(options, folder)
    try:
        misses = asyncio.run(soak.run())
    finally:
        if soak.listener:
            soak.listener.kill()
        if soak.server.process:
            soak.server.process.kill()
    for miss in misses[:50]:
        print(miss)
    if misses:
        sys.exit(f"{len(misses)} misses: see {folder}")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
