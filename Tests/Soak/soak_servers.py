"""The real IRC servers, each on a port of its own and killed with us."""

import asyncio
import ctypes
import os
import platform
import shutil
import signal
import socket
import subprocess

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
UNPACKED = os.path.join(REPOSITORY, ".servers")
PR_SET_PDEATHSIG = 1
C_LIBRARY = ctypes.CDLL(None)

NGIRCD = """
[Global]
Name = irc.example
Info = A server of the soak
Listen = 127.0.0.1
Ports = {port}
MotdPhrase = hello
ServerUID = {user}
ServerGID = {group}
[Limits]
MaxConnections = 0
MaxConnectionsIP = 0
MaxJoins = 50
MaxPenaltyTime = 0
PingTimeout = 120
PongTimeout = 60
[Options]
DNS = no
Ident = no
PAM = no
"""

INSPIRCD = """
<config format="xml">
<server name="irc.example" description="A server of the soak" network="ExampleNet" id="97K">
<admin name="admin" nick="admin" email="admin@example.net">
<bind address="127.0.0.1" port="{port}" type="clients">
<connect allow="*" timeout="60" pingfreq="120" hardsendq="1M" softsendq="128K" recvq="64K" threshold="1000"
  commandrate="100000" fakelag="off" localmax="1000" globalmax="1000" resolvehostnames="no" useident="no">
<performance nouserdns="yes">
<path moduledir="{modules}">
<module name="cap"><module name="ircv3"><module name="ircv3_batch"><module name="ircv3_capnotify">
<module name="ircv3_ctctags"><module name="ircv3_echomessage"><module name="ircv3_invitenotify">
<module name="ircv3_labeledresponse"><module name="ircv3_msgid"><module name="ircv3_servertime">
<module name="namesx"><module name="uhnames"><module name="chanhistory">
<chanhistory bots="yes" enableumode="no" maxduration="1h" maxlines="50" prefixmsg="no">
"""


def end_with_us():
    """Has a child end when this process does; for `preexec_fn`."""
    C_LIBRARY.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def spawn(command, output, environment=None):
    """A child that writes into a file, as one with a pipe that nobody reads stops, and that ends when we do."""
    with open(output, "ab") as file:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            env=environment,
            preexec_fn=end_with_us,
        )


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def find(program):
    for folder in ("/usr/local/sbin", "/usr/sbin", "/usr/local/bin", "/usr/bin"):
        if os.access(f"{folder}/{program}", os.X_OK):
            return f"{folder}/{program}", ""
    for folder in ("usr/sbin", "usr/bin"):
        path = os.path.join(UNPACKED, folder, program)
        if os.access(path, os.X_OK):
            return path, UNPACKED
    raise SystemExit(f"there is no {program}: .ci/fetch-tools fetches it")


class Server:
    """`kind` is ngircd or inspircd."""

    def __init__(self, kind, folder):
        self.kind, self.port, self.process = kind, free_port(), None
        self.program, root = find(kind)
        self.file, self.log = os.path.join(folder, f"{kind}.conf"), os.path.join(folder, f"{kind}.log")
        machine = platform.machine() + "-linux-gnu"
        libraries = [f"{root}/{folder}/{machine}" for folder in ("lib", "usr/lib")] if root else []
        self.environment = {"PATH": "/usr/bin:/bin", "LD_LIBRARY_PATH": ":".join(libraries)}
        modules = [f"{root}/usr/lib/{machine}/inspircd", f"{root}/usr/lib/inspircd/modules"]
        text = {"ngircd": NGIRCD, "inspircd": INSPIRCD}[kind].format(
            port=self.port,
            user=os.getuid(),
            group=os.getgid(),
            modules=next((path for path in modules if os.path.isdir(path)), modules[0]),
        )
        with open(self.file, "w") as file:
            file.write(text)

    async def start(self):
        if self.kind == "ngircd":
            command = [self.program, "--nodaemon", "--config", self.file]
        else:
            command = [self.program, "--nofork", "--nopid", f"--config={self.file}"]
            command += ["--runasroot"] if os.getuid() == 0 else []
        self.process = spawn(command, self.log, self.environment)
        for _ in range(300):
            if self.process.poll() is not None:
                raise SystemExit(f"{self.kind} ended: see {self.log}")
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                return writer.close()
            except OSError:
                await asyncio.sleep(0.1)
        raise SystemExit(f"{self.kind} does not listen: see {self.log}")

    async def stop(self, number):
        self.process.send_signal(number)
        await asyncio.to_thread(self.process.wait)

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def make_folder(path):
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
