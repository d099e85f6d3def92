"""Writes docs/benchmarks.md."""

import datetime
import os
import platform
import re

import archive
import archive_prosody
import archive_synapse
import keeper_scrollback
import losses
import peers_text

INTRODUCTION = """# Compared with others

After this page you know how Scrollback compares with other programs that keep chat logs, where it is better, and where it is worse.
`make peers` measured the figures and wrote this page, in one run on one machine. Read the columns as a comparison: another machine
has other figures.

- Machine: {machine}. Date: {date}. Load of the machine before the run: {load}.
- Command: `{command}`
- Programs: {versions}.
{skipped}"""

INGEST = """
## Ingest

{people} people in {rooms} rooms say the same {messages} messages through a real IRC server (ngircd), and each keeper stores them. Each
keeper gets {minutes} minutes. Messages have {text} bytes on average, and one in 13 is Korean. The people wait when {window} messages
have not reached the keeper's socket.

- *stored* counts the messages in the keeper's files or database at the end, and *messages/s* is their number divided by
  the time until the keeper had no more work.
- *CPU* is the processor time of the keeper's process for each stored message; *peak memory* is its largest resident set.
- *bytes* is the size of the store divided by its messages, after the keeper's clean stop.
- "{sink}" shows the limit of the server and of the people, who share the processors with the keeper.

{table}
"""

READING = """
## Reading

Each question goes to the room that has three of five messages, in a store of {messages} messages. Where the keeper stored fewer, its
store was filled with all messages without the network, in the keeper's format, before it was read and its size taken. Times are the medians of whole commands from start to end, in ms, with
warm files. Text files are read with `rg` and `tail`. Databases are read by `sqlite3` with the keeper's own query; where the keeper has
no query for a search, with `LIKE`.

- *rare* and *common*: the newest 20 messages with a word that is in {rare} messages of the room, and with one that is in {common}.
- *page*: the 50 messages that have {back} messages of the room after them.

`LIKE` also finds a word inside other words, so it finds its 20 messages sooner.

{table}

The commands for the rare word and for the page, with FOLDER for the keeper's folder:

```
{commands}
```
"""

ARCHIVES = """
## Archives of other networks

Prosody (XMPP) and Synapse (Matrix) keep the rooms of their own network. They get the same texts from one person in one room, for
{minutes} minutes. Prosody's person says {window} messages and waits until all of them are relayed; Synapse's person has {senders} calls
under way. A page has 50 messages (Prosody) or 100 around a message (Synapse) in the middle of what was stored, and is read by the
network's own protocol. Prosody has no search.

{table}
"""

LOSSES = """
## Losses

A person says {rate} messages a second in two rooms, and all keepers are in the rooms. After {before} s every keeper is killed (`kill -9`),
and started again {down} s later. Then every connection is reset, and each keeper reconnects by its own rules, in at most {longest:g} s.

- *lost by the kill*: the keeper's socket had taken these messages before the kill, and the store does not have them.
- *missed while down*, *missed while cut off*: said while the keeper was not in the room.
- *lost by the cut*: the keeper's socket had taken these messages before the reset, and the store does not have them.
- *what the store shows*: for Scrollback, the missing messages that lie in a gap that `scrollback gaps` lists; for others, the lines in
  the rooms' logs that say that the connection was lost.

A kill does not lose what a program has given to the system, so this is no test of a power cut.

{table}
"""


def table(head, rows):
    lines = ["| " + " | ".join(row) + " |" for row in [head, ["---"] + ["---:"] * (len(head) - 1), *rows]]
    return "\n".join(lines)


def number(value, digits=0):
    return "-" if value is None else f"{value:,.{digits}f}"


def significant(value):
    """Returns a time with two digits or more."""
    return "-" if value is None else number(value, 0 if value >= 100 else 1)


def machine():
    with open("/proc/cpuinfo") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), platform.machine())
    with open("/proc/meminfo") as file:
        gib = int(file.readline().split()[1]) / (1 << 20)
    return f"{os.cpu_count()} cores ({model}), {gib:.0f} GiB, Linux {platform.release()}, {platform.machine()}"


