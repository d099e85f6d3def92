#!/usr/bin/env -S python3 -B
"""Archives hostile texts in every field, reads them by every command, page, export and alert, and reports what got through.

    Tests/Torture/injection.py --payloads 2000 --seed 1 --binary .build/debug/scrollback

A payload is in the text, sender, room, topic, names, files, reactions, workspace, reasons and server's words of an archive, in the arguments of
commands, in names of files and accounts, and in the lines of an IRC server. Each output is read by a parser: text and logs have
no character that a terminal acts upon or hides, and a message's line is one line; pages have no element, attribute or kind of address
that an archive of harmless texts does not have; CSV has no formula; JSON gives back the exact text; no alert runs a payload.

The first batch is also checked with the escaping of the program undone, so that each check is seen to fail. --plant NAME counts that as
the program's own fault, and the exit status is 1. A finding names its payload; --only NUMBER runs that payload again. Needs the programs
scrollback and scrollback-server in one folder, libncursesw6 and tic; without jq or markdown-it-py (.venv), what needs them is skipped by name.
"""

import argparse
import json
import os
import random
import re
import shutil
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import injection_alerts
import injection_checks as checks
import injection_commands as commands
import injection_live
import injection_reader
from injection_archive import STEP, HostileArchive
from injection_payloads import CANARY, HARMLESS, Harmless, Payload
from injection_program import Assistant, Program, Served

# Outputs are read while the next commands start.
WORKERS = 4
REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Outputs of a program that does not escape: what is replaced, in which kinds.
PLANTS = {
    "text": (("text", "rows", "lines", "log", "file name"), b"\\u{1B}", b"\x1b"),
    "terminal": (("terminal",), b"\\u{1B}", b"\x1b"),
    "screen": (("screen", "controls"), b"\\u{1B}", b"\x1b"),
    "invisible": (("text", "rows", "lines", "terminal", "html", "markdown", "export text"), b"\\u{202E}", "\u202e".encode()),
    "line": (("lines", "export text"), b" \xe2\x8f\x8e ", b"\n"),
    "logged": (("log",), b"\\u{1B}", b"\n"),
    "element": (("html",), b"&lt;", b"<"),
    "attribute": (("html",), b"&quot;", b'"'),
    "address": (("html",), b'href="/', b'href="javascript:/'),
    "formula": (("csv",), b",'=", b",="),
    "json": (("json", "jsonl"), b"\\u001b", b"\x1b"),
    "quote": (("json", "jsonl"), b'\\"', b'"'),
    "event": (("events",), b"\\n", b"\n"),
    "assistant": (("assistant",), b"\\\\u{202E}", b"\\u202e"),
    "markup": (("markdown",), b"\\", b""),
    "metric": (("metrics",), b'\\"', b'"'),
}


