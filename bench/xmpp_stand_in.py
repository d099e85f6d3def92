"""A server that logs one account in, lets it join a room, and replays what is said there."""

import asyncio
import base64
import hashlib
import hmac
import time
import xml.etree.ElementTree as ElementTree

import soak_jabber_people
from soak_jabber_people import Stream


class StandIn:
    """Logs the account in, lets it join the room, and replays a recording."""

    HEADER = "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' id='1' from='localhost' version='1.0'>"
    FEATURES = (
        "<stream:features><mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><mechanism>SCRAM-SHA-1</mechanism></mechanisms></stream:features>",
        "<stream:features><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></stream:features>",
    )

    def __init__(self, room, text, count, rate):
        self.room, self.text, self.count, self.rate = room, text, count, rate
        self.joined, self.done = asyncio.Event(), asyncio.Event()
        self.go, self.behind = asyncio.Event(), 0.0

    async def serve(self, reader, writer):
        stream = Stream("stand-in", "")
        stream.reader, stream.writer = reader, writer
        stream.send = lambda text: writer.write(text.encode())
        for features in self.FEATURES:
            stream.parser, stream.depth, stream.waiting = ElementTree.XMLPullParser(["start", "end"]), 0, []
            await reader.readuntil(b"to=")
            await reader.readuntil(b">")
            stream.parser.feed("<stream>")
            list(stream.parser.read_events())
            stream.depth = 1
            stream.send(self.HEADER + features)
            if features is self.FEATURES[0]:
                await self.log_in(stream)
        answering = asyncio.ensure_future(self.answer(stream))
        await self.go.wait()
        await self.replay(writer)
        await answering

    async def log_in(self, stream):
        """Answers for a server that knows the password (RFC 5802)."""
        first = base64.b64decode((await stream.next()).text).decode().partition(",,")[2]
        salt = b"salt"
        challenge = f"r={first.rpartition('r=')[2]}server,s={base64.b64encode(salt).decode()},i=4096"
        stream.send(f"<challenge xmlns='{soak_jabber_people.SASL}'>{base64.b64encode(challenge.encode()).decode()}</challenge>")
        final = base64.b64decode((await stream.next()).text).decode().rpartition(",p=")[0]
        key = hmac.digest(hashlib.pbkdf2_hmac("sha1", b"secret", salt, 4096), b"Server Key", "sha1")
        signature = hmac.digest(key, f"{first},{challenge},{final}".encode(), "sha1")
        proof = base64.b64encode(b"v=" + base64.b64encode(signature)).decode()
        stream.send(f"<success xmlns='{soak_jabber_people.SASL}'>{proof}</success>")

    async def answer(self, stream):
        try:
            while True:
                self.take(await stream.next(), stream)
        except soak_jabber_people.Lost:
            stream.writer.close()

    def take(self, element, stream):
        name, to, id = element.tag.split("}")[-1], element.get("to"), element.get("id")
        if name == "iq" and element.get("type") in ("get", "set"):
            content = "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><jid>me@localhost/x</jid></bind>"
            if not any("xmpp-bind" in child.tag for child in element):
                content = (
                    "<query xmlns='http://jabber.org/protocol/disco#info'><identity category='conference' type='text'/>"
                    "<feature var='http://jabber.org/protocol/muc'/></query>"
                )
            stream.send(f"<iq type='result' id='{id}'" + (f" from='{to}'" if to else "") + f">{content}</iq>")
        elif name == "presence" and to:
            user = "http://jabber.org/protocol/muc#user"
            for nick, status in (("alice", ""), (to.partition("/")[2], "<status code='110'/>")):
                stream.send(f"<presence from='{self.room}/{nick}'><x xmlns='{user}'><item affiliation='none' role='participant'/>{status}</x></presence>")
            stream.send(f"<message type='groupchat' from='{self.room}'><subject/></message>")
            self.joined.set()

    def stanza(self, number):
        return (
            f"<message xmlns='jabber:client' type='groupchat' to='me@localhost/x' from='{self.room}/alice' id='id-{number}' xml:lang='en'>"
            f"<body>{number}: {self.text}</body><stanza-id xmlns='urn:xmpp:sid:0' by='{self.room}' id='key-{number}'/></message>"
        )

    async def replay(self, writer):
        began, step = time.time(), max(1, self.rate // 50)
        for first in range(0, self.count, step):
            writer.write("".join(self.stanza(number) for number in range(first, min(first + step, self.count))).encode())
            await writer.drain()
            wait = began + (first + step) / self.rate - time.time()
            self.behind = max(self.behind, -wait)
            await asyncio.sleep(max(0, wait))
        self.seconds = time.time() - began
        self.done.set()
