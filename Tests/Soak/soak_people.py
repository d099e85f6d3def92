"""Who is on a server: people who talk, and a witness who writes down what the server relays."""

import asyncio
import re
import time

# "<0000123> text": the number is unique in the whole run.
NUMBERED = re.compile(rb"<(\d+)> ")

WORDS = (
    "hello", "what", "안녕하세요", "서버가 또 죽었어", "우리집", "naïve café", "ok", "https://example.net/a?b=c&d=%20", "🌳🌲", "日本語",
    "\x02bold\x02", "\x0304,01red\x03 and not", "\x1ditalic\x0f", "가까운\u200b곳", "e\u0301", ":", "::", "a  b", "\u202eabc", "<0>",
)  # fmt: skip
# No UTF-8: windows-1252, EUC-KR cut in the middle, a lone continuation byte.
BYTES = (b"caf\xe9", b"\xbe\xc8\xb3", b"\x80 5", b"\xff\xfe")


def number(text):
    """The number of a message; None without one, and without a text."""
    found = NUMBERED.search((text or "").encode())
    return found and int(found[1])


class Client:
    """One registered connection, at most; `receive` is given each line."""

    def __init__(self, port, nick):
        self.port, self.nick, self.reader, self.writer = port, nick, None, None

    def receive(self, source, verb, params):
        """`source` as nick!user@host; all are bytes."""

    async def connect(self):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
        self.send(f"NICK {self.nick}")
        self.send(f"USER {self.nick} 0 * :{self.nick}")
        while True:
            verb = await self.read_line()
            if verb in (b"376", b"422"):
                return
            if verb == b"433":
                self.nick = f"{self.nick[:6]}{int(time.time() * 10) % 1000}"
                self.send(f"NICK {self.nick}")

    async def read_line(self):
        line = await self.reader.readline()
        if not line:
            raise ConnectionError("the server hung up")
        line = line.rstrip(b"\r\n")
        source = b""
        if line.startswith(b":"):
            source, _, line = line[1:].partition(b" ")
        head, colon, trailing = line.partition(b" :")
        params = head.split() + ([trailing] if colon else [])
        verb = params.pop(0) if params else b""
        if verb == b"PING":
            self.send(b"PONG :" + params[-1])
        self.receive(source, verb, params)
        return verb

    def send(self, line):
        self.writer.write((line if isinstance(line, bytes) else line.encode()) + b"\r\n")

    def close(self):
        if self.writer:
            self.writer.close()
            self.writer = None


class Witness(Client):
    """In every room of a server; `relayed` is what it saw there, in order."""

    def __init__(self, account, port, rooms):
        super().__init__(port, "witness")
        self.account, self.rooms, self.joined = account, rooms, set()
        self.relayed = {room: [] for room in rooms}
        self.is_ready = asyncio.Event()

    def receive(self, source, verb, params):
        if verb == b"366":
            self.joined.add(params[1].decode())
            if self.joined >= set(self.rooms):
                self.is_ready.set()
        if verb not in (b"PRIVMSG", b"NOTICE") or len(params) < 2:
            return
        relayed = self.relayed.get(params[0].decode(errors="replace"))
        number = NUMBERED.search(params[1])
        if relayed is not None and number:
            relayed.append((int(number[1]), time.time(), source.partition(b"!")[0].decode(), said(params[1])))

    async def run(self):
        """Comes back whenever the server does."""
        while True:
            try:
                await self.connect()
                # +H has the server replay what was said to whoever joins, in some of the rooms.
                for index, room in enumerate(self.rooms):
                    self.send(f"JOIN {room}")
                    if self.account == "inspircd" and index % 3 == 0:
                        self.send(f"MODE {room} +H 20:1h")
                while True:
                    await self.read_line()
            except OSError:
                self.is_ready.clear()
                self.joined.clear()
                self.close()
                await asyncio.sleep(0.2)


def said(text):
    """As the archive has it: an action without its frame, bytes that are no UTF-8 as windows-1252."""
    if text.startswith(b"\x01ACTION "):
        text = text[len(b"\x01ACTION ") :].removesuffix(b"\x01")
    try:
        return text.decode()
    except UnicodeDecodeError:
        # What windows-1252 leaves open is the control character of that number (WHATWG).
        return "".join(bytes([byte]).decode("cp1252", errors="replace").replace("\ufffd", chr(byte)) for byte in text)


class Numbers:
    """Of all messages that were sent; whatever is archived was one of them."""

    def __init__(self):
        self.last, self.sent = 0, {}

    def next(self, account, room):
        self.last += 1
        self.sent[self.last] = (account, room)
        return self.last


class Talker(Client):
    def __init__(self, name, port, witness, numbers, random, pause):
        """`pause` is how many seconds lie between two of its doings on average."""
        super().__init__(port, name)
        self.name, self.witness, self.numbers, self.random, self.pause = name, witness, numbers, random, pause
        self.rooms = set()

    async def run(self):
        while True:
            reading = None
            try:
                # What nobody witnesses is not said.
                await self.witness.is_ready.wait()
                await self.connect()
                self.rooms = set(self.random.sample(self.witness.rooms, min(4, len(self.witness.rooms))))
                for room in self.rooms:
                    self.send(f"JOIN {room}")
                reading = asyncio.ensure_future(self.read_all())
                while not reading.done():
                    await asyncio.sleep(self.random.expovariate(1 / self.pause))
                    await self.witness.is_ready.wait()
                    if self.do_something() == "quit":
                        break
            except OSError:
                pass
            finally:
                if reading:
                    reading.cancel()
                self.close()
            await asyncio.sleep(self.random.uniform(0.5, 3))

    async def read_all(self):
        try:
            while True:
                await self.read_line()
        except OSError:
            pass

    def do_something(self):
        chance = self.random.random()
        if chance < 0.03:
            self.nick = f"{self.name}{self.random.choice('abcdefgh')}{self.random.randrange(100)}"
            self.send(f"NICK {self.nick}")
        elif chance < 0.06 and len(self.rooms) > 1:
            room = self.random.choice(sorted(self.rooms))
            self.rooms.discard(room)
            self.send(f"PART {room} :나가요")
        elif chance < 0.09:
            room = self.random.choice(self.witness.rooms)
            self.rooms.add(room)
            self.send(f"JOIN {room}")
        elif chance < 0.10:
            self.send("QUIT :bye")
            return "quit"
        else:
            self.say(self.random.choice(sorted(self.rooms)))

    def say(self, room):
        number = self.numbers.next(self.witness.account, room)
        words = [self.random.choice(WORDS).encode() for _ in range(self.random.randrange(1, 8))]
        if self.random.random() < 0.05:
            words.append(self.random.choice(BYTES))
        text = b"<%07d> " % number + b" ".join(words)
        kind = self.random.random()
        verb = b"NOTICE" if kind < 0.05 else b"PRIVMSG"
        if 0.05 <= kind < 0.10:
            text = b"\x01ACTION " + text + b"\x01"
        self.send(verb + b" " + room.encode() + b" :" + text)
