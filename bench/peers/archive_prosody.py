"""Prosody with its archive of group chats (XEP-0313), filled by people who speak XMPP."""

import asyncio
import os
import re
import socket
import subprocess
import time
import xml.sax.saxutils

import archive
import peers_process
import peers_text
import soak_servers

NAME = "Prosody, muc_mam"
HOST, ROOM = "chat.example", "example@rooms.chat.example"
CONFIGURATION = """
data_path = "{folder}/data"
pidfile = "{folder}/pid"
log = {{ {{ levels = {{ "warn", "error" }}, to = "console" }} }}
interfaces = {{ "127.0.0.1" }}
c2s_ports = {{ {port} }}
s2s_ports = {{ }}
c2s_require_encryption = false
modules_enabled = {{ "saslauth" }}
modules_disabled = {{ "s2s", "tls" }}
run_as_root = true
VirtualHost "{host}"
    authentication = "anonymous"
Component "rooms.{host}" "muc"
    modules_enabled = {{ "muc_mam" }}
    muc_log_by_default = true
    muc_room_locking = false
    muc_room_default_persistent = true
    storage_archive_item_limit = 100000000
    muc_event_rate = 1000000
    max_history_messages = 0
"""
OPEN = f"<stream:stream to='{HOST}' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' version='1.0'>"
WINDOW, ASKED = 200, 5
QUERY = (
    "<iq type='set' id='{id}' to='" + ROOM + "'><query xmlns='urn:xmpp:mam:2' queryid='{id}'>"
    "<set xmlns='http://jabber.org/protocol/rsm'><max>50</max><before>{before}</before></set></query></iq>"
)


def programs():
    """Returns Lua's path, the script's path, and the environment."""
    lua, environment = peers_process.find("lua5.4")
    prosody, _ = peers_process.find("prosody")
    return lua, prosody, environment


def version():
    _, prosody, _ = programs()
    with open(os.path.join(os.path.dirname(os.path.dirname(prosody)), "share/doc/prosody/changelog.Debian.gz"), "rb") as file:
        return re.search(rb"\((.*?)\)", subprocess.run(["zcat"], stdin=file, capture_output=True).stdout)[1].decode()


def start(folder, port):
    lua, prosody, environment = programs()
    root = os.path.dirname(os.path.dirname(os.path.dirname(prosody)))
    machine = os.uname().machine + "-linux-gnu"
    with open(prosody) as file:
        script = file.read().replace("='/usr/lib/prosody", f"='{root}/usr/lib/prosody").replace("='/etc/prosody'", f"='{folder}'")
    for name, text in (
        ("prosody", script), ("prosody.cfg.lua", CONFIGURATION.format(folder=folder, port=port, host=HOST)),
    ):  # fmt: skip
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
    os.makedirs(os.path.join(folder, "data"))
    paths = {
        "LUA_PATH": f"{root}/usr/share/lua/5.4/?.lua;{root}/usr/share/lua/5.4/?/init.lua;;",
        "LUA_CPATH": f"{root}/usr/lib/{machine}/lua/5.4/?.so;;",
    }
    return soak_servers.spawn([lua, os.path.join(folder, "prosody"), "-F"], os.path.join(folder, "output.log"), environment | paths)


class Person:
    """An XMPP connection that waits for what it looks for."""

    def __init__(self, reader, writer, nick):
        self.reader, self.writer, self.nick, self.rest = reader, writer, nick, b""

    async def until(self, pattern):
        """Reads until the pattern has matched; returns the match and drops what was read up to its end."""
        while not (match := re.search(pattern, self.rest)):
            try:
                data = await asyncio.wait_for(self.reader.read(1 << 16), 30)
            except asyncio.TimeoutError:
                data = b""
            if not data:
                raise RuntimeError(f"Prosody did not send {pattern!r}: {self.rest[-300:]!r}")
            self.rest += data
        self.rest = self.rest[match.end() :]
        return match

    def send(self, text):
        self.writer.write(text.encode())

    async def join(self):
        self.send("<?xml version='1.0'?>" + OPEN)
        await self.until(rb"</stream:features>")
        self.send("<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='ANONYMOUS'/>")
        await self.until(rb"<success")
        self.send(OPEN)
        await self.until(rb"</stream:features>")
        self.send("<iq type='set' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>")
        await self.until(rb"<jid>")
        self.send(f"<presence to='{ROOM}/{self.nick}'><x xmlns='http://jabber.org/protocol/muc'/></presence>")
        await self.until(rb"code='110'")

    async def say(self, messages, end, ids):
        """Says messages until `end`. Prosody archives a message before it relays it, so a relayed message is archived."""
        for place in range(0, len(messages), WINDOW):
            if time.time() > end:
                return
            part = messages[place : place + WINDOW]
            for message in part:
                text = xml.sax.saxutils.escape(message.text)
                self.send(f"<message type='groupchat' to='{ROOM}'><body>{text}</body></message>")
            for _ in part:
                match = await self.until(rb"<stanza-id [^>]*?id='([^']+)'[^>]*>|<stanza-id id='([^']+)'")
                ids.append((match[1] or match[2]).decode())


async def measure(folder, messages, minutes):
    os.makedirs(folder)
    port = soak_servers.free_port()
    process = start(folder, port)
    try:
        person = await connect(process, port, folder)
        found, ids = archive.Archive(), []
        cpu, began = peers_process.cpu_seconds(process.pid), time.time()
        await person.say(messages, began + minutes * 60, ids)
        seconds, cpu = time.time() - began, peers_process.cpu_seconds(process.pid) - cpu
        found.peak_mib = peers_process.peak_kib(process.pid) / 1024
        found.page = await page(person, ids[len(ids) // 2])
    finally:
        await asyncio.to_thread(peers_process.end, process)
    found.stored, size = stored(os.path.join(folder, "data"))
    found.rate, found.cpu_microseconds = found.stored / seconds, cpu / found.stored * 1e6
    found.bytes_a_message = size / found.stored
    return found


async def connect(process, port, folder):
    for _ in range(300):
        if process.poll() is not None:
            with open(os.path.join(folder, "output.log")) as file:
                raise RuntimeError(f"Prosody ended: {file.read()[-300:]}")
        try:
            person = Person(*await asyncio.open_connection("127.0.0.1", port), "alice")
            await person.join()
            return person
        except ConnectionRefusedError:
            await asyncio.sleep(0.1)
    raise RuntimeError("Prosody does not listen")


async def page(person, before):
    times = []
    for number in range(ASKED):
        began = time.perf_counter()
        person.send(QUERY.format(id=f"q{number}", before=before))
        await person.until(rb"<fin ")
        times.append(time.perf_counter() - began)
    return archive.median(times)


def stored(folder):
    """Returns the number of archived messages, and the size of the archive."""
    count = size = 0
    for path, _, names in os.walk(folder):
        for name in names if path.endswith("/muc_log") else []:
            size += os.path.getsize(os.path.join(path, name))
            with open(os.path.join(path, name), "rb") as file:
                count += file.read().count(b"item({") if name.endswith(".list") else 0
    return count, size
