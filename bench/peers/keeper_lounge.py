"""The SQLite scheme of The Lounge, written by a stand-in."""

import os
import sys
import time

import keeper
import lounge_writer
import peers_datasette
import peers_process
import peers_text

# As The Lounge's search has them, with the number of hits that the other keepers are asked for.
SEARCH = (
    "SELECT msg, type, time, network, channel FROM messages WHERE type = 'message'"
    " AND json_extract(msg, '$.text') LIKE '%{word}%' ESCAPE '@' AND network = '{network}' AND channel = '{room}'"
    " ORDER BY time DESC LIMIT 20 OFFSET 0"
)
PAGE = (
    "SELECT msg, type, time FROM messages WHERE network = '{network}' AND channel = '{room}'"
    " ORDER BY time DESC LIMIT 50 OFFSET {back}"
)


class Lounge(keeper.DatabaseKeeper):
    name, nick = "The Lounge's scheme, by a stand-in", "lounge"
    database = "lounge.sqlite3"
    counting = "SELECT count(*) FROM messages WHERE type = 'message'"
    reading = "SELECT json_extract(msg, '$.text') FROM messages WHERE type = 'message'"

    emptying = "DELETE FROM messages"
    insertion = lounge_writer.INSERT

    @classmethod
    def version(cls):
        return "4.4"

    @classmethod
    def readers(cls):
        found = peers_datasette.version()
        return {"Datasette": found} if found else {}

    def command(self):
        program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lounge_writer.py")
        command = [sys.executable, "-B", program, str(self.port), self.path(self.database), *peers_text.ROOMS]
        return command, peers_process.ENVIRONMENT

    def row(self, number, message):
        source = f"{keeper.nick(message)}!~user@127.0.0.1"
        return lounge_writer.row(number + int(time.time() * 1000), source, peers_text.ROOMS[message.room], message.text)

    def questions(self, back):
        place = {"network": lounge_writer.NETWORK, "room": peers_text.ROOMS[0]}
        return {
            "rare": self.statement(SEARCH.format(word=peers_text.RARE, **place)),
            "common": self.statement(SEARCH.format(word=peers_text.COMMON, **place)),
            "page": self.statement(PAGE.format(back=back, **place)),
        }

    def other_reading(self, back):
        return peers_datasette.read(self.path(self.database), self.folder, peers_text.ROOMS[0], back)
