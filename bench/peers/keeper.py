"""A keeper of logs: a program that is in the rooms, and writes down what is said."""

import glob
import os
import re
import signal
import sqlite3
import time

import peers_process
import peers_text
import soak_people
import soak_servers

# A writer holds its lock while the disk is slow.
LOCK_SECONDS = 60


class Keeper:
    """A keeper with a folder of its own. A subclass has its configuration, its store and the questions to its store."""

    name = ""
    # The user's name and nick on IRC, at most nine characters.
    nick = ""
    # The signal that stops a program that has not kept up: one after which its store has what was stored.
    stopping = signal.SIGTERM
    # False if messages get into the store only through the network.
    can_fill = True
    # Stores nothing: `count` is not asked.
    is_sink = False

    def __init__(self, folder, port):
        self.folder, self.port, self.process = folder, port, None
        os.makedirs(folder, exist_ok=True)
        self.log = os.path.join(folder, "output.log")

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w") as file:
            file.write(text)

    @classmethod
    def version(cls):
        """Returns the version; raises `Missing` where the program is not to be had."""
        raise NotImplementedError

    @classmethod
    def readers(cls):
        """Returns the versions of other programs that read the store, by name."""
        return {}

    def prepare(self):
        """Writes the configuration."""

    def command(self):
        """Returns the command line and its environment."""
        raise NotImplementedError

    def start(self):
        command, environment = self.command()
        self.process = soak_servers.spawn(command, self.log, environment)

    def stop(self, number=signal.SIGTERM):
        """Ends the program; by SIGTERM, so that it writes what it has in memory."""
        peers_process.end(self.process, number)

    def must_run(self):
        if self.process.poll() is not None:
            raise RuntimeError(f"it ended with {self.process.returncode}: {last_line(self.log)}")

    def count(self):
        """Returns the number of stored messages of people."""
        return sum(1 for _ in self.texts())

    def progress(self):
        """Returns a value that changes while the program stores."""
        return self.bytes()

    def fill(self, messages):
        """Replaces the messages of a stopped program's store, without the network, so that all stores are read at one size."""
        raise NotImplementedError

    def texts(self):
        """Returns the stored messages of people, as bytes that contain their texts."""
        raise NotImplementedError

    def numbers(self):
        """Returns the numbers of the stored messages that have one."""
        return [int(number[1]) for text in self.texts() if (number := soak_people.NUMBERED.search(text))]

    def disconnects(self):
        """Returns the number of stored lines that say that the connection was lost."""
        raise NotImplementedError

    def bytes(self):
        """Returns the size of the store and its indexes."""
        raise NotImplementedError

    def questions(self, back):
        """Returns shell commands by name: `rare` and `common`, the newest 20 hits; `page`, 50 messages with `back` after them."""
        raise NotImplementedError

    def other_reading(self, back):
        """Returns the times in ms that other programs need for the same questions to this store, by the program's name."""
        return {}


class FileKeeper(Keeper):
    """A keeper that appends lines to text files."""

    # The files of a room, as a pattern below the folder; `{room}` is the room's name.
    files = ""
    # A line that is a message of a person.
    message = re.compile(rb"")
    # A line as the program writes it, with the nick and the text.
    line = ""

    def room_files(self, room):
        return sorted(glob.glob(glob.escape(self.folder) + "/" + self.files.format(room=room)))

    def lines(self):
        for room in peers_text.ROOMS:
            for path in self.room_files(room):
                with open(path, "rb") as file:
                    yield from file

    def texts(self):
        return (line for line in self.lines() if self.message.match(line))

    def fill(self, messages):
        open_files = []
        for room in peers_text.ROOMS:
            *earlier, last = self.room_files(room)
            for path in earlier:
                os.remove(path)
            open_files.append(open(last, "w", encoding="utf-8"))
        for message in messages:
            open_files[message.room].write(self.line.format(nick=nick(message), text=message.text))
        for file in open_files:
            file.close()

    def disconnects(self):
        return sum(b"isconnect" in line and not self.message.match(line) for line in self.lines())

    def bytes(self):
        return sum(os.path.getsize(path) for room in peers_text.ROOMS for path in self.room_files(room))

    def questions(self, back):
        rg = peers_process.find("rg")[0]
        files = " ".join(f"'{path}'" for path in self.room_files(peers_text.ROOMS[0]))
        hits = f"{rg} --no-filename --word-regexp {{}} {files} | tail -n 20"
        page = f"cat {files} | tail -n {back + 50} | head -n 50"
        return {"rare": hits.format(peers_text.RARE), "common": hits.format(peers_text.COMMON), "page": page}


class DatabaseKeeper(Keeper):
    """A keeper with an SQLite database, which is read with the queries of the keeper's own program."""

    database = ""
    stopping = signal.SIGKILL
    # Queries: the count of messages, their texts, and the count of lines about lost connections.
    counting = reading = disconnecting = ""
    # The statement that removes all messages, and the one that adds a message, with the named parameters of `row`.
    emptying = insertion = ""

    def query(self, statement):
        connection = sqlite3.connect(f"file:{self.path(self.database)}?mode=ro", uri=True, timeout=LOCK_SECONDS)
        connection.text_factory = bytes
        try:
            return connection.execute(statement).fetchall()
        finally:
            connection.close()

    def stop(self, number=signal.SIGTERM):
        super().stop(number)
        # A reader can't roll back what a killed program left unfinished.
        connection = sqlite3.connect(self.path(self.database), timeout=LOCK_SECONDS)
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        connection.close()

    def count(self):
        return self.query(self.counting)[0][0]

    def files(self):
        return glob.glob(glob.escape(self.path(self.database)) + "*")

    def progress(self):
        """A count would wait for the program's locks, and slow the program down."""
        return [os.stat(path).st_mtime_ns for path in (self.path(self.database), *self.files()) if os.path.exists(path)]

    def fill(self, messages):
        with sqlite3.connect(self.path(self.database), timeout=LOCK_SECONDS) as connection:
            connection.execute(self.emptying)
            connection.executemany(self.insertion, (self.row(number, message) for number, message in enumerate(messages)))

    def row(self, number, message):
        """Returns the parameters of `insertion`. Times rise by a millisecond."""
        return {
            "milliseconds": int(time.time() * 1000) + number,
            "room": peers_text.ROOMS[message.room],
            "nick": nick(message),
            "text": message.text,
        }

    def texts(self):
        return (text for (text,) in self.query(self.reading))

    def disconnects(self):
        return self.query(self.disconnecting)[0][0] if self.disconnecting else 0

    def bytes(self):
        return sum(os.path.getsize(path) for path in self.files())

    def statement(self, statement):
        return f'{peers_process.find("sqlite3")[0]} -readonly {self.path(self.database)} "{statement}"'


def nick(message):
    return f"{peers_text.PEOPLE[message.person]}{message.room}"


def last_line(path):
    with open(path, errors="replace") as file:
        lines = [line.strip() for line in file if line.strip()]
    return lines[-1] if lines else "no output"