class Report:
    """Everything that a run found: figures and losses by the keeper's name, and names with the reason why they were skipped."""

    def __init__(self, options, chat):
        self.options, self.chat, self.load = options, chat, os.getloadavg()[0]
        self.versions, self.skipped, self.figures, self.losses, self.archives = {}, {}, {}, {}, {}

    def skip(self, name, reason):
        """Keeps the last line of the reason, without paths of this machine."""
        words = str(reason).strip().splitlines() or [type(reason).__name__]
        self.skipped.setdefault(name, re.sub(r"/\S*/", "", words[-1]))

    def text(self):
        parts = [self.introduction()]
        if self.figures:
            parts += [self.ingest(), self.reading()]
        if self.losses:
            parts.append(self.loss())
        if self.archives:
            parts.append(self.archive())
        parts.append(self.verdict())
        return "".join(parts).rstrip() + "\n"

    def introduction(self):
        skipped = "".join(f"- Skipped: {name} ({reason}).\n" for name, reason in self.skipped.items())
        return INTRODUCTION.format(
            machine=machine(),
            date=datetime.date.today().isoformat(),
            load=f"{self.load:.1f}",
            command=self.options.command,
            versions=", ".join(f"{name} {version}" for name, version in self.versions.items()),
            skipped=skipped,
        )

    def ingest(self):
        messages = self.chat.messages
        rows = [
            [
                name,
                number(it.stored),
                number(it.rate),
                number(it.cpu_microseconds, 1),
                number(it.peak_mib),
                number(it.bytes_a_message),
            ]
            for name, it in self.figures.items()
        ]
        head = ["keeper", "stored", "messages/s", "CPU µs a message", "peak memory, MiB", "bytes a message"]
        return INGEST.format(
            people=len(peers_text.ROOMS) * len(peers_text.PEOPLE),
            rooms=len(peers_text.ROOMS),
            messages=number(len(messages)),
            minutes=f"{self.options.minutes:g}",
            text=f"{sum(len(message.text.encode()) for message in messages) / len(messages):.0f}",
            window=number(self.options.window),
            sink=self.options.sink,
            table=table(head, rows),
        )

    def reading(self):
        words = [message.text.split() for message in self.chat.messages if message.room == 0]
        figures = {name: it for name, it in self.figures.items() if it.reading}
        rows = [
            [name, *(significant(it.reading.get(question)) for question in ("rare", "common", "page"))]
            for name, it in figures.items()
        ]
        rows += [
            [name, *(significant(times[question]) for question in ("rare", "common", "page"))]
            for it in figures.values()
            for name, times in it.other_reading.items()
        ]
        return READING.format(
            messages=number(len(self.chat.messages)),
            rare=number(sum(peers_text.RARE in text for text in words)),
            common=number(sum(peers_text.COMMON in text for text in words)),
            back=number(len(self.chat.messages) // 2),
            table=table(["keeper", "rare, ms", "common, ms", "page, ms"], rows),
            commands="\n".join(it.commands for it in figures.values() if it.commands),
        )

    def loss(self):
        rows = [
            [
                name,
                f"{it.lost_by_kill} of {it.received}",
                number(it.missed_down),
                number(it.lost_by_cut),
                number(it.missed_cut),
                number(it.seconds_away, 1) if it.seconds_away is not None else "not back",
                it.shown,
            ]
            for name, it in self.losses.items()
        ]
        head = ["keeper", "lost by the kill", "missed while down", "lost by the cut", "missed while cut off", "s until back",
                "what the store shows"]  # fmt: skip
        return LOSSES.format(
            rate=losses.RATE,
            before=losses.BEFORE_KILL,
            down=losses.DOWN,
            longest=self.options.longest_return,
            table=table(head, rows),
        )

    def archive(self):
        rows = [
            [
                name,
                number(it.stored),
                number(it.rate),
                number(it.cpu_microseconds),
                number(it.peak_mib),
                number(it.bytes_a_message),
                *map(significant, (it.page, it.rare, it.common)),
            ]
            for name, it in self.archives.items()
        ]
        return ARCHIVES.format(
            minutes=f"{self.options.minutes:g}",
            window=archive_prosody.WINDOW,
            senders=archive_synapse.SENDERS,
            table=table(archive.HEAD, rows),
        )

    def problems(self):
        """Returns the reasons for which the run fails: Scrollback was skipped, or lost messages without a record."""
        ours = self.losses.get(keeper_scrollback.Scrollback.name)
        skipped = [f"{name}: {it}" for name, it in self.skipped.items() if name.startswith(keeper_scrollback.Scrollback.name)]
        return skipped + ([ours.shown] if ours and ours.misses else [])

    def verdict(self):
        """Returns the columns in which another keeper is better than Scrollback."""
        ours, lines = self.figures.get(keeper_scrollback.Scrollback.name), []
        columns = [
            ("messages/s", lambda it: it.rate, max, number),
            ("CPU a message", lambda it: it.cpu_microseconds, min, lambda it: number(it, 1) + " µs"),
            ("peak memory", lambda it: it.peak_mib, min, lambda it: number(it) + " MiB"),
            ("bytes a message", lambda it: it.bytes_a_message, min, number),
            ("the rare word", lambda it: it.reading.get("rare"), min, lambda it: significant(it) + " ms"),
            ("the common word", lambda it: it.reading.get("common"), min, lambda it: significant(it) + " ms"),
            ("the page", lambda it: it.reading.get("page"), min, lambda it: significant(it) + " ms"),
        ]
        for column, value, best, words in columns if ours else []:
            others = {name: value(it) for name, it in self.figures.items() if it is not ours and it.reading}
            better = {name: it for name, it in others.items() if it is not None and best(it, value(ours)) != value(ours)}
            if better:
                ranked = sorted(better.items(), key=lambda it: it[1], reverse=best is max)
                named = ", ".join(f"{name} {words(it)}" for name, it in ranked)
                lines.append(f"- {column}: Scrollback {words(value(ours))}; better: {named}.")
        if not lines:
            return ""
        return "\n## Where Scrollback is behind\n\n" + "\n".join(lines) + "\n"
