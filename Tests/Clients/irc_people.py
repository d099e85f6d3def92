"""The IRC server, and the people who talk on it."""

import asyncio
import socket
import threading

from patience import Patience
from programs import LIMIT, CannotRun
from soak_servers import Server


class Person:
    def __init__(self, nick, port):
        self.nick, self.heard = nick, ""
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=LIMIT)
        self.changed = threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()
        self.send(f"NICK {nick}")
        self.send(f"USER {nick} 0 * :{nick}")
        self.wait_for(f" 376 {nick} ")

    def read(self):
        rest = b""
        self.socket.settimeout(None)
        while data := self.receive():
            *lines, rest = (rest + data).split(b"\r\n")
            for line in lines:
                if line.startswith(b"PING "):
                    self.socket.sendall(b"PONG " + line[5:] + b"\r\n")
                with self.changed:
                    self.heard += line.decode(errors="replace") + "\n"
                    self.changed.notify_all()

    def receive(self):
        try:
            return self.socket.recv(65536)
        except OSError:
            return b""

    def send(self, line):
        self.socket.sendall(line.encode() + b"\r\n")

    def wait_for(self, words, times=1):
        patience = Patience(LIMIT)
        with self.changed:
            while self.heard.count(words) < times:
                self.changed.wait(0.5)
                if patience.is_over():
                    raise CannotRun(f"{self.nick} did not hear {words!r}")


class People:
    """An ngircd with alice and bob in both rooms; alice is an operator."""

    def __init__(self, folder, *rooms):
        self.server, self.persons, self.rooms = Server("ngircd", folder), {}, rooms
        asyncio.run(self.server.start())
        self.port = self.server.port
        for nick in ("alice", "bob"):
            self.join(nick, *rooms)

    def __getitem__(self, nick):
        return self.persons[nick]

    def join(self, nick, *rooms):
        """A person who is in the rooms; alice has seen the join."""
        person = self.persons[nick] = Person(nick, self.port)
        for room in rooms:
            person.send(f"JOIN {room}")
            person.wait_for(f" 366 {nick} {room} ")
        return person

    def wait_for_client(self, nick):
        for room in self.rooms:
            self["alice"].wait_for(f":{nick}!", self.rooms.index(room) + 1)
            self["alice"].wait_for(f"JOIN :{room}\n", 1 + sum(name in self.persons for name in ("bob",)))

    def end(self):
        for person in self.persons.values():
            person.socket.close()
        self.server.kill()
