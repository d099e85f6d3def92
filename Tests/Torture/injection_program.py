"""The program under test: commands in pipes and on terminals, its server, and its assistant's side."""

import http.client
import json
import os
import pty
import re
import select
import subprocess
import tty

from torture import Patience

# Seconds in which this process ran. A command that takes longer hangs.
LONGEST = 300
LONGEST_ANSWER = 30


def wait_until(what, is_so, seconds=LONGEST):
    """Returns the first answer that is true. `is_so` waits a second at most."""
    patience = Patience(seconds)
    while not (found := is_so()):
        if patience.is_over():
            raise SystemExit(f"{what}: not within {seconds} s")
    return found


def has_data(file, seconds=Patience.STEP):
    """Waits until there are bytes to read, or the end of them."""
    return bool(select.select([file], [], [], seconds)[0])


def has_ended(process):
    try:
        process.wait(Patience.STEP)
    except subprocess.TimeoutExpired:
        return False
    return True


class Program:
    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        os.makedirs(folder, exist_ok=True)
        self.environment = {
            "HOME": folder,
            "XDG_DATA_HOME": folder,
            "XDG_CONFIG_HOME": folder,
            "TMPDIR": folder,
            "TZ": "UTC",
            "PATH": "/usr/bin:/bin",
            "TERM": "xterm-256color",
            "COLUMNS": "100",
            "LC_ALL": "C.UTF-8",
            "SCROLLBACK_PAGER": "cat",
        }

    def run(self, *arguments, input=None):
        pipe, patience = subprocess.PIPE, Patience(LONGEST)
        process = self.start(*arguments, stdin=None if input is None else pipe, stdout=pipe, stderr=pipe)
        while True:
            try:
                output, errors = process.communicate(input, timeout=Patience.STEP)
                return subprocess.CompletedProcess(arguments, process.returncode, output, errors)
            except subprocess.TimeoutExpired:
                # communicate() has the input already.
                input = None
                if patience.is_over():
                    process.kill()
                    raise SystemExit(f"scrollback {arguments} took over {LONGEST} s")

    def start(self, *arguments, **options):
        return subprocess.Popen([self.binary, *arguments], cwd=self.folder, env=self.environment, **options)

    def on_terminal(self, *arguments):
        """The bytes that the command writes to a terminal."""
        ours, its = pty.openpty()
        tty.setraw(its)
        process = self.start(*arguments, stdin=its, stdout=its, stderr=its)
        os.close(its)
        parts, patience = [], Patience(LONGEST)
        try:
            while not patience.is_over():
                is_over = process.poll() is not None
                if has_data(ours, 0 if is_over else 0.05):
                    parts.append(os.read(ours, 1 << 16))
                elif is_over:
                    break
            else:
                raise SystemExit(f"scrollback {arguments} took over {LONGEST} s on a terminal")
        except OSError:
            # The other end is closed.
            pass
        finally:
            process.kill()
            process.wait()
            os.close(ours)
        return b"".join(parts)


class Served:
    """`scrollback serve` with the owner's cookie."""

    def __init__(self, program):
        self.process = program.start(
            "serve", "--listen", "127.0.0.1:0", stdout=subprocess.PIPE, stderr=open(program.folder + "/serve.log", "wb")
        )
        line = self.process.stdout.readline().decode()
        found = re.search(r"http://(127\.0\.0\.1:\d+)/\?key=(\S+)", line)
        if not found:
            raise SystemExit(f"serve printed {line!r}")
        self.host, self.connection, self.cookie = found[1], None, None
        _, headers, _ = self.get(f"/?key={found[2]}")
        self.cookie = dict(headers)["Set-Cookie"].split(";")[0]

    def get(self, path, headers=None):
        """Status, headers and body."""
        self.connection = self.connection or http.client.HTTPConnection(self.host, timeout=LONGEST)
        self.connection.request("GET", path, headers={**({"Cookie": self.cookie} if self.cookie else {}), **(headers or {})})
        wait_until(f"the server answers to {path!r}", lambda: has_data(self.connection.sock))
        answer = self.connection.getresponse()
        return answer.status, answer.getheaders(), answer.read()

    def stream(self, path, enough):
        """The bytes of a stream of events, until `enough` of them came or none for 10 seconds."""
        connection = http.client.HTTPConnection(self.host, timeout=10)
        connection.request("GET", path, headers={"Cookie": self.cookie, "Accept": "text/event-stream"})
        answer, data = connection.getresponse(), b""
        try:
            while data.count(b"\n\n") < enough and (part := answer.read1(1 << 16)):
                data += part
        except TimeoutError:
            pass
        connection.close()
        return data[: data.rfind(b"\n\n") + 2]

    def end(self):
        if self.connection:
            self.connection.close()
        self.process.terminate()
        wait_until("serve ends", lambda: has_ended(self.process))


class Assistant:
    """`scrollback mcp` on standard input and output."""

    def __init__(self, program):
        self.program, self.number = program, 0
        self.start()

    def start(self):
        with open(self.program.folder + "/mcp.log", "ab") as log:
            self.process = self.program.start("mcp", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
        self.ask(
            "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "torture", "version": "1"}}
        )

    def ask(self, method, parameters):
        """The line of the answer; empty if there is none in time, which is a fault."""
        self.number += 1
        request = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters}
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        patience = Patience(LONGEST_ANSWER)
        while not patience.is_over():
            if has_data(self.process.stdout):
                return self.process.stdout.readline()
        self.process.kill()
        self.process.wait()
        self.start()
        return b""

    def call(self, tool, **arguments):
        return self.ask("tools/call", {"name": tool, "arguments": arguments})

    def end(self):
        self.process.stdin.close()
        wait_until("mcp ends", lambda: has_ended(self.process))
