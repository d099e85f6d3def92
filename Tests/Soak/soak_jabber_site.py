"""A server of the XMPP soak with its accounts, its people, and the faults that it has."""

import asyncio
import itertools
import random
import signal
import socket
import struct
import time

import soak_jabber
import soak_proxy
from soak_jabber import HOST
from soak_jabber_people import Person

PEOPLE, ROOMS = ("alice", "bob"), 3
TEXTS = ["the build is broken", "서버가 다시 살아났어요", "see you at lunch 🍜", "<b>&amp;</b>", "/mo money", "e\u0301gal"]
NUMBERS = itertools.count(1)


class Said:
    """A message that somebody tried to say in `room`: a room, or the partner of a conversation of `user`."""

    def __init__(self, room, by, user=None):
        self.number, self.room, self.by, self.user, self.began, self.ended = next(NUMBERS), room, by, user, time.time(), None
        self.text, self.is_confirmed = f"{self.number}: {random.choice(TEXTS)}", False

    def end(self, is_confirmed):
        self.is_confirmed, self.ended = is_confirmed, time.time()


class Proxy:
    """Stands between an account and its server, and fails on demand."""

    def __init__(self, server):
        self.server, self.links, self.is_dropping, self.is_refusing = server, set(), False, False
        # The bytes from the server after which the next connections break.
        self.limits = []

    async def start(self):
        self.listening = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.port = self.listening.sockets[0].getsockname()[1]

    async def serve(self, reader, writer):
        if self.is_refusing:
            return writer.transport.abort()
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.server.port)
        except OSError:
            return writer.close()
        self.links.add(writer)
        limit = self.limits.pop(0) if self.limits else None
        await soak_proxy.until_one_ends(self.pump(reader, far_writer, None), self.pump(far_reader, writer, limit))
        self.links.discard(writer)
        if limit is not None:
            self.abort(writer)
        for end in (writer, far_writer):
            end.close()

    async def pump(self, reader, writer, limit):
        try:
            while data := await reader.read(1 << 14):
                while self.is_dropping:
                    await asyncio.sleep(0.1)
                if limit is not None:
                    data, limit = data[:limit], limit - len(data)
                writer.write(data)
                await writer.drain()
                if limit is not None and limit <= 0:
                    return
        except OSError:
            pass

    @staticmethod
    def abort(writer):
        if not writer.is_closing():
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    def reset(self):
        for writer in list(self.links):
            self.abort(writer)


