"""A PostgreSQL server with a folder and a Unix socket of its own, which ends with this program."""

import glob
import os
import shutil
import subprocess
import tempfile
import time

import torture
from torture import Failed

import soak_servers

NOBODY = 65534


def programs():
    """The folder of PostgreSQL's programs and their libraries; None if there are none."""
    for root in ("", soak_servers.UNPACKED):
        for found in sorted(glob.glob(f"{root}/usr/lib/postgresql/*/bin/postgres"), reverse=True):
            return os.path.dirname(found), glob.glob(f"{root}/usr/lib/*-linux-gnu")[:1] if root else []
    return None


class Server:
    def __init__(self):
        self.bin, libraries = programs()
        # A short path without links: a socket's name has at most 107 bytes. PostgreSQL's user must reach it.
        self.folder = tempfile.mkdtemp(prefix="sbpg-")
        self.environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "LD_LIBRARY_PATH": ":".join(libraries)}
        # PostgreSQL refuses to run as root.
        self.user = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--pdeathsig=INT"] if os.getuid() == 0 else []
        if self.user:
            os.chown(self.folder, NOBODY, NOBODY)
        self.log, data = self.folder + ".log", os.path.join(self.folder, "data")
        self.do(*self.user, f"{self.bin}/initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
        settings = ["listen_addresses=", f"unix_socket_directories={self.folder}", "fsync=off", "shared_buffers=32MB"]
        options = [option for setting in settings for option in ("-c", setting)]
        self.process = soak_servers.spawn([*self.user, f"{self.bin}/postgres", "-D", data, *options], self.log, self.environment)
        self.wait()

    def do(self, *command):
        done = subprocess.run(command, env=self.environment, cwd="/", stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode != 0:
            raise Failed(f"{command[0]}: {done.stderr}")
        return done.stdout

    def wait(self):
        for _ in range(300):
            try:
                return self.execute("SELECT 1")
            except Failed:
                time.sleep(0.1)
        raise SystemExit("PostgreSQL does not answer")

    def address(self, database):
        return f"postgresql:///{database}?host={self.folder}&user=postgres"

    def execute(self, sql, database="postgres"):
        return self.do(f"{self.bin}/psql", self.address(database), "-v", "ON_ERROR_STOP=1", "-qAtc", sql)

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
        os.remove(self.log)
