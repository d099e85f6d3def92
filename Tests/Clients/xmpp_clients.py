"""The XMPP clients: how each is configured, started and ended, and what it does not log."""

import os

import programs
import script
from irc_clients import Client
from programs import Process, environment, find
from xmpp_people import HOST, Person, Prosody


class XMPPClient(Client):
    # What is typed to join the room; None if the configuration does.
    join = None

    def run(self, folder):
        path, root = find(self.program)
        server, process = Prosody(folder, "alice", "bob", "carol", self.nick), None
        try:
            people = {name: Person(name, server.port) for name in ("alice", "bob", "carol")}
            for name in ("alice", "bob"):
                people[name].join(script.XMPP_ROOM)
            process = self.start(path, root, folder, server.port)
            self.enter(process, people["alice"])
            said = script.xmpp(people, f"{self.nick}@{HOST}", lambda words: self.wait_for_log(folder, words))
            self.wait_for_log(folder, "the end")
            return said
        except programs.CannotRun as reason:
            output = process.output.decode(errors="replace")[-700:] if process else ""
            raise programs.CannotRun(f"{reason} {output!r}") from None
        finally:
            if process:
                process.end(self.farewell)
            server.end()

    def wait_for_log(self, folder, words):
        programs.wait_until(lambda: self.has_logged(folder, words), f"{self.name}'s log of {words!r}")

    def enter(self, process, alice):
        """Types the command until the client is in the room: it takes no command before it is connected."""
        for _ in range(10):
            if self.join:
                process.type(self.join.format(room=script.XMPP_ROOM, nick=self.nick))
            try:
                return alice.wait_for(f"{script.XMPP_ROOM}/{self.nick}", seconds=1.5)
            except programs.CannotRun as reason:
                last = reason
        raise last


class MCabber(XMPPClient):
    program, join, farewell = "mcabber", "/room join {room} {nick}\r", "/quit\r"

    def start(self, path, root, folder, port):
        os.makedirs(f"{folder}/logs")
        self.write(f"{folder}/mcabberrc", f"""
set jid = {self.nick}@{HOST}
set password = secret
set server = 127.0.0.1
set port = {port}
set tls = 0
set logging = 1
set log_muc_conf = 1
set logging_dir = {folder}/logs
set nickname = {self.nick}
""")
        return Process([path, "-f", f"{folder}/mcabberrc"], environment(root, folder), folder)


class Profanity(XMPPClient):
    program, join, farewell = "profanity", "/join {room} nick {nick}\r", "/quit\r"
    # profanity logs only messages.
    lacks = frozenset({"join", "leave", "topic"})

    def start(self, path, root, folder, port):
        self.write(f"{folder}/.local/share/profanity/accounts", f"""
[{self.nick}@{HOST}]
enabled=true
jid={self.nick}@{HOST}
server=127.0.0.1
port={port}
password=secret
tls.policy=disable
resource=client
muc.nick={self.nick}
""")
        self.write(f"{folder}/.config/profanity/profrc", "[logging]\nchlog=true\ngrlog=true\n[connection]\naccount=\n")
        return Process([path, "-a", f"{self.nick}@{HOST}"], environment(root, folder), folder)

    def log_path(self, folder):
        return f"{folder}/.local/share/profanity/chatlogs"


class Poezio(XMPPClient):
    program, farewell = "poezio", "/quit\r"
    # The folder also has a log of the program's own errors.
    may_skip_files = True

    def start(self, path, root, folder, port):
        self.write(f"{folder}/poezio.cfg", f"""[Poezio]
jid = {self.nick}@{HOST}
password = secret
custom_host = 127.0.0.1
custom_port = {port}
force_encryption = false
ignore_certificate = true
use_log = true
log_dir = {folder}/logs
rooms = {script.XMPP_ROOM}/{self.nick}
""")
        python = f"{root}/usr/lib/python3/dist-packages" if root else ""
        command = programs.without_root([path, "-f", f"{folder}/poezio.cfg"])
        return Process(command, environment(root, folder, PYTHONPATH=python), folder)


ALL = [MCabber(), Profanity(), Poezio()]
