#!/usr/bin/env -S python3 -B
"""Kills scrollback (SIGKILL) at random times, thousands of times, and compares the archive with what it had acknowledged.

    Tests/Torture/kills.py --kills 10000 --seed 1 --binary .build/release/scrollback

Listeners on StreamChat, a workspace (SLP) and IRC (ngircd) are killed while people talk; import, export, rules of retention, forgetting
and replicating while they work. A round keeps one archive over many kills. Nothing acknowledged is missing, nothing is there twice,
`archive check` finds nothing wrong, and what a listener did not hear lies in a gap. Exits with 1 otherwise. Workloads whose servers are
missing are skipped: .ci/fetch-tools and .ci/make-venv fetch them.
"""

import os
import random
import shutil
import time

import kill_commands
import kill_networks
import postgres
import runs
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
        if lacking := missing_server(name):
            print(f"{name:11}skipped: there is no {lacking}", flush=True)
            continue
        kills = Kills(options, name, os.path.join(folder, options.plant or "real"))
        kills.run(options.kills // len(options.only), runs.end_of(options, index))
        misses += kills.misses
    return misses


def test_itself(options, folder):
    def run(name):
        if missing_server(name):
            return None
        options.kills, options.round = 4, None
        return kill_all(options, os.path.join(folder, name))

    return runs.test_itself(options, PLANTS, run)


def main():
    parser = runs.parser(__doc__, WORKLOADS, PLANTS)
    parser.add_argument("--kills", type=int, default=10_000, help="kills of all workloads together (10000)")
    parser.add_argument("--round", type=int, help="only this round, with the seed that was printed; needs one --only")
    options = runs.parse(parser, WORKLOADS, "round")
    kill = test_itself if options.self_test else kill_all
    runs.main(options, "kills", f"{options.kills} kills", lambda folder: kill(options, folder))


if __name__ == "__main__":
    main()
