#!/usr/bin/env -S python3 -B
"""Cuts the power while scrollback writes, in a replay, and checks every disk that this may leave.

    Tests/Torture/powercuts.py --images 1000 --seed 1 --binary .build/release/scrollback

Each workload runs once, and a library records each change of a file below SQLite, each fsync and each acknowledgement
(Tests/CrashPoint). An image is the disk after some of these calls. What no fsync had confirmed by then is kept, dropped, reordered or
torn at sectors of 512 or 4096 bytes. On each image `scrollback archive check` finds nothing wrong, everything acknowledged is there,
nothing is there twice, and the workload can be repeated to its end. Exits with 1 otherwise.
"""

import os
import random
import shutil
import subprocess
import time

import disk
import power_workloads
import runs
import torture

LIBRARY = os.path.join(torture.REPOSITORY, "Tests/CrashPoint/CrashPoint.c")
# Bugs that are planted, and the workloads in which they must be noticed.
PLANTS = {
    "no-sync": ("files of accounts are never synced", ["ingest", "import", "forget"]),
    "no-folder-sync": ("folders are never synced", ["move", "backup"]),
    "hasty": ("the plain file is removed before the catalog names the compressed one", ["move"]),
}


class Cuts:
    def __init__(self, options, name, folder):
        self.options, self.name, self.folder = options, name, folder
        self.workload = power_workloads.WORKLOADS[name](torture.Program(options.binary, os.path.join(folder, "run")))
        self.misses, self.modes = [], {mode: 0 for mode in disk.MODES}

    def record(self):
        """Runs the workload, and compares the replay of all its calls with the folder."""
        run, before = self.workload.program.folder, os.path.join(self.folder, "before")
        os.makedirs(run)
        self.workload.prepare()
        torture.copy(run, before)
        log = os.path.join(self.folder, "record")
        environment = {"LD_PRELOAD": self.options.library, "CRASH_POINT_FOLDER": run, "CRASH_POINT_RECORD": log}
        if self.options.plant == "hasty":
            environment["CRASH_POINT_HASTY"] = "1.sqlite"
        try:
            self.workload.run(self.workload.program.on(run, environment))
        except torture.Failed as failure:
            if self.options.plant != "hasty":
                raise SystemExit(f"{self.name}: {failure}")
        self.recording = disk.Recording(before, run, log)
        if different := disk.difference(self.recording.disk(len(self.recording.changes)), run):
            raise SystemExit(f"{self.name}: the recorder has missed a call: its replay differs in {different}; see {self.folder}")

    def is_unsynced(self, path):
        name = os.path.basename(path)
        if self.options.plant == "no-sync":
            return ".sqlite" in name
        return self.options.plant == "no-folder-sync" and "." not in name.lstrip(".")

    def case(self, number):
        """The cut and the mode of an image: all of them in an order that the seed decides, and every fourth just after an output."""
        end = len(self.recording.changes)
        is_after_output = number % 4 == 0
        cuts = [index + 1 for index in self.recording.outputs] + [end] if is_after_output else range(end + 1)
        cases = [(cut, mode) for cut in cuts for mode in disk.MODES]
        random.Random(f"{self.options.seed} {self.name} {is_after_output}").shuffle(cases)
        return cases[(number // 4 if is_after_output else number - number // 4 - 1) % len(cases)]

    def run(self, until):
        self.record()
        count = 0
        wanted = range(self.options.images) if self.options.image is None else [self.options.image]
        began = time.time()
        for number in wanted:
            if until and time.time() > until:
                break
            count += 1
            if not self.check(number, *self.case(number)):
                break
        modes = ", ".join(f"{count} {mode}" for mode, count in self.modes.items())
        print(
            f"{self.name:8}{count:6} images ({modes}) of {len(self.recording.changes)} recorded calls, "
            f"{time.time() - began:.0f} s, {len(self.misses)} misses",
            flush=True,
        )

    def check(self, number, cut, mode):
        """Returns False if a planted bug is noticed, which is enough."""
        self.modes[mode] += 1
        chance = random.Random(f"{self.options.seed} {self.name} {number}")
        folder = os.path.join(self.folder, "image")
        self.recording.disk(cut, self.is_unsynced).write(folder, mode, chance)
        if self.options.keep:
            torture.copy(folder, os.path.join(self.folder, f"image-{number}"))
        try:
            self.workload.check(self.workload.program.on(folder), self.recording.output(cut))
        except torture.Failed as failure:
            self.misses.append(f"{self.name}: image {number} (call {cut}, {mode}): {failure}")
            if not self.options.plant:
                print(self.misses[-1], flush=True)
            elif self.options.self_test:
                return False
        return True


def build_library(folder):
    compiler = next((name for name in ("cc", "gcc", "clang") if shutil.which(name)), None)
    if not compiler:
        raise SystemExit("there is no C compiler; install gcc")
    library = os.path.join(folder, "record.so")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, LIBRARY, "-ldl", "-lpthread"], check=True)
    return library


def cut_all(options, folder):
    """Returns the misses of all workloads."""
    misses = []
    for index, name in enumerate(options.only):
        place = os.path.join(folder, f"{options.plant or 'real'}-{name}")
        os.makedirs(place)
        cuts = Cuts(options, name, place)
        cuts.run(runs.end_of(options, index))
        misses += cuts.misses
        if not cuts.misses and not options.keep or options.plant:
            shutil.rmtree(place)
    return misses


def main():
    parser = runs.parser(__doc__, power_workloads.WORKLOADS, PLANTS)
    parser.add_argument("--images", type=int, default=1000, help="images of each workload (1000)")
    parser.add_argument("--image", type=int, help="only this image, with the seed that was printed; needs one --only")
    parser.add_argument("--keep", action="store_true", help="keep each image before it is checked")
    options = runs.parse(parser, power_workloads.WORKLOADS, "image")

    def run(folder):
        options.library = build_library(folder)
        if options.self_test:
            return runs.test_itself(options, PLANTS, lambda name: cut_all(options, folder))
        return cut_all(options, folder)

    runs.main(options, "powercuts", f"{options.images} images of each workload", run)


if __name__ == "__main__":
    main()
