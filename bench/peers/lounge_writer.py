#!/usr/bin/env -S python3 -B
"""Writes what an IRC network says into the SQLite scheme of The Lounge 4.4, one INSERT and one transaction a message.

    bench/peers/lounge_writer.py PORT DATABASE ROOM...

A stand-in for the scheme, not for the program: The Lounge is written in JavaScript, and its package is not fetched here. The
statements and their order are those of The Lounge's server/plugins/messageStorage/sqlite.ts, which leaves SQLite's pragmas alone.
"""

import json
import signal
import socket
import sqlite3
import sys
import time
import uuid

SCHEME = (
    "CREATE TABLE IF NOT EXISTS options (name TEXT, value TEXT, CONSTRAINT name_unique UNIQUE (name))",
    "CREATE TABLE IF NOT EXISTS messages"
    " (id INTEGER PRIMARY KEY AUTOINCREMENT, network TEXT, channel TEXT, time INTEGER, type TEXT, msg TEXT)",
    "CREATE INDEX IF NOT EXISTS network_channel ON messages (network, channel)",
    "CREATE INDEX IF NOT EXISTS time ON messages (time)",
)
INSERT = "INSERT INTO messages(network, channel, time, type, msg) VALUES(?, ?, ?, ?, ?)"
# The Lounge reconnects as irc-framework does by default: after 4 s.
RECONNECT_SECONDS = 4
NICK = "lounge"
NETWORK = str(uuid.uuid5(uuid.NAMESPACE_DNS, "irc.example"))


class Writer:
    def __init__(self, port, database, rooms):
        self.port, self.rooms = port, rooms
        self.database = sqlite3.connect(database, isolation_level=None)
        for statement in SCHEME:
            self.database.execute(statement)

    def run(self):
        while True:
            try:
                with socket.create_connection(("127.0.0.1", self.port)) as connection:
                    self.read(connection)
            except OSError:
                pass
            time.sleep(RECONNECT_SECONDS)

    def read(self, connection):
        connection.sendall(f"NICK {NICK}\r\nUSER {NICK} 0 * :{NICK}\r\n".encode())
        rest = b""
        while data := connection.recv(1 << 16):
            *lines, rest = (rest + data).split(b"\r\n")
            for line in lines:
                self.receive(connection, line.decode(errors="replace"))

    def receive(self, connection, line):
        source, _, command = line.partition(" ") if line.startswith(":") else ("", "", line)
        if command.startswith("PING"):
            connection.sendall(f"PONG{command[4:]}\r\n".encode())
        elif command.startswith(("376 ", "422 ")):
            connection.sendall("".join(f"JOIN {room}\r\n" for room in self.rooms).encode())
        elif command.startswith("PRIVMSG "):
            target, _, text = command.removeprefix("PRIVMSG ").partition(" :")
            self.store(source[1:], target, text)

    def store(self, source, room, text):
        self.database.execute(INSERT, row(time.time_ns() // 1_000_000, source, room, text))


def row(milliseconds, source, room, text):
    nick, _, host = source.partition("!")
    message = {
        "from": {"mode": "", "nick": nick}, "text": text, "self": False, "highlight": False, "users": [], "hostmask": host,
    }  # fmt: skip
    return NETWORK, room.lower(), milliseconds, "message", json.dumps(message, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(0))
    Writer(int(sys.argv[1]), sys.argv[2], sys.argv[3:]).run()
