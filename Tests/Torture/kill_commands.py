"""Commands that are killed: import, export, expire, forget and replicate."""

import filecmp
import json
import os
import shutil
import signal
import time

import postgres
import torture
from torture import Failed, expect, numbers


class Command:
    """`kill` kills once or twice, ends the work, and raises `Failed` if something is wrong."""

    ROUND = 20
    # What the command says if one that was killed had done all its work.
    DONE = None

    def __init__(self, program, seed):
        self.program, self.plant, self.longest = program, None, 0.1

    def strike(self, chance, *arguments):
        """Runs a command and kills it at a random time. Returns True if it was killed before its end."""
        began = time.time()
        process = self.program.start(*arguments)
        time.sleep(chance.uniform(0, self.longest))
        is_running = process.poll() is None
        process.kill()
        output, errors = process.communicate()
        if process.returncode == -signal.SIGKILL:
            self.longest *= 1.01
            return True
        if process.returncode != 0 and not (self.DONE and self.DONE in errors.decode()):
            raise Failed(f"scrollback {' '.join(arguments)} ended with {process.returncode}: {errors.decode()}")
        # Its end is the time in which kills fall, with other loads of the machine.
        self.longest = max(0.02, min(self.longest * 0.97, time.time() - began) if not is_running else self.longest)
        return False

    def strike_often(self, chance, *arguments):
        """Returns the number of kills, and True if the command came to its end after them."""
        kills = 0
        for _ in range(chance.choice([1, 1, 2, 3])):
            if not self.strike(chance, *arguments):
                return kills, True
            kills += 1
        return kills, False

    def measure(self, *arguments):
        began = time.time()
        self.program.must(*arguments)
        self.longest = time.time() - began

    def lost(self, is_before):
        """With the planted bug "lost", what was done between the two calls is undone: all of it, as a killed command may have done it."""
        if self.plant == "lost":
            kept = self.program.data + "-kept"
            torture.copy(*((self.program.data, kept) if is_before else (kept, self.program.data)))

    def sabotage(self):
        """Plants a bug that the next comparison must notice."""
        if self.plant == "corrupt":
            [file] = torture.account_files(self.program.data, ".sqlite")[:1]
            torture.overwrite(file)
        elif self.plant == "twice":
            self.write("twice.jsonl", [torture.log_line(3, minutes=9)])
            self.program.must("import", "jsonl", "twice.jsonl", "-a", "demo", "--allow-shift")

    def write(self, name, lines):
        with open(os.path.join(self.program.folder, name), "w") as file:
            file.writelines(line + "\n" for line in lines)

    def check_copy(self):
        """What a restart of the machine finds is as good: SQLite's shared memory is gone."""
        copy = self.program.on(self.program.folder + "-copy")
        torture.copy(self.program.folder, copy.folder)
        copy.check()

    def stop(self):
        """No process is left."""

    def close(self):
        """There is no server."""


class Import(Command):
    """Logs with and without ids, one file after the other; acknowledged is an import that ended."""

    def begin(self):
        self.write("0.jsonl", [torture.log_line(number) for number in range(50)])
        self.measure("import", "jsonl", "0.jsonl", "-a", "demo")
        self.next, self.done, self.earlier = 50, set(range(50)), range(50)

    def file(self, chance):
        """Writes the next log. Returns its numbers and the arguments that import it."""
        first, count = self.next, chance.randrange(100, 500)
        self.next += count
        if chance.random() < 0.5:
            # Some of it is there already.
            wanted = [*self.earlier[-50:], *range(first, self.next)]
            self.earlier = range(first, self.next)
            self.write(f"{first}.jsonl", [torture.log_line(number) for number in wanted])
            return wanted, ["import", "jsonl", f"{first}.jsonl", "-a", "demo"]
        # A day of its own: a log without ids is recognised by its lines.
        name = time.strftime("%Y-%m-%d", time.gmtime(1_000_000_000 + 86400 * first)) + ".log"
        lines = [f"[{n // 60:02}:{n % 60:02}] <alice> {torture.text(first + n)}" for n in range(count)]
        self.write(name, lines)
        return range(first, self.next), ["import", "energymech", name, "-a", "old", "--room", "lobby"]

    def kill(self, chance):
        wanted, command = self.file(chance)
        self.lost(True)
        kills, is_done = self.strike_often(chance, *command)
        self.done |= set(wanted) if is_done else set()
        if is_done or chance.random() < 0.3:
            self.compare(more=wanted)
        self.program.must(*command)
        self.done |= set(wanted)
        self.lost(False)
        if chance.random() < 0.1:
            self.program.check()
            self.check_copy()
        return kills

    def compare(self, more=()):
        expect(numbers(self.program.messages()), self.done, "imported", more)

    def end(self):
        self.sabotage()
        self.compare()
        self.program.check()


