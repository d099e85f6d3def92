#!/usr/bin/env -S python3 -B
"""Feeds hostile bytes to the parsers, and reports every trap, broken rule, hang and excess of memory.

    Tests/Fuzz/fuzz.py --minutes 10 --seed 1 irc zip
    Tests/Fuzz/fuzz.py --case Tests/Fuzz/found/irc/crash-da39a3ee irc

libFuzzer changes the inputs of Tests/Fuzz/corpus and Tests/Fuzz/found, guided by the branches that they reach in all
targets of the package. AddressSanitizer watches the memory. First, the fuzzer must find four planted bugs. An input
fails if it traps, breaks a rule of its target, takes more than 1 s of processor time, or has more than 64 MiB allocated
at once. It is written to Tests/Fuzz/found/TARGET. `make test` runs all inputs of both folders.
Exit status 1 if a target failed.
"""

import argparse
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
# The planted bugs, each with a part of its report.
PLANTED = {
    "planted-trap": "deadly signal", "planted-rule": "broken rule", "planted-hang": "more than 1 s",
    "planted-memory": "more than 64 MiB",
}
# Small files of all log formats, in folders named after the formats; inputs of these targets.
SAMPLES, SAMPLED = FOLDER.parent / "Samples", {"logs", "import"}
# The longest time in which a planted bug is found, in seconds. An idle machine finds each within a second.
PLANTED_SECONDS = 300
# The bytes of a target's corpus that stay in the repository, and the number of its files.
KEPT_BYTES, KEPT_FILES = 40_000, 100


class Fuzzer:
    def __init__(self, options, binary):
        self.options, self.binary = options, binary

    def start(self, target, *arguments):
        environment = dict(os.environ, SWIFT_BACKTRACE="enable=no", ASAN_OPTIONS="detect_leaks=0:abort_on_error=0")
        command = [self.binary, target, *map(str, arguments)]
        return subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")

    def fuzz(self, target, seconds, folders, artifacts):
        dictionary = FOLDER / "dictionaries" / f"{target.split('-')[0]}.txt"
        extra = [f"-dict={dictionary}"] if dictionary.exists() else []
        # The program itself limits the processor time and the memory of an input. A busy machine stretches the wall clock.
        limits = ["-timeout=300", "-report_slow_units=300", "-rss_limit_mb=4096"]
        return self.start(
            target, f"-seed={self.options.seed}", f"-max_total_time={seconds}", f"-artifact_prefix={artifacts}/",
            "-print_final_stats=1", "-print_funcs=0", "-reload=0", *limits, *extra, *folders)

    def finds_planted_bugs(self):
        for target, reason in PLANTED.items():
            with tempfile.TemporaryDirectory() as folder:
                # One byte differs from an input that fails.
                pathlib.Path(folder, "start").write_bytes(b"bu_!")
                result = self.fuzz(target, PLANTED_SECONDS, [folder], folder)
            if result.returncode == 0 or reason not in result.stdout:
                print(f"{target}: not found in {PLANTED_SECONDS} s; the fuzzer does not work\n{result.stdout[-3000:]}")
                return False
            runs = re.findall(r"^#(\d+)", result.stdout, re.MULTILINE)
            print(f"{target}: found after {runs[-1] if runs else 0} inputs or a few more", flush=True)
        return True

    def run(self, target):
        """Returns true if no input of the target failed."""
        grown, kept, found = self.folders(target)
        grown.mkdir(parents=True, exist_ok=True)
        folders = [folder for folder in (grown, kept, found, *self.samples(target)) if folder.exists()]
        with tempfile.TemporaryDirectory() as artifacts:
            result = self.fuzz(target, int(self.options.minutes * 60), folders, artifacts)
            print(row(target, result.stdout), flush=True)
            (self.options.build / "corpus" / f"{target}.log").write_text(result.stdout)
            if result.returncode == 0:
                return True
            for line in re.findall(r"^(?:FAILED: .*|.*(?:ERROR: .*|Fatal error: .*))$", result.stdout, re.MULTILINE)[:4]:
                print("  " + line[:2000])
            for path in pathlib.Path(artifacts).iterdir():
                found.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, found)
                print(f"  again: make fuzz TARGETS={target} CASE={os.path.relpath(found / path.name)}", flush=True)
        return False

    def folders(self, target):
        """Returns the folders of the inputs of earlier runs, of the repository, and of the inputs that failed."""
        return self.options.build / "corpus" / target, FOLDER / "corpus" / target, FOLDER / "found" / target

    def samples(self, target):
        return sorted(SAMPLES.iterdir()) if target in SAMPLED else []

    def keep(self, target):
        """Replaces the target's corpus in the repository by the smallest inputs that reach the same branches."""
        grown, kept, found = self.folders(target)
        with tempfile.TemporaryDirectory() as merged:
            folders = [folder for folder in (kept, grown, found, *self.samples(target)) if folder.exists()]
            self.start(target, "-set_cover_merge=1", "-timeout=300", merged, *folders)
            size = count = 0
            new = kept.with_name(f"{target}.new")
            new.mkdir(parents=True)
            for path in sorted(pathlib.Path(merged).iterdir(), key=lambda path: path.stat().st_size):
                size, count = size + path.stat().st_size, count + 1
                if size > KEPT_BYTES or count > KEPT_FILES:
                    break
                shutil.copy(path, new)
        if kept.exists():
            shutil.rmtree(kept)
        new.rename(kept)
        print(f"{target}: {len(list(kept.iterdir()))} inputs")


