"""The command lines of kills.py and powercuts.py: their common options, planted bugs, and the end of a run."""

import argparse
import os
import random
import shutil
import sys
import tempfile
import time

import torture


def parser(description, workloads, plants):
    """The options that both programs have."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, help="the time for all workloads; ends with fewer cases")
    parser.add_argument("--seed", type=int, help="decides the cases, and what is said in them (default: a random one, printed)")
    parser.add_argument("--only", action="append", choices=list(workloads), help="a workload; repeat it for several")
    parser.add_argument("--binary", default=os.path.join(torture.REPOSITORY, ".build/release/scrollback"), help="the program (default: the release build)")
    parser.add_argument("--folder", help="where the files go (default: a RAM disk if there is one); kept")
    parser.add_argument("--plant", choices=list(plants), help="plant a bug, which must be noticed")
    parser.add_argument("--self-test", action="store_true", help="plant every bug; exits with 1 if one is not noticed")
    return parser


def parse(parser, workloads, single):
    """Reads the command line. `single` is the option that chooses one case of one workload."""
    options = parser.parse_args()
    if getattr(options, single) is not None and len(options.only or []) != 1:
        parser.error(f"--{single} needs one --only")
    options.seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1_000_000)
    options.chosen = options.only = options.only or list(workloads)
    options.end = time.time() + options.minutes * 60 if options.minutes else None
    options.binary = os.path.abspath(options.binary)
    return options


def end_of(options, index):
    """The time at which a workload of `options.only` has used its share of what is left; None without a limit."""
    left = len(options.only) - index
    return time.time() + (options.end - time.time()) / left if options.end else None


def test_itself(options, plants, run):
    """Plants each bug in each workload that must notice it. `run` returns the misses of a workload, or None if it can't run here."""
    unnoticed = []
    for options.plant, (what, names) in plants.items():
        for name in names:
            if name not in options.chosen:
                continue
            options.only = [name]
            misses = run(name)
            if misses is None:
                continue
            print(f"  planted: {what}; " + (f"noticed: {misses[0][:300]}" if misses else "NOT NOTICED"), flush=True)
            if not misses:
                unnoticed.append(f"{options.plant} is not noticed in {name}")
    return unnoticed


def main(options, name, what, run):
    """Calls `run` with a new folder, prints the misses that it returns, and exits with 1 if there are any."""
    ram = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = options.folder or tempfile.mkdtemp(prefix=f"scrollback-{name}-", dir=ram)
    os.makedirs(folder, exist_ok=True)
    # The records of power cuts have paths without symbolic links.
    folder = os.path.realpath(folder)
    print(f"seed {options.seed}, {what}, in {folder}", flush=True)
    misses = run(folder)
    for miss in misses[:100] if options.plant else []:
        print(miss)
    print(f"{len(misses)} misses" + (f"; archives, logs and recordings are in {folder}" if misses else ""))
    if not options.folder and not misses:
        shutil.rmtree(folder)
    sys.exit(1 if misses else 0)
