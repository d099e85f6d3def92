#!/usr/bin/env -S python3 -B
"""Kills scrollback (SIGKILL) at random times, thousands of times, and compares the archive with what it had acknowledged.

    Tests/Torture/kills.py --kills 10000 --seed 1 --binary .build/release/scrollback

Listeners on StreamChat, a workspace (SLP) and IRC (ngircd) are killed while people talk; import, export, rules of retention, forgetting
and replicating while they work. A round keeps one archive over many kills. Nothing acknowledged is missing, nothing is there twice,
`archive check` finds nothing wrong, and what a listener did not hear lies in a gap. Exits with 1 otherwise. Workloads whose servers are
missing are skipped: .ci/fetch-tools and .ci/make-venv fetch them.
"""

import argparse
import os
import random
import shutil
import sys
import tempfile
import time

import kill_commands
import kill_networks
import postgres
import soak_servers
import torture

WORKLOADS = {
    "streamchat": kill_networks.StreamChat,
    "slp": kill_networks.SLP,
    "irc": kill_networks.IRC,
    "import": kill_commands.Import,
    "export": kill_commands.Export,
    "expire": kill_commands.Expire,
    "forget": kill_commands.Forget,
    "replicate": kill_commands.Replicate,
}
# Bugs that are planted at the end of a round, and the workloads in which they must be noticed.
PLANTS = {
    "lost": ("what was acknowledged last is undone", ["streamchat", "slp", "irc", "import", "expire", "forget", "replicate"]),
    "twice": ("a message is stored a second time", ["streamchat", "irc", "import"]),
    "corrupt": ("four pages of a file are overwritten", ["streamchat", "slp", "irc", "import", "expire", "forget"]),
    "no-gap": ("the gaps of a room are closed", ["streamchat", "irc"]),
    "half": ("a file of an export is cut", ["export"]),
}


def missing_server(name):
    """The server that a workload lacks here; None if it has all."""
    if name == "irc":
        try:
            soak_servers.find("ngircd")
        except SystemExit:
            return "ngircd"
    if name == "replicate" and not postgres.programs():
        return "PostgreSQL"
    if name == "slp" and not os.access(kill_networks.PYTHON, os.X_OK):
        return ".venv"
    return None


class Kills:
    def __init__(self, options, name, folder):
        self.options, self.name, self.folder = options, name, folder
        self.kills, self.misses = 0, []

    def run(self, wanted, until):
        began, place = time.time(), os.path.join(self.folder, self.name)
        round_ = self.options.round or 0
        program = torture.Program(self.options.binary, place)
        os.makedirs(place)
        self.workload = WORKLOADS[self.name](program, self.options.seed)
        try:
            while self.kills < wanted and (not until or time.time() < until):
                self.run_round(round_, wanted, until)
                round_ += 1
                if self.options.round is not None:
                    break
        finally:
            self.workload.close()
        seconds, rounds = time.time() - began, round_ - (self.options.round or 0)
        rate = f"{seconds:.0f} s ({seconds / max(1, self.kills):.2f} s each)"
        print(f"{self.name:11}{self.kills:6} kills in {rounds} rounds, {rate}, {len(self.misses)} misses", flush=True)

    def run_round(self, number, wanted, until):
        """A new archive, and some kills."""
        place = self.workload.program.folder
        for folder in (place, place + "-copy"):
            shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(place)
        self.workload.plant = None
        chance = random.Random(f"{self.options.seed} {self.name} {number}")
        try:
            self.workload.begin()
            for step in range(self.workload.ROUND):
                if self.kills >= wanted or (until and time.time() > until):
                    break
                self.kills += self.workload.kill(chance)
            self.workload.plant = self.options.plant
            if self.options.plant:
                self.workload.kill(chance)
            misses = self.workload.end() or []
        except torture.Failed as failure:
            misses = [str(failure)]
            self.workload.stop()
        for miss in misses:
            self.misses.append(f"{self.name}, round {number}: {miss}")
            if not self.options.plant:
                print(self.misses[-1], flush=True)
        if misses and not self.options.plant:
            torture.copy(place, f"{place}-round-{number}", (".sock",))


def kill_all(options, folder):
    """Returns the misses of all workloads."""
    misses = []
    for index, name in enumerate(options.only):
        left = len(options.only) - index
        if lacking := missing_server(name):
            print(f"{name:11}skipped: there is no {lacking}", flush=True)
            continue
        until = time.time() + (options.end - time.time()) / left if options.end else None
        kills = Kills(options, name, os.path.join(folder, options.plant or "real"))
        kills.run(options.kills // len(options.only), until)
        misses += kills.misses
    return misses


def test_itself(options, folder):
    """Plants each bug in each workload that must notice it."""
    unnoticed = []
    for options.plant, (what, workloads) in PLANTS.items():
        for name in workloads:
            if name not in options.chosen or missing_server(name):
                continue
            options.only, options.kills, options.round = [name], 4, None
            misses = kill_all(options, os.path.join(folder, name))
            print(f"  planted: {what}; " + (f"noticed: {misses[0][:300]}" if misses else "NOT NOTICED"), flush=True)
            if not misses:
                unnoticed.append(f"{options.plant} is not noticed in {name}")
    return unnoticed


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=10_000, help="kills of all workloads together (10000)")
    parser.add_argument("--minutes", type=float, help="the time for all workloads; ends with fewer kills")
    parser.add_argument("--seed", type=int, help="decides when what is killed, and what is said (default: a random one, printed)")
    parser.add_argument("--only", action="append", choices=list(WORKLOADS), help="a workload; repeat it for several")
    parser.add_argument("--round", type=int, help="only this round, with the seed that was printed; needs one --only")
    parser.add_argument("--binary", default=os.path.join(torture.REPOSITORY, ".build/release/scrollback"), help="the program (default: the release build)")
    parser.add_argument("--folder", help="where archives go (default: a RAM disk if there is one); kept")
    parser.add_argument("--plant", choices=list(PLANTS), help="plant a bug at the end of each round, which must be noticed")
    parser.add_argument("--self-test", action="store_true", help="plant every bug; exits with 1 if one is not noticed")
    options = parser.parse_args()
    if options.round is not None and len(options.only or []) != 1:
        parser.error("--round needs one --only")
    options.seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1_000_000)
    options.chosen = options.only = options.only or list(WORKLOADS)
    options.end = time.time() + options.minutes * 60 if options.minutes else None
    options.binary = os.path.abspath(options.binary)
    return options


def main():
    options = parse()
    ram = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = options.folder or tempfile.mkdtemp(prefix="scrollback-kills-", dir=ram)
    print(f"seed {options.seed}, {options.kills} kills, in {folder}", flush=True)
    misses = test_itself(options, folder) if options.self_test else kill_all(options, folder)
    for miss in misses[:100] if options.plant else []:
        print(miss)
    print(f"{len(misses)} misses" + (f"; archives and logs are in {folder}" if misses else ""))
    if not options.folder and not misses:
        shutil.rmtree(folder)
    sys.exit(1 if misses else 0)


if __name__ == "__main__":
    main()
