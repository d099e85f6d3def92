"""What stands between the listener and a server, and fails on demand."""

import asyncio
import re
import socket
import struct
import time

# Ours, whatever nick it has by now: the user name is the configuration's.
OWN_JOIN = rb"(?:@\S+ )?:\S+!~?%s@\S+ JOIN :?([^ \r]+)"


async def until_one_ends(*directions):
    """Passes data in both directions of a connection until one of them ends."""
    pumps = [asyncio.ensure_future(direction) for direction in directions]
    try:
        await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
    except asyncio.CancelledError:
        # The soak is over; asyncio (Python 3.11) shows it as a fault otherwise.
        pass
    for pump in pumps:
        pump.cancel()


class Outage:
    """A room that was not heard; `ended` is None while it is not."""

    def __init__(self, began):
        self.began, self.ended = began, None


class Link:
    """One connection of the listener's, through to the server."""

    def __init__(self, client, server):
        self.client, self.server, self.heard, self.is_dropping, self.dropped = client, server, time.time(), False, None
        self.rest, self.lag, self.stalled_until, self.is_mute = b"", 0.0, 0.0, False

    async def wait(self):
        """Delayed bytes keep their order in the connection, as TCP has it; other connections go on meanwhile."""
        await asyncio.sleep(self.lag)
        while (left := self.stalled_until - time.time()) > 0:
            await asyncio.sleep(left)


class Proxy:
    """`outages` are those of each room; one begins with the last byte that the listener was given before a connection ended."""

    def __init__(self, port, rooms, nick="archiver", user="soak"):
        self.server_port, self.rooms, self.port, self.links = port, rooms, 0, set()
        self.nick, self.user, self.own_join = nick, user, re.compile(OWN_JOIN % user.encode())
        self.outages = {room: [] for room in rooms}
        self.live = set()
        # When the listener was frozen; None while it runs.
        self.frozen_since = None
        # Outages that ended while the listener was frozen: it reads that afterwards.
        self.is_frozen, self.thawing = False, []
        # Seconds from a silent drop to the listener's hanging up.
        self.notices = []
        self.listening = None

    async def start(self):
        self.listening = await asyncio.start_server(self.serve, "127.0.0.1", 0, limit=1 << 16)
        self.port = self.listening.sockets[0].getsockname()[1]

    async def serve(self, reader, writer):
        try:
            server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self.server_port, limit=1 << 16)
        except OSError:
            return writer.close()
        link = Link(writer, server_writer)
        self.links.add(link)
        await until_one_ends(self.to_listener(server_reader, link), self.to_server(reader, link))
        self.ended(link)
        for end in (writer, server_writer):
            end.close()

    async def to_listener(self, reader, link):
        try:
            while data := await reader.read(1 << 16):
                await link.wait()
                if link.is_dropping:
                    continue
                link.client.write(data)
                await link.client.drain()
                link.heard = time.time()
                self.notice_joins(link, data)
        except OSError:
            pass
        # A network that drops everything drops the server's hanging up as well.
        if link.is_dropping:
            await asyncio.Event().wait()

    async def to_server(self, reader, link):
        try:
            while data := await reader.read(1 << 16):
                await link.wait()
                if not link.is_dropping and not link.is_mute:
                    link.server.write(data)
                    await link.server.drain()
        except OSError:
            pass
        if link.dropped:
            self.notices.append(time.time() - link.dropped)

    def notice_joins(self, link, data):
        *lines, link.rest = (link.rest + data).split(b"\n")
        for line in lines:
            own = self.own_join.match(line)
            room = own and own[1].decode()
            if room in self.rooms and room not in self.live:
                self.live.add(room)
                if self.outages[room]:
                    self.outages[room][-1].ended = link.heard
                    self.thawing += [self.outages[room][-1]] if self.is_frozen else []

    def ended(self, link):
        """Rooms are heard on one link only: whoever has another has lost the first."""
        if link not in self.links:
            return
        self.links.discard(link)
        began = min(link.heard, self.frozen_since or link.heard)
        for room in self.live:
            self.outages[room].append(Outage(began))
        self.live.clear()

    @property
    def is_live(self):
        """All rooms are heard. One whose connection is dropped silently is not, though nobody has noticed."""
        return len(self.live) == len(self.rooms) and not self.is_dropping

    @property
    def is_dropping(self):
        return any(link.is_dropping for link in self.links)

    def thaw(self):
        self.is_frozen = False
        while self.thawing:
            self.thawing.pop().ended = time.time()

    def reset(self):
        for link in list(self.links):
            self.ended(link)
            for end in (link.client, link.server):
                end.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                end.transport.abort()

    def drop(self):
        """From here on nothing arrives at either end, and neither is told."""
        for link in self.links:
            if not link.is_dropping:
                link.is_dropping, link.dropped = True, time.time()

    def mute(self):
        """Half open: nothing arrives at the server any more, and the listener hears on."""
        for link in self.links:
            link.is_mute = True

    def stall(self, seconds):
        for link in self.links:
            link.stalled_until = time.time() + seconds

    def slow(self, seconds):
        """Each piece of data arrives that much later, in both directions."""
        for link in self.links:
            link.lag = seconds