class Injection:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.pages, self.markdown, self.headers = checks.Pages(), checks.Markdown(), checks.Headers()
        # Faults by the output and the fault's first words; how many outputs of each kind were read.
        self.faults, self.outputs, self.caught, self.tried = {}, Counter(), Counter(), Counter()
        self.is_learning = self.is_planting = False
        self.lock = threading.RLock()

    def take(self, kind, where, data, **more):
        """Reads one output."""
        if self.is_learning:
            learner = {"html": self.pages, "markdown": self.markdown, "headers": self.headers}.get(kind)
            return learner and learner.learn(data)
        with self.lock:
            self.read(kind, data, where, **more)

    def read(self, kind, data, where, **more):
        self.outputs[kind] += 1
        if self.options.plant and self.options.plant in PLANTS:
            kinds, old, new = PLANTS[self.options.plant]
            data = data.replace(old, new) if kind in kinds else data
        self.report(where, self.check(kind, data, **more))
        if self.is_planting:
            for name, (kinds, old, new) in PLANTS.items():
                if kind in kinds and old in data and (name != "markup" or self.markdown.parser):
                    self.tried[name] += 1
                    self.caught[name] += bool(self.check(kind, data.replace(old, new), **more))

    def check(self, kind, data, form=None, count=None, kept="\n"):
        if kind in ("lines", "export text", "log"):
            return checks.lines(data, form, "\n" if kind == "log" else checks.BODY)
        if kind == "rows":
            found = checks.text(data)
            rows = data.count(b"\n")
            return found + ([f"{rows} lines, should be {count}"] if count is not None and rows != count else [])
        if kind == "text":
            return checks.text(data, kept)
        if kind == "file name":
            return checks.text(data, kept="")
        if kind == "assistant":
            found = checks.json_document(data)
            return found or checks.assistant(json.loads(data).get("result", json.loads(data).get("error")))
        plain = {
            "terminal": checks.terminal,
            "screen": checks.screen,
            "controls": checks.controls,
            "json": checks.json_document,
            "jsonl": checks.json_lines,
            "csv": checks.table,
            "events": checks.events,
            "metrics": injection_live.metrics,
        }
        learnt = {"html": self.pages, "markdown": self.markdown, "headers": self.headers}
        return plain[kind](data) if kind in plain else learnt[kind].check(data)

    def report(self, where, faults):
        """Faults of one kind in outputs of one kind are one finding: numbers and names of rooms in them differ. Prints the first."""
        output = re.sub(r"(export-\w+)/.*/|[\d/?].*", r"\1", where.split(", payload")[0])
        for fault in faults:
            kind, example = (output, re.split("[:'\"]| in ", fault)[0]), f"{where}: {fault}"
            with self.lock:
                if kind not in self.faults:
                    print(f"new: {example[:500]}", flush=True)
                self.faults.setdefault(kind, []).append(example)

    def program(self, name):
        return Program(self.options.binary, os.path.join(self.folder, name))

    def archive(self, name, payloads, start=0):
        """A program with an archive of these payloads."""
        program, archive = self.program(name), HostileArchive(payloads, start)
        archive.write_to(os.path.join(program.folder, "hostile.jsonl"))
        with open(os.path.join(program.folder, "one.jsonl"), "w") as file:
            file.write(
                '{"id": "2026-11-19T00:00:00.000000Z", "kind": "message", "room": "r", "sender": {"name": "a"}, "body": "hi"}\n'
            )
        # Imported messages count as read, unless it is said.
        answer = program.run("import", "jsonl", "hostile.jsonl", "-a", "evil", "--unread", "--format", "json")
        totals = json.loads(answer.stdout)["totals"]
        if totals["invalid"] or totals["new"] != len(archive.messages):
            raise SystemExit(
                f"the hostile export was not imported whole: {totals}\n{answer.stderr.decode(errors='replace')[:2000]}"
            )
        self.take("text", "import, stderr", answer.stderr)
        return program, archive

    def learn(self):
        """Learns the outputs of harmless texts."""
        self.is_learning = True
        payloads = [Harmless(number) for number in range(len(HARMLESS))]
        program, archive = self.archive("reference", payloads)
        # A room that is read in part has a separator.
        program.run("mark-read", "-a", "evil", "1", "--to", min(archive.messages))
        commands.learn(program, self.take)
        server = Served(program)
        commands.served(server, self.take, archive.messages, payloads)
        server.end()
        self.is_learning = False

    def read_all(self, name, payloads):
        program, archive = self.archive(name, payloads)
        self.exact(program, archive)
        for payload in payloads:
            commands.echoed(program, self.take, payload)
        commands.oddly_named_files(program, self.take, payloads)
        # Nothing below writes to the archive. Most of the time goes into starts of processes, so several run at once.
        parts = [
            lambda: injection_live.listen(self.program(name + "-live"), self.take, payloads),
            lambda: self.alerted(name, payloads),
            lambda: commands.read_lists(program, self.take),
            lambda: commands.read_messages(program, self.take),
            lambda: injection_reader.read(program, self.take, payloads),
            lambda: commands.exported(program, self.take),
            lambda: commands.shown(program, self.take, archive.messages),
            lambda: self.served(program, archive, payloads),
            lambda: self.asked(program, archive, payloads),
        ]
        with ThreadPoolExecutor(WORKERS) as pool:
            for part in [pool.submit(part) for part in parts]:
                part.result()
        self.no_canary()

    def alerted(self, name, payloads):
        program = self.program(name + "-alerts")
        injection_alerts.alert(program, self.take, self.report, payloads, len(payloads) * STEP, self.options.plant)

    def served(self, program, archive, payloads):
        server = Served(program)
        commands.served(server, self.take, archive.messages, payloads)
        server.end()
        self.log_of(program, "serve.log")

    def asked(self, program, archive, payloads):
        assistant = Assistant(program)
        commands.asked(assistant, self.take, archive.messages, payloads)
        assistant.end()
        self.log_of(program, "mcp.log")

    def log_of(self, program, name):
        with open(os.path.join(program.folder, name), "rb") as file:
            self.take("text", name, file.read())

    def exact(self, program, archive):
        """JSON gives back each text."""
        stored = [
            json.loads(line) for line in program.run("history", "--all", "-n", "all", "--format", "jsonl").stdout.split(b"\n")[:-1]
        ]
        if self.options.plant == "exact":
            stored[0]["body"] += " "
        found = {message["id"]: message for message in stored}
        for id, message in archive.messages.items():
            if id not in found:
                self.report("history --format jsonl", [f"{message.payload} is missing at {id}"])
                continue
            self.report(f"history --format jsonl, {message.payload}", message.differences(found[id]))
        if self.is_planting:
            stored[0]["body"] += " "
            self.tried["exact"] += 1
            self.caught["exact"] += bool(archive.messages[stored[0]["id"]].differences(stored[0]))

    def no_canary(self):
        for base, _, files in os.walk(self.folder):
            self.report("a shell", [f"ran a payload: {os.path.join(base, name)}" for name in files if name == CANARY])

    def run(self):
        self.learn()
        numbers = [self.options.only] if self.options.only is not None else range(self.options.payloads)
        payloads = [Payload(self.options.seed, number) for number in numbers]
        for place in range(0, len(payloads), self.options.batch):
            self.is_planting = place == 0 and self.options.only is None
            name = f"batch-{place // self.options.batch}"
            self.read_all(name, payloads[place : place + self.options.batch])
            print(
                f"{min(place + self.options.batch, len(payloads))} payloads: {self.outputs.total()} outputs, {len(self.faults)} findings",
                flush=True,
            )
            if not self.faults and not self.options.folder:
                for part in ("", "-live", "-alerts"):
                    shutil.rmtree(os.path.join(self.folder, name + part), ignore_errors=True)
        return self.blind()

    def blind(self):
        """The checks that did not see what was planted. Few outputs may have nothing that an escape keeps from harm."""
        return [name for name, count in self.tried.items() if count > 20 and not self.caught[name]]


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--payloads", type=int, default=2000, help="how many (2000)")
    parser.add_argument("--seed", type=int, default=None, help="of the mutations; the same seed makes the same payloads")
    parser.add_argument("--only", type=int, default=None, help="run this payload alone")
    parser.add_argument("--batch", type=int, default=90, help="payloads in one archive (90: with 11 messages each, they fit on a page of 1,000)")
    parser.add_argument(
        "--plant", choices=[*PLANTS, "exact", "shell"], default=None, help="undo one escaping, so that the run must fail"
    )
    parser.add_argument("--binary", default=os.path.join(REPOSITORY, ".build/release/scrollback"))
    parser.add_argument("--folder", default=None, help="where archives and outputs go, and stay")
    options = parser.parse_args()
    options.seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1_000_000)
    options.binary = os.path.abspath(options.binary)
    return options