def row(target, output):
    """Returns a line with the figures of a run."""
    def last(*patterns):
        found = [match for pattern in patterns for match in re.findall(pattern, output)[-1:]]
        return found[0] if found else "?"

    figures = {
        "inputs": last(r"stat::number_of_executed_units: +(\d+)", r"\n#(\d+)"), "branches": last(r"cov: (\d+)"),
        "speed": last(r"stat::average_exec_per_sec: +(\d+)", r"exec/s: (\d+)"), "corpus": last(r"corp: (\d+)"),
        "resident": last(r"rss: (\d+)Mb"), "worst": last(r"most of one input: (.*)"),
    }
    return (
        "{target:<11} {inputs:>9} inputs {speed:>6}/s  branches {branches:>6}  corpus {corpus:>5}  "
        "most of one input: {worst:<18}  resident {resident} MiB").format(target=target, **figures)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="a parser (default: all; --list names them)")
    parser.add_argument("--minutes", type=float, default=10, help="the time for each target (default 10)")
    parser.add_argument("--seed", type=int, help="the seed of the changes (default: random, and printed)")
    parser.add_argument("--case", metavar="FILE", help="run one input, of one target")
    parser.add_argument("--list", action="store_true", help="list the targets")
    parser.add_argument("--keep", action="store_true", help="renew Tests/Fuzz/corpus with what earlier runs found")
    parser.add_argument(
        "--build", type=pathlib.Path, default=FOLDER.parent.parent / ".build-fuzz", metavar="FOLDER",
        help="the folder of the build (default .build-fuzz)")
    options = parser.parse_args()
    options.seed = options.seed or random.SystemRandom().randrange(1, 1_000_000)
    return options


def main():
    options = parse()
    binary = options.build.resolve() / "release" / "Fuzz"
    fuzzer = Fuzzer(options, binary)
    known = fuzzer.start("").stdout.split()
    if options.list:
        return print(" ".join(known))
    targets = options.targets or known
    for target in targets:
        if target not in known:
            sys.exit(f"unknown target {target}; known: {' '.join(known)}")
    if options.case:
        if len(targets) != 1:
            sys.exit("a case needs its target: make fuzz CASE=FILE TARGETS=NAME")
        result = fuzzer.start(targets[0], options.case)
        print(result.stdout)
        sys.exit(1 if result.returncode else 0)
    if options.keep:
        for target in targets:
            fuzzer.keep(target)
        return
    print(f"seed {options.seed}, {options.minutes:g} minutes a target, {len(targets)} targets", flush=True)
    if not fuzzer.finds_planted_bugs():
        sys.exit(1)
    failed = [target for target in targets if not fuzzer.run(target)]
    print(f"failed: {' '.join(failed)}" if failed else "no input failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
