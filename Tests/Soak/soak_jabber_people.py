"""People of XMPP, who talk and connect again, and a reader of whole archives."""

import asyncio
import base64
import itertools
import uuid
import xml.etree.ElementTree as ElementTree
from xml.sax.saxutils import escape, quoteattr

from soak_jabber import HOST, PASSWORD

SASL, MUC, MAM = "urn:ietf:params:xml:ns:xmpp-sasl", "http://jabber.org/protocol/muc", "urn:xmpp:mam:2"
CLIENT, FORM, PAGES, IDS = "{jabber:client}", "jabber:x:data", "http://jabber.org/protocol/rsm", "urn:xmpp:sid:0"
STREAM = (
    f"<?xml version='1.0'?><stream:stream to='{HOST}' version='1.0' xmlns='jabber:client' "
    "xmlns:stream='http://etherx.jabber.org/streams'>"
)
# The most seconds that an answer may take: one page of Prosody's files takes half of one.
LONGEST_ANSWER = 60


class Lost(Exception):
    """The connection has ended."""


class Stream:
    """A connection that is logged in."""

    def __init__(self, name, resource, heard=None):
        self.name, self.resource, self.heard = name, resource, heard
        self.answers, self.numbers, self.writer, self.reading = {}, itertools.count(1), None, None

    async def open(self, port, priority=0):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port)
        self.begin()
        secret = base64.b64encode(f"\0{self.name}\0{PASSWORD}".encode()).decode()
        await self.until("features")
        self.send(f"<auth xmlns='{SASL}' mechanism='PLAIN'>{secret}</auth>")
        await self.until("success")
        self.begin()
        await self.until("features")
        self.reading = asyncio.ensure_future(self.read())
        await self.ask(f"<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><resource>{self.resource}</resource></bind>", kind="set")
        self.send(f"<presence><priority>{priority}</priority></presence>")

    def begin(self):
        self.parser, self.depth, self.waiting = ElementTree.XMLPullParser(["start", "end"]), 0, []
        self.send(STREAM)

    def send(self, text):
        if self.writer.is_closing():
            raise Lost
        self.writer.write(text.encode())

    async def next(self):
        """Returns the next child of the stream."""
        while not self.waiting:
            try:
                data = await self.reader.read(1 << 16)
            except OSError:
                data = b""
            if not data:
                raise Lost
            self.parser.feed(data)
            for event, element in self.parser.read_events():
                self.depth += 1 if event == "start" else -1
                if self.depth == 0:
                    raise Lost
                if event == "end" and self.depth == 1:
                    self.waiting.append(element)
        return self.waiting.pop(0)

    async def until(self, name):
        async with asyncio.timeout(LONGEST_ANSWER):
            while not (element := await self.next()).tag.endswith("}" + name):
                if element.tag.endswith("}failure"):
                    raise SystemExit(f"{self.name} can't log in: {ElementTree.tostring(element)}")

    async def read(self):
        try:
            while True:
                element = await self.next()
                if element.tag == CLIENT + "iq" and element.get("type") in ("result", "error"):
                    answer = self.answers.pop(element.get("id"), None)
                    if answer and not answer.done():
                        answer.set_result(element)
                elif self.heard:
                    self.heard(element)
        except (Lost, ElementTree.ParseError):
            pass
        for answer in self.answers.values():
            if not answer.done():
                answer.set_exception(Lost())
        self.answers.clear()
        self.writer.close()

    async def ask(self, content, to=None, kind="get"):
        """Returns the answer to a question."""
        id = f"q{next(self.numbers)}"
        self.answers[id] = answer = asyncio.get_running_loop().create_future()
        self.send(f"<iq type='{kind}' id='{id}'{f' to={quoteattr(to)}' if to else ''}>{content}</iq>")
        async with asyncio.timeout(LONGEST_ANSWER):
            return await answer

    async def ping(self):
        await self.ask("<ping xmlns='urn:xmpp:ping'/>")

    def close(self):
        if self.reading:
            self.reading.cancel()
        if self.writer:
            self.writer.transport.abort()


def form(space, kind, **fields):
    values = "".join(f"<field var={quoteattr(name)}><value>{escape(value)}</value></field>" for name, value in fields.items())
    return f"<x xmlns='{FORM}' type='submit'><field var='FORM_TYPE'><value>{kind}</value></field>{values}</x>"


