"""Clients as processes: found, started on a terminal of their own, and ended."""

import asyncio
import fcntl
import os
import platform
import pty
import select
import ssl
import struct
import subprocess
import termios
import threading
import time

from patience import Patience
from soak_servers import UNPACKED, end_with_us, free_port  # noqa: F401

MACHINE = platform.machine() + "-linux-gnu"
# The most seconds that a client may take for any one thing, on an idle machine.
LIMIT = 15


class CannotRun(Exception):
    """The client is not on this machine, or does not start here."""


def find(program):
    """Returns the program's path and the folder to which its packages were unpacked; empty for the machine's own."""
    for folder in ("/usr/local/bin", "/usr/bin", "/usr/sbin", "/usr/games"):
        if os.access(f"{folder}/{program}", os.X_OK):
            return f"{folder}/{program}", ""
    for folder in ("usr/bin", "usr/sbin", "usr/games"):
        path = os.path.join(UNPACKED, folder, program)
        if os.access(path, os.X_OK):
            return path, UNPACKED
    raise CannotRun(f"there is no {program}; .ci/fetch-tools fetches it")


def environment(root, folder, **more):
    libraries = [f"{root}/{place}/{MACHINE}" for place in ("lib", "usr/lib")] if root else []
    return {
        "PATH": "/usr/bin:/bin", "HOME": folder, "LC_ALL": "C.UTF-8", "TZ": "UTC", "TERM": "xterm",
        "LD_LIBRARY_PATH": ":".join(libraries), **more,
    }


def without_root(command):
    """The command for a program that refuses to run as root, or waits."""
    return ["unshare", "--user", *command] if os.getuid() == 0 else command


def wait_until(is_done, words, seconds=LIMIT):
    patience = Patience(seconds)
    while not is_done():
        if patience.is_over():
            raise CannotRun(f"{words} did not come within {seconds} s")
        time.sleep(0.05)


class Process:
    """A client with a terminal, whose output is read and kept."""

    def __init__(self, command, environment, folder):
        self.output, (self.terminal, client) = bytearray(), pty.openpty()
        fcntl.ioctl(client, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        self.process = subprocess.Popen(
            command, stdin=client, stdout=client, stderr=client, env=environment, cwd=folder,
            preexec_fn=lambda: (os.setsid(), fcntl.ioctl(0, termios.TIOCSCTTY, 0), end_with_us()),
        )
        os.close(client)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        while True:
            try:
                ready, _, _ = select.select([self.terminal], [], [], 1)
                data = os.read(self.terminal, 65536) if ready else None
            except OSError:
                return
            if data == b"":
                return
            # The end of the output is enough to explain a failure.
            self.output[:] = (self.output + (data or b""))[-100_000:]

    def type(self, text):
        os.write(self.terminal, text.encode())

    def end(self, words=None, number=15):
        """Types the words that end the client, else sends a signal."""
        if self.process.poll() is None and words:
            self.type(words)
        elif self.process.poll() is None:
            self.process.send_signal(number)
        try:
            self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class TLSTunnel:
    """A port with TLS before one without."""

    def __init__(self, folder, target):
        self.target, certificate, key = target, f"{folder}/certificate.pem", f"{folder}/key.pem"
        command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
        names = ["-subj", "/CN=localhost", "-keyout", key, "-out", certificate]
        if subprocess.run([*command, *names], stderr=subprocess.DEVNULL).returncode != 0:
            raise CannotRun("openssl makes no certificate")
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate, key)
        self.loop, started = asyncio.new_event_loop(), threading.Event()
        threading.Thread(target=self.run, args=[started], daemon=True).start()
        started.wait(LIMIT)

    def run(self, started):
        asyncio.set_event_loop(self.loop)
        server = self.loop.run_until_complete(asyncio.start_server(self.serve, "127.0.0.1", 0, ssl=self.context))
        self.port = server.sockets[0].getsockname()[1]
        started.set()
        self.loop.run_forever()

    async def serve(self, reader, writer):
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", self.target)
        await asyncio.gather(self.copy(reader, inner_writer), self.copy(inner_reader, writer))

    @staticmethod
    async def copy(reader, writer):
        try:
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        writer.close()

    def end(self):
        asyncio.run_coroutine_threadsafe(self.finish(), self.loop)

    async def finish(self):
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.loop.stop()
