"""The bouncer soju, with its two stores for messages."""

import contextlib
import gzip
import os
import re
import subprocess
import time

import keeper
import peers_process
import peers_text
import soak_servers

CONFIGURATION = """
listen irc+insecure://127.0.0.1:{port}
listen unix+admin://{folder}/admin
db sqlite3 {folder}/soju.db
message-store {store}
hostname bouncer.example
"""
START_SECONDS = 30
# soju's query for a page, with its condition on the text where it searches.
PAGE = (
    "SELECT m.raw FROM Message AS m, MessageTarget AS t WHERE m.target = t.id AND t.network = 1 AND t.target = '{room}'"
    " {condition} AND m.text IS NOT NULL ORDER BY m.time DESC LIMIT {limit}"
)
MATCH = "AND m.id IN (SELECT ROWID FROM MessageFTS WHERE MessageFTS MATCH '\\\"{}\\\"')"


class Bouncer:
    """soju itself, for both stores."""

    messages = ""

    @classmethod
    def version(cls):
        program, _ = peers_process.find("soju")
        changes = os.path.join(os.path.dirname(os.path.dirname(program)), "share/doc/soju/changelog.Debian.gz")
        with gzip.open(changes, "rt") as file:
            return re.search(r"\((.*?)\)", file.readline())[1]

    def prepare(self):
        text = CONFIGURATION.format(port=soak_servers.free_port(), folder=self.folder, store=self.messages.format(self.folder))
        self.write("config", text)
        self.run("sojudb", "create-user", self.nick, "-admin", input="secret\n")

    def command(self):
        program, environment = peers_process.find("soju")
        return [program, "-config", self.path("config")], environment

    def start(self):
        is_first = not os.path.exists(self.log)
        # soju does not start where a killed one left its socket.
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.path("admin"))
        super().start()
        if is_first:
            self.configure()

    def configure(self):
        """Adds the network and its channels, once soju knows its user: its socket is there a moment earlier."""
        create = ["sojuctl", "user", "run", self.nick]
        end = time.time() + START_SECONDS
        while True:
            self.must_run()
            try:
                self.run(*create, "network", "create", "-addr", f"irc+insecure://127.0.0.1:{self.port}", "-name", "example")
                break
            except RuntimeError:
                if time.time() > end:
                    raise
                time.sleep(0.1)
        for room in peers_text.ROOMS:
            self.run(*create, "channel", "create", f"{room}/example")

    def run(self, program, *arguments, **options):
        program, environment = peers_process.find(program)
        command = [program, "-config", self.path("config"), *arguments]
        answer = subprocess.run(command, capture_output=True, text=True, env=environment, **options)
        if answer.returncode:
            raise RuntimeError(f"{' '.join(arguments)}: {answer.stdout}{answer.stderr}")


class SojuFiles(Bouncer, keeper.FileKeeper):
    name, nick = "soju, files", "sojufile"
    messages = "fs {}/logs"
    files = "logs/sojufile/example/{room}/*.log"
    message = re.compile(rb"\[[0-9:]+\] <")
    line = "[23:59:59] <{nick}> {text}\n"


class SojuDatabase(Bouncer, keeper.DatabaseKeeper):
    name, nick = "soju, SQLite", "sojudb"
    messages = "db"
    database = "soju.db"
    counting = "SELECT count(*) FROM Message WHERE text IS NOT NULL AND raw LIKE '% PRIVMSG #%'"
    reading = "SELECT text FROM Message WHERE text IS NOT NULL"
    emptying = "DELETE FROM Message"
    insertion = (
        "INSERT INTO Message(target, raw, time, sender, text)"
        " SELECT id, ':' || :nick || '!~' || :nick || '@127.0.0.1 PRIVMSG ' || :room || ' :' || :text,"
        " strftime('%Y-%m-%dT%H:%M:%fZ', :milliseconds / 1000.0, 'unixepoch'), :nick, :text FROM MessageTarget WHERE target = :room"
    )

    def questions(self, back):
        room = peers_text.ROOMS[0]
        ((time,),) = self.query(
            "SELECT time FROM Message WHERE text IS NOT NULL AND target = (SELECT id FROM MessageTarget WHERE target = "
            f"'{room}') ORDER BY time DESC LIMIT 1 OFFSET {back - 1}"
        )
        hits = {}
        for word in (peers_text.RARE, peers_text.COMMON):
            hits[word] = PAGE.format(room=room, condition=MATCH.format(word), limit=20)
        page = PAGE.format(room=room, condition=f"AND m.time < '{time.decode()}'", limit=50)
        return {
            "rare": self.statement(hits[peers_text.RARE]),
            "common": self.statement(hits[peers_text.COMMON]),
            "page": self.statement(page),
        }
