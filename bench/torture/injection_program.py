"""The program under test: commands in pipes and on terminals, its server, and its assistant's side."""

import http.client
import json
import os
import pty
import re
import select
import subprocess
import time
import tty

# A command that takes longer hangs.
LONGEST = 300
LONGEST_ANSWER = 30


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
        return subprocess.run(
            [self.binary, *arguments], input=input, capture_output=True, cwd=self.folder, env=self.environment, timeout=LONGEST
        )

    def start(self, *arguments, **options):
        return subprocess.Popen([self.binary, *arguments], cwd=self.folder, env=self.environment, **options)

    def on_terminal(self, *arguments):
        """The bytes that the command writes to a terminal."""
        ours, its = pty.openpty()
        tty.setraw(its)
        process = self.start(*arguments, stdin=its, stdout=its, stderr=its)
        os.close(its)
        parts, end = [], time.time() + LONGEST
        try:
            while time.time() < end:
                is_over = process.poll() is not None
                if select.select([ours], [], [], 0 if is_over else 0.05)[0]:
                    parts.append(os.read(ours, 1 << 16))
                elif is_over:
                    break
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
        answer = self.connection.getresponse()
        return answer.status, answer.getheaders(), answer.read()

    def stream(self, path, enough):
        """The bytes of a stream of events, until `enough` of them came or none for a second."""
        connection = http.client.HTTPConnection(self.host, timeout=3)
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
        self.process.wait(30)


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
        if select.select([self.process.stdout], [], [], LONGEST_ANSWER)[0]:
            return self.process.stdout.readline()
        self.process.kill()
        self.process.wait()
        self.start()
        return b""

    def call(self, tool, **arguments):
        return self.ask("tools/call", {"name": tool, "arguments": arguments})

    def end(self):
        self.process.stdin.close()
        self.process.wait(30)
