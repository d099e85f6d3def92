#!/usr/bin/env -S python3 -B
"""Compares Scrollback with other keepers of chat logs, and writes the comparison as a page.

    bench/peers/run.py --messages 1000000 --seed 1 --binary .build/release/scrollback --output docs/benchmarks.md

Needs the programs that bench/peers/fetch fetches; skips a missing one, and says so in the page. --only NAME runs some keepers, and
--messages and --seed give them the same messages again. Exits with 1 if Scrollback was skipped, or if it lost a message without a
record of the loss.
"""

import argparse
import asyncio
import os
import shutil
import signal
import sys
import tempfile
import time

import archive_prosody
import archive_synapse
import ingest
import keeper_limnoria
import keeper_lounge
import keeper_quassel
import keeper_scrollback
import keeper_sink
import keeper_soju
import keeper_weechat
import keeper_znc
import losses
import peers_document
import peers_network
import peers_process
import peers_text
import soak_servers

KEEPERS = {
    "sink": keeper_sink.Sink,
    "scrollback": keeper_scrollback.Scrollback,
    "znc": keeper_znc.ZNC,
    "weechat": keeper_weechat.WeeChat,
    "limnoria": keeper_limnoria.Limnoria,
    "soju-files": keeper_soju.SojuFiles,
    "soju-sqlite": keeper_soju.SojuDatabase,
    "quassel": keeper_quassel.Quassel,
    "lounge": keeper_lounge.Lounge,
}
ARCHIVES = {"prosody": archive_prosody, "synapse": archive_synapse}
# A keeper that stops answering ends with an exception after the time for its messages and this one, in s.
SPARE_SECONDS = 600


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=1_000_000, help="how many messages each keeper gets (1000000)")
    parser.add_argument("--minutes", type=float, default=None, help="how long each keeper has for them (2 for a million, at least 0.5)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the messages (1)")
    parser.add_argument("--text", default=None, help="a file whose lines are the messages, in place of invented ones")
    parser.add_argument("--only", default=None, help=f"some of {','.join([*KEEPERS, *ARCHIVES])} (all)")
    parser.add_argument("--binary", default=os.path.join(soak_servers.REPOSITORY, ".build/release/scrollback"))
    parser.add_argument("--longest-return", type=float, default=90, help="how long to wait for keepers after the cut, in s (90)")
    parser.add_argument("--plant", action="store_true", help="hide a stored message from the comparison: the run must exit with 1")
    parser.add_argument("--output", default=None, help="the page to write (standard output)")
    options = parser.parse_args()
    options.minutes = options.minutes or max(0.5, 2 * options.messages / 1_000_000)
    options.binary = keeper_scrollback.Scrollback.binary = os.path.abspath(options.binary)
    options.window, options.sink = peers_network.WINDOW, keeper_sink.Sink.name
    if unknown := set((options.only or "").split(",")) - {"", *KEEPERS, *ARCHIVES}:
        parser.error(f"unknown keeper {', '.join(sorted(unknown))}; choose from {', '.join([*KEEPERS, *ARCHIVES])}")
    options.command = f"bench/peers/run.py --messages {options.messages} --minutes {options.minutes:g} --seed {options.seed}" + (
        f" --only {options.only}" if options.only else ""
    )
    return options


def available(options, report):
    """Returns the chosen keepers that this machine has, in order."""
    found = []
    for short, kind in KEEPERS.items():
        if options.only and short not in options.only.split(","):
            continue
        try:
            if version := kind.version():
                report.versions[kind.name.split(",")[0]] = version
            report.versions |= kind.readers()
            found.append(kind)
        except (peers_process.Missing, OSError) as error:
            report.skip(kind.name, error)
    return found


def measure_ingest(kinds, options, report, folder):
    for kind in kinds:
        began = time.time()
        try:
            work = ingest.measure(kind, os.path.join(folder, kind.nick), report.chat.messages, options.minutes)
            figures = asyncio.run(asyncio.wait_for(work, options.minutes * 60 + SPARE_SECONDS))
            report.figures[kind.name] = figures
            if figures.other_failure:
                report.skip(f"{kind.name}, reading", figures.other_failure)
            say(f"{kind.name}: {figures.stored} stored, {figures.rate:.0f}/s, in {time.time() - began:.0f} s")
        except Exception as error:
            report.skip(kind.name, error)
            say(f"{kind.name}: skipped: {error!r}")
        finally:
            shutil.rmtree(os.path.join(folder, kind.nick), ignore_errors=True)


def measure_archives(options, report, folder):
    for short, server in ARCHIVES.items():
        if options.only and short not in options.only.split(","):
            continue
        try:
            report.versions[server.NAME.split(",")[0]] = server.version()
            work = server.measure(os.path.join(folder, short), report.chat.messages, options.minutes)
            report.archives[server.NAME] = asyncio.run(asyncio.wait_for(work, options.minutes * 60 + SPARE_SECONDS))
            say(f"{server.NAME}: {report.archives[server.NAME].stored} stored")
        except Exception as error:
            report.skip(server.NAME, error)
            say(f"{server.NAME}: skipped: {error!r}")


def measure_losses(kinds, options, report, folder):
    planted = losses.PLANTED if options.plant else None
    work = losses.measure(kinds, os.path.join(folder, "losses"), report.chat.messages, options.longest_return, planted)
    try:
        found = asyncio.run(asyncio.wait_for(work, SPARE_SECONDS))
    except Exception as error:
        return report.skip("Scrollback and all others, losses", error)
    for name, it in found.items():
        if isinstance(it, Exception):
            report.skip(f"{name}, losses", it)
        else:
            report.losses[name] = it


def write(options, report):
    """Writes the page after each part, so that an interrupted run leaves what it has measured."""
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(report.text())


def say(text):
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def main():
    options = parse()
    # A stopped run removes its folder.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit("interrupted"))
    lines = peers_text.read_lines(options.text) if options.text else None
    say(f"{options.messages} messages of seed {options.seed}")
    report = peers_document.Report(options, peers_text.Chat(options.seed, options.messages, lines))
    folder = tempfile.mkdtemp(prefix="scrollback-peers-")
    try:
        kinds = available(options, report)
        measure_ingest(kinds, options, report, folder)
        write(options, report)
        if kept := [kind for kind in kinds if not kind.is_sink]:
            measure_losses(kept, options, report, folder)
            write(options, report)
        measure_archives(options, report, folder)
        write(options, report)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if not options.output:
        print(report.text())
    for problem in report.problems():
        say(problem)
    sys.exit(1 if report.problems() else 0)


if __name__ == "__main__":
    main()