class Site:
    """`accounts` is a number; the names are `me0` and so on. Every second one has a second client, which also talks."""

    FAULTS = (
        "kill_server", "stop_server", "freeze_server", "reset_links", "drop_links", "cut_stages", "trim_archive", "remake_room",
        "switch_archive", "lose_second",
    )  # fmt: skip

    def __init__(self, storage, folder, accounts, chance, interval):
        self.random, self.interval = chance, interval
        self.users = [f"me{number}" for number in range(accounts)]
        self.server = soak_jabber.JabberServer(storage, folder, [*PEOPLE, *self.users])
        self.storage, self.rooms = storage, [f"room{number}@{self.server.rooms}" for number in range(ROOMS)]
        self.proxies = {user: Proxy(self.server) for user in self.users}
        self.people = {name: Person(self.server, name, self.rooms) for name in PEOPLE}
        self.phones = {user: Person(self.server, user, resource="phone") for user in self.users[::2]}
        # Messages by number; the ends of servers by a kill; the times in which a room kept no archive.
        self.said, self.kills, self.unarchived, self.talking = {}, [], [], []

    async def start(self):
        await self.server.start()
        for proxy in self.proxies.values():
            await proxy.start()
        # The first person makes the rooms.
        for person in [*self.people.values(), *self.phones.values()]:
            person.start()
            await person.is_open.wait()

    def talk(self):
        people = [*self.people.values(), *self.phones.values()]
        self.talking = [asyncio.ensure_future(self.keep_talking(person, self.interval * len(people))) for person in people]

    async def keep_talking(self, person, interval):
        while True:
            await asyncio.sleep(self.random.expovariate(1 / interval))
            await person.is_open.wait()
            if person.rooms and self.random.random() < 0.7:
                await self.say(person, self.random.choice(self.rooms))
            elif person.rooms:
                await self.tell(person, self.random.choice(self.users))
            else:
                await self.tell(person, self.random.choice(PEOPLE))

    async def say(self, person, room):
        said = Said(room, person.name)
        self.said[said.number] = said
        said.end(await person.say(room, said.text))

    async def tell(self, person, other):
        partner, user = (person.name, other) if other in self.users else (other, person.name)
        said = Said(f"{partner}@{HOST}", f"{person.name}@{HOST}", user)
        self.said[said.number] = said
        said.end(await person.tell(other, said.text))

    async def stop_talking(self):
        for talker in self.talking:
            talker.cancel()
        await asyncio.gather(*self.talking, return_exceptions=True)
        for phone in self.phones.values():
            phone.stop()

    def some(self):
        """Returns the proxies of some accounts, at least one."""
        return self.random.sample(list(self.proxies.values()), self.random.randint(1, len(self.proxies)))

    def leave(self):
        for proxy in self.proxies.values():
            proxy.is_refusing = True
            proxy.reset()

    def come_back(self):
        for proxy in self.proxies.values():
            proxy.is_refusing = False

    async def wait_said(self, count):
        """Waits until so many more messages are confirmed."""
        goal = sum(said.is_confirmed for said in self.said.values()) + count
        while sum(said.is_confirmed for said in self.said.values()) < goal:
            await asyncio.sleep(0.05)

    async def end_server(self, number):
        began = time.time()
        await self.server.end(number)
        if self.server.process.returncode == -signal.SIGKILL:
            self.kills += [began, time.time()]

    async def kill_server(self):
        await self.end_server(signal.SIGKILL)
        await asyncio.sleep(self.random.uniform(0, 2))
        await self.server.start()

    async def stop_server(self):
        await self.end_server(signal.SIGTERM)
        await self.server.start()

    async def freeze_server(self):
        self.server.process.send_signal(signal.SIGSTOP)
        await asyncio.sleep(self.random.uniform(1, 5))
        self.server.process.send_signal(signal.SIGCONT)

    async def reset_links(self):
        for proxy in self.some():
            proxy.reset()

    async def drop_links(self):
        proxies = self.some()
        for proxy in proxies:
            proxy.is_dropping = True
        await self.wait_said(self.random.randint(1, 8))
        for proxy in proxies:
            proxy.reset()
            proxy.is_dropping = False

    async def cut_stages(self):
        """Breaks the next three connections, which can't be resumed: in the login, in the joins, in the history."""
        self.leave()
        await self.wait_said(self.random.randint(3, 12))
        await self.end_server(signal.SIGTERM)
        await self.server.start()
        for proxy in self.proxies.values():
            proxy.limits = [self.random.randint(*range_) for range_ in ((1, 2000), (2000, 8000), (4000, 30_000))]
        self.come_back()

    async def trim_archive(self):
        """Removes the older half of what was said while the accounts were away, and everything before."""
        self.leave()
        await self.wait_said(self.random.randint(3, 8))
        # Prosody's times are whole seconds.
        await asyncio.sleep(1.1)
        before = int(time.time())
        await self.wait_said(self.random.randint(2, 6))
        await self.end_server(signal.SIGTERM)
        self.server.trims = [(room.partition("@")[0], self.server.rooms, before) for room in self.rooms]
        self.server.trims += [(user, HOST, before) for user in self.users]
        await self.server.start()
        self.come_back()

    async def remake_room(self):
        """Destroys a room while the accounts are away or there, and makes it again under its name."""
        room, owner = self.random.choice(self.rooms), self.people[PEOPLE[0]]
        is_away = self.random.random() < 0.7
        if is_away:
            self.leave()
            await self.wait_said(self.random.randint(3, 8))
        await owner.is_open.wait()
        await owner.destroy(room)
        await asyncio.sleep(self.random.uniform(0, 0.5))
        for person in self.people.values():
            await person.is_open.wait()
            await person.join(room)
        await self.wait_said(self.random.randint(1, 5))
        self.come_back()

    async def switch_archive(self):
        """Switches the archive of a room off while the accounts are away, and on again when they are there."""
        room, owner, began = self.random.choice(self.rooms), self.people[PEOPLE[0]], time.time()
        self.leave()
        await owner.is_open.wait()
        await self.set_archive(owner, room, False)
        await self.wait_said(self.random.randint(3, 8))
        self.come_back()
        await asyncio.sleep(self.random.uniform(2, 8))
        await owner.is_open.wait()
        await self.set_archive(owner, room, True)
        self.unarchived.append((room, began, time.time()))

    async def set_archive(self, owner, room, is_kept):
        field = "muc#roomconfig_enablearchiving" if self.server.kind == "prosody" else "mam"
        if not await owner.configure(room, **{field: "1" if is_kept else "0"}):
            raise SystemExit(f"{self.storage}: the archive of {room} can't be switched")

    async def lose_second(self):
        """Kills the server while the accounts are away: Mnesia loses the last second of what everybody else heard."""
        self.leave()
        await self.wait_said(self.random.randint(3, 8))
        await self.end_server(signal.SIGKILL)
        await self.server.start()
        self.come_back()