class Export(Command):
    """All formats, into new folders and with --append into old ones; no file has its final name before it is complete."""

    DONE = "has a finished export"
    FORMATS = ["jsonl", "text", "csv", "html", "markdown"]

    def begin(self):
        self.count = 900
        self.write("log.jsonl", [torture.log_line(number, minutes=300) for number in range(self.count)])
        self.program.must("import", "jsonl", "log.jsonl", "-a", "demo")
        self.make_references()

    def path(self, name):
        return os.path.join(self.program.folder, name)

    def make_references(self):
        for name in self.FORMATS:
            shutil.rmtree(self.path(f"right-{name}"), ignore_errors=True)
            self.measure("export", "-a", "demo", "--format", name, "-o", f"right-{name}")

    def kill(self, chance):
        if chance.random() < 0.3:
            return self.kill_append(chance)
        name = chance.choice(self.FORMATS)
        shutil.rmtree(self.path("out"), ignore_errors=True)
        command = ["export", "-a", "demo", "--format", name, "-o", "out"]
        kills, is_done = self.strike_often(chance, *command)
        self.compare([f"right-{name}"], is_whole=is_done)
        if not is_done:
            status, _, errors = self.program.run(*command)
            if status != 0 and self.DONE not in errors:
                raise Failed(f"export again: {errors}")
        self.compare([f"right-{name}"], is_whole=True)
        return kills

    def kill_append(self, chance):
        name = chance.choice(self.FORMATS)
        for folder in ("out", "earlier"):
            shutil.rmtree(self.path(folder), ignore_errors=True)
            shutil.copytree(self.path(f"right-{name}"), self.path(folder))
        more = chance.randrange(5, 60)
        self.write("more.jsonl", [torture.log_line(number, minutes=300) for number in range(self.count, self.count + more)])
        self.count += more
        self.program.must("import", "jsonl", "more.jsonl", "-a", "demo")
        self.make_references()
        command = ["export", "--append", "-a", "demo", "-o", "out"]
        kills, is_done = self.strike_often(chance, *command)
        self.compare([f"right-{name}", "earlier"], is_whole=False)
        if not is_done:
            self.program.must(*command)
        self.compare([f"right-{name}"], is_whole=True)
        return kills

    def compare(self, rights, is_whole):
        """The manifest has the number of the last change as well, and is the last file to be whole."""
        names = self.names("out")
        if self.plant == "half" and names:
            os.truncate(self.path(os.path.join("out", names[0])), 100)
        if is_whole:
            self.program.must("backup", "verify", "out")
            if names != self.names(rights[0]):
                raise Failed(f"the export has other files: {sorted(set(names) ^ set(self.names(rights[0])))[:5]}")
        for name in names:
            if not any(self.is_same(f"{right}/{name}", f"out/{name}") for right in rights):
                raise Failed(f"{name} of {'a finished' if is_whole else 'an unfinished'} export is not as it should be")

    def is_same(self, one, other):
        return os.path.exists(self.path(one)) and filecmp.cmp(self.path(one), self.path(other), shallow=False)

    def names(self, folder):
        """The files with their final names."""
        found = []
        for top, _, names in os.walk(self.path(folder)):
            found += [os.path.relpath(os.path.join(top, name), self.path(folder)) for name in names]
        return sorted(name for name in found if not name.endswith((".part", "manifest.jsonl")))

    def end(self):
        self.program.check()


