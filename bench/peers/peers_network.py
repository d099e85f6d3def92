"""The IRC network between the people and a keeper: ngircd, the people who send, and the connection that a keeper has."""

import asyncio
import contextlib
import os
import re
import sys
import time

import peers_text

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Tests/Soak"))
import soak_people
import soak_proxy

# Messages that were sent and not yet written to the keeper's socket: 200 KiB, which fit into the buffers of a socket. ngircd closes
# a connection whose own queue grows beyond 32 KiB, so `Feed` reads always.
WINDOW = 2_000
PRIVMSG = b" PRIVMSG "
BATCH = 100
LONGEST_JOIN = 120


class Feed(soak_proxy.Proxy):
    """The connection of one keeper to ngircd, which can be cut. Reads always, and forwards as fast as the keeper takes it."""

    def __init__(self, port, rooms, nick):
        super().__init__(port, rooms)
        self.own_join = re.compile(rb"(?:@\S+ )?:" + nick.encode() + rb"\S*!\S+ JOIN :?([^ \r]+)")
        self.delivered, self.numbers, self.keeps_numbers = 0, {}, False
        self.arrived = asyncio.Event()

    async def to_listener(self, reader, link):
        waiting = asyncio.Queue()
        writing = asyncio.ensure_future(self.forward(waiting, link))
        try:
            while data := await reader.read(1 << 18):
                waiting.put_nowait(data)
        except OSError:
            pass
        finally:
            # What ngircd sent before it hung up is still forwarded; after a cut, the connection takes nothing.
            if not link.client.is_closing():
                waiting.put_nowait(b"")
                await writing
            writing.cancel()

    async def forward(self, waiting, link):
        while data := await waiting.get():
            while not waiting.empty() and len(data) < 1 << 18:
                data += waiting.get_nowait()
            link.client.write(data)
            try:
                await link.client.drain()
            except OSError:
                return
            link.heard = time.time()
            self.count(link, data)
            self.arrived.set()

    def count(self, link, data):
        if self.is_live and not self.keeps_numbers:
            data = link.rest + data
            self.delivered += data.count(PRIVMSG)
            # The beginning of a word that the next data may complete.
            link.rest = data[1 - len(PRIVMSG) :]
            return
        *lines, link.rest = (link.rest + data).split(b"\n")
        for line in lines:
            self.delivered += PRIVMSG in line
            if number := soak_people.NUMBERED.search(line):
                self.numbers[int(number[1])] = link.heard
            # A room is heard from the keeper's own JOIN on.
            own = self.own_join.match(line)
            if own and (room := own[1].decode()) in self.rooms and room not in self.live:
                self.live.add(room)
                if self.outages[room]:
                    self.outages[room][-1].ended = link.heard

    def close(self):
        self.listening.close()

    async def until_live(self, keeper, seconds=LONGEST_JOIN):
        end = time.time() + seconds
        while not self.is_live:
            keeper.must_run()
            if time.time() > end:
                missing = sorted(set(self.rooms) - self.live)
                raise RuntimeError(f"it did not join {' '.join(missing)} within {seconds} s")
            await asyncio.sleep(0.05)


class Person(asyncio.BufferedProtocol):
    """A person's connection, whose incoming messages are read and ignored."""

    def __init__(self, nick, room):
        self.nick, self.room, self.buffer = nick, room, bytearray(1 << 16)
        self.joined = asyncio.Event()
        self.writable = asyncio.Event()
        self.transport, self.is_lost = None, False

    def connection_made(self, transport):
        self.transport = transport
        self.writable.set()
        transport.write(f"NICK {self.nick}\r\nUSER {self.nick} 0 * :{self.nick}\r\n".encode())

    def get_buffer(self, hint):
        return self.buffer

    def buffer_updated(self, count):
        if self.joined.is_set():
            # ngircd sends a PING only to a connection that is silent.
            if count < 100 and self.buffer.startswith(b"PING"):
                self.transport.write(b"PONG :irc.example\r\n")
            return
        data = bytes(self.buffer[:count])
        if b" 376 " in data or b" 422 " in data:
            self.transport.write(f"JOIN {self.room}\r\n".encode())
        if b" 366 " in data:
            self.joined.set()

    def connection_lost(self, error):
        self.is_lost = True
        self.writable.set()

    def pause_writing(self):
        self.writable.clear()

    def resume_writing(self):
        self.writable.set()


class Crowd:
    """Three people in each room, who say a chat as fast as a keeper takes it."""

    def __init__(self, port):
        self.port, self.people = port, []

    async def start(self):
        loop = asyncio.get_running_loop()
        for room in range(len(peers_text.ROOMS)):
            for nick in peers_text.PEOPLE:
                person = Person(f"{nick}{room}", peers_text.ROOMS[room])
                await loop.create_connection(lambda: person, "127.0.0.1", self.port)
                self.people.append(person)
        await asyncio.wait_for(asyncio.gather(*(person.joined.wait() for person in self.people)), LONGEST_JOIN)

    async def say(self, messages, feed, end):
        """Sends until `end`. Returns the number of sent messages, all of which the keeper's socket has taken if there was time."""
        sent = 0
        before = feed.delivered
        for start in range(0, len(messages), BATCH):
            if time.time() > end:
                break
            written = [[] for _ in self.people]
            for message in messages[start : start + BATCH]:
                person = message.room * len(peers_text.PEOPLE) + message.person
                written[person].append(f"PRIVMSG {peers_text.ROOMS[message.room]} :{message.text}\r\n")
            for person, lines in zip(self.people, written):
                if lines:
                    await person.writable.wait()
                    if person.is_lost:
                        raise RuntimeError(f"ngircd closed the connection of {person.nick}")
                    person.transport.write("".join(lines).encode())
            sent += min(BATCH, len(messages) - start)
            await self.until_taken(feed, before + sent - WINDOW, end)
        await self.until_taken(feed, before + sent, end)
        return sent

    async def until_taken(self, feed, count, end):
        while feed.delivered < count and time.time() < end:
            feed.arrived.clear()
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(feed.arrived.wait(), 1)

    def end(self):
        for person in self.people:
            person.transport.abort()