class Person:
    """Somebody in rooms, who connects again after each lost connection, and repeats nothing."""

    def __init__(self, server, name, rooms=(), resource="person"):
        self.server, self.name, self.rooms, self.resource = server, name, rooms, resource
        self.stream, self.inside, self.echoes, self.is_open = None, {}, {}, asyncio.Event()
        self.running = None

    def start(self):
        self.running = asyncio.ensure_future(self.stay())

    async def stay(self):
        while True:
            try:
                self.stream = Stream(self.name, self.resource, self.hear)
                await self.stream.open(self.server.port)
                for room in self.rooms:
                    await self.join(room)
                self.is_open.set()
                await self.stream.reading
            except (OSError, Lost, asyncio.TimeoutError, ElementTree.ParseError):
                pass
            self.is_open.clear()
            self.stream.close()
            for echo in self.echoes.values():
                echo.cancel()
            self.echoes.clear()
            await asyncio.sleep(0.3)

    def hear(self, element):
        room, _, nick = (element.get("from") or "").partition("/")
        if element.tag == CLIENT + "presence" and nick == self.name and room in self.inside and not self.inside[room].done():
            self.inside[room].set_result(element)
        if element.tag == CLIENT + "message" and (echo := self.echoes.pop(element.get("id"), None)) and not echo.done():
            echo.set_result(element)

    async def join(self, room):
        """Joins a room, or makes it."""
        self.inside[room] = asyncio.get_running_loop().create_future()
        self.stream.send(f"<presence to={quoteattr(f'{room}/{self.name}')}><x xmlns='{MUC}'><history maxstanzas='0'/></x></presence>")
        async with asyncio.timeout(LONGEST_ANSWER):
            presence = await self.inside[room]
        if any(status.get("code") == "201" for status in presence.iter(f"{{{MUC}#user}}status")):
            await self.configure(room)

    async def configure(self, room, **fields):
        content = form(MUC, MUC + "#roomconfig", **fields) if fields else f"<x xmlns='{FORM}' type='submit'/>"
        answer = await self.stream.ask(f"<query xmlns='{MUC}#owner'>{content}</query>", to=room, kind="set")
        return answer.get("type") == "result"

    async def destroy(self, room):
        await self.stream.ask(f"<query xmlns='{MUC}#owner'><destroy/></query>", to=room, kind="set")

    async def say(self, room, text):
        """Returns true when the room has relayed it."""
        id = str(uuid.uuid4())
        self.echoes[id] = echo = asyncio.get_running_loop().create_future()
        try:
            self.stream.send(f"<message type='groupchat' to={quoteattr(room)} id='{id}'><body>{escape(text)}</body></message>")
            async with asyncio.timeout(LONGEST_ANSWER):
                return (await echo).get("type") != "error"
        except (Lost, asyncio.TimeoutError, asyncio.CancelledError):
            if asyncio.current_task().cancelling():
                raise
            return False

    async def tell(self, other, text):
        """Returns true when the server has taken it."""
        try:
            self.stream.send(f"<message type='chat' to='{other}@{HOST}' id='{uuid.uuid4()}'><body>{escape(text)}</body></message>")
            await self.stream.ping()
            return True
        except (Lost, OSError, asyncio.TimeoutError):
            return False

    def stop(self):
        if self.running:
            self.running.cancel()
        if self.stream:
            self.stream.close()


async def archive(port, name, room=None):
    """Returns the texts of all messages of an archive, oldest first: the account's own, or a room's."""
    results, after = [], ""

    def heard(element):
        if (result := element.find(f"{{{MAM}}}result")) is not None:
            results.append(result.findtext(f".//{CLIENT}body"))

    stream = Stream(name, "reader", heard)
    await stream.open(port, -1)
    while True:
        before = len(results)
        page = f"<set xmlns='{PAGES}'><max>250</max>{after}</set>"
        answer = await stream.ask(f"<query xmlns='{MAM}'>{page}</query>", to=room, kind="set")
        fin = answer.find(f"{{{MAM}}}fin")
        if fin is None:
            raise SystemExit(f"the archive of {room or name} can't be read: {ElementTree.tostring(answer)}")
        last = fin.find(f".//{{{PAGES}}}last")
        if fin.get("complete") == "true" or len(results) == before or last is None:
            stream.close()
            return results
        after = f"<after>{escape(last.text)}</after>"