def main():
    options, began = parse(), time.time()
    # Names of files may have any bytes.
    sys.stdout.reconfigure(errors="backslashreplace")
    folder = os.path.abspath(options.folder or tempfile.mkdtemp(prefix="scrollback-injection-"))
    os.makedirs(folder, exist_ok=True)
    print(f"seed {options.seed}, {options.payloads} payloads, in {folder}", flush=True)
    injection = Injection(options, folder)
    if not injection.markdown.parser:
        print("skipped: Markdown is read as text only, as there is no markdown-it-py (.ci/make-venv)", flush=True)
    blind = injection.run()
    for (where, _), examples in sorted(injection.faults.items())[:100]:
        print(f"{len(examples)} x {examples[0][:500]}")
    read = ", ".join(f"{kind} {count}" for kind, count in sorted(injection.outputs.items()))
    print(f"outputs read: {read}; in {time.time() - began:.0f} s")
    print(
        "planted and seen: "
        + ", ".join(f"{name} {injection.caught[name]} of {count}" for name, count in sorted(injection.tried.items()))
    )
    for name in blind:
        print(f"the check does not see what --plant {name} plants")
    print(f"{len(injection.faults)} findings" + (f"; archives are in {folder}" if injection.faults else ""))
    if not options.folder and not injection.faults:
        shutil.rmtree(folder)
    sys.exit(1 if injection.faults or blind else 0)


if __name__ == "__main__":
    main()