class Expire(Command):
    """Rules that remove all but the newest messages of each room; the ledger has what they removed."""

    COUNT, KEPT = 1500, 30
    COMMAND = ["retention", "apply", "--yes"]

    def begin(self):
        lines = [torture.log_line(number) for number in range(self.COUNT)] + self.more()
        self.write("log.jsonl", lines)
        self.program.must("import", "jsonl", "log.jsonl", "-a", "demo")
        os.remove(os.path.join(self.program.folder, "log.jsonl"))
        self.write("scrollback.toml", ["[retention]", 'max_age = "1h"', f"min_messages = {self.KEPT}"])
        torture.copy(self.program.data, self.program.data + "-template")
        self.measure(*self.COMMAND)

    def more(self):
        return []

    def kill(self, chance):
        torture.copy(self.program.data + "-template", self.program.data)
        self.lost(True)
        kills, is_done = self.strike_often(chance, *self.COMMAND)
        self.compare(is_whole=is_done)
        self.finish(is_done)
        self.lost(False)
        self.sabotage()
        self.compare(is_whole=True)
        if chance.random() < 0.2:
            self.program.check()
            self.check_copy()
        return kills

    def finish(self, is_done):
        self.program.must(*self.COMMAND)

    def compare(self, is_whole):
        found = numbers(self.program.messages())
        expect(found, range(self.COUNT - 3 * self.KEPT, self.COUNT), "kept", [] if is_whole else range(self.COUNT))
        log = self.program.must("retention", "log", "--format", "json")
        removed = sum(entry["count"] for entry in json.loads(log)["log"])
        if removed + len(found) != self.COUNT:
            raise Failed(f"{len(found)} of {self.COUNT} are left, and {removed} removed by the ledger")

    def end(self):
        self.program.check()


class Forget(Expire):
    """A person who is forgotten: nothing of theirs is in any file, and everything of others."""

    DONE = "[unknown-user]"
    COUNT, FORGOTTEN = 600, 60
    NAME, WORD = "mallory", "canarywort"
    COMMAND = ["retention", "forget", "-a", "demo", "--user", NAME, "--delete", "--execute"]

    def more(self):
        lines = [json.loads(torture.log_line(self.COUNT + number, room="room1", sender=self.NAME)) for number in range(self.FORGOTTEN)]
        for line in lines:
            line["body"] += f" {self.WORD} 카나리아"
        return [json.dumps(line, ensure_ascii=False) for line in lines]

    def finish(self, is_done):
        status, _, errors = self.program.run(*self.COMMAND)
        if status != 0 and self.DONE not in errors:
            raise Failed(f"forgetting again: {errors}")

    def compare(self, is_whole):
        found = numbers(self.program.messages())
        expect(found, range(self.COUNT), "messages of others", [] if is_whole else range(self.COUNT, self.COUNT + self.FORGOTTEN))
        left = torture.traces(self.program.data, self.NAME, self.WORD, self.WORD[-6:], "카나", "나리") if is_whole else []
        if left:
            raise Failed(f"forgotten, and still there: {left}")


class Replicate(Command):
    """A copy in PostgreSQL of an account that grows."""

    server = None

    def begin(self):
        Replicate.server = Replicate.server or postgres.Server()
        database = f"t{time.time_ns()}"
        self.server.execute(f"CREATE DATABASE {database}")
        self.database, self.address, self.count = database, self.server.address(database), 0
        self.program.must("replicate", "--init", self.address)
        self.grow(400)
        self.measure("replicate", "--once", self.address)

    def grow(self, more):
        self.write("more.jsonl", [torture.log_line(number) for number in range(self.count, self.count + more)])
        self.program.must("import", "jsonl", "more.jsonl", "-a", "demo")
        self.count += more

    def kill(self, chance):
        self.grow(chance.randrange(50, 400))
        kills, is_done = self.strike_often(chance, "replicate", "--once", self.address)
        if is_done or chance.random() < 0.1:
            self.compare(range(self.count) if is_done else range(400))
        return kills

    def compare(self, wanted):
        status, output, errors = self.program.run("history", "--all", "-n", "all", "--format", "jsonl", "--archive", self.address)
        if status != 0:
            raise Failed(f"reading the copy: {errors}")
        expect(numbers(json.loads(line) for line in output.splitlines() if '"body"' in line), wanted, "copied", range(self.count))

    def end(self):
        self.program.must("replicate", "--once", self.address)
        if self.plant == "lost":
            self.server.execute("DELETE FROM scrollback.message WHERE id = (SELECT max(id) FROM scrollback.message)", self.database)
        self.compare(range(self.count))
        self.program.must("replicate", "--verify", self.address)
        self.program.check()

    def close(self):
        if Replicate.server:
            Replicate.server.close()
            Replicate.server = None
