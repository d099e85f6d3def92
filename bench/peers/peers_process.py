"""A keeper's process and its figures."""

import os
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Tests/Soak"))
import soak_servers

TICKS = os.sysconf("SC_CLK_TCK")
# Keepers get the machine's locale for UTF-8, and nothing that the user has set.
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TZ": "UTC"}


class Missing(Exception):
    """A program that can't be had here."""


def find(program):
    """Returns the path of a program, and the environment that a program unpacked in .servers needs."""
    root = soak_servers.UNPACKED
    for folder in ("usr/sbin", "usr/bin", "bin"):
        path = os.path.join(root, folder, program)
        if os.access(path, os.X_OK):
            machine = os.uname().machine + "-linux-gnu"
            libraries = [f"{root}/{folder}/{machine}" for folder in ("lib", "usr/lib")]
            return path, ENVIRONMENT | {"LD_LIBRARY_PATH": ":".join(libraries)}
    if path := shutil.which(program):
        return path, ENVIRONMENT
    raise Missing(f"no program {program}")


def cpu_seconds(pid):
    """Returns the processor time of all threads, in user and kernel mode."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def peak_kib(pid):
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))


def sleeps(pid):
    """Returns true if no thread runs, waits for a processor, or waits for the disk."""
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/stat") as file:
            if file.read().rpartition(")")[2].split()[0] != "S":
                return False
    return True


def unread_bytes(port):
    """Returns the bytes that clients of a local port have not read yet."""
    unread = 0
    with open("/proc/net/tcp") as file:
        for fields in (line.split() for line in file):
            if fields[2].endswith(f":{port:04X}"):
                unread += int(fields[4].partition(":")[2], 16)
    return unread


def folder_bytes(path):
    """Returns the bytes of a file, or of all files in a folder."""
    if os.path.isfile(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(path) for name in names)


def end(process, number=signal.SIGTERM, seconds=20):
    """Sends a signal, and kills the process if it has not ended after some seconds."""
    if process and process.poll() is None:
        process.send_signal(number)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
