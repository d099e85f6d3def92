"""A reader that stores nothing, as the limit of what the server and the people can give."""

import sys

import keeper
import peers_process
import peers_text

PROGRAM = """
import signal, socket, sys
signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(0))
connection = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
connection.sendall(b"NICK sink\\r\\nUSER sink 0 * :sink\\r\\n")
is_joined = False
while data := connection.recv(1 << 16):
    if not is_joined and (b" 376 " in data or b" 422 " in data):
        connection.sendall("".join(f"JOIN {room}\\r\\n" for room in sys.argv[2:]).encode())
        is_joined = True
"""


class Sink(keeper.Keeper):
    name, nick, is_sink = "a reader without a store", "sink", True

    @classmethod
    def version(cls):
        return ""

    def command(self):
        return [sys.executable, "-B", "-c", PROGRAM, str(self.port), *peers_text.ROOMS], peers_process.ENVIRONMENT

    def bytes(self):
        return 0
