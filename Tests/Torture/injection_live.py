"""Has `scrollback listen` hear payloads from an IRC server, and reads its log, status, metrics, notifications and archive."""

import json
import os
import re
import signal
import socket
import threading
import time
import urllib.request

import injection_checks
from injection_program import Patience, has_ended, wait_until

# Time, level, words, and values as key=value (docs/running.md).
LOGGED = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\dZ+:-]* (trace|debug|info|notice|warning|error|critical)[: ]"
# Accounts whose server says a payload as its last words.
ERRING = 12


def metrics(data):
    """The text format of Prometheus: a line for each value, labels in quotes."""
    form = r'#( HELP| TYPE| EOF).*|\w+(\{(\w+="([^"\\\n]|\\[\\"n])*",?)*\})? [-+\d.eEInfNa]+( \d+)?$|$'
    return injection_checks.lines(data, form)


def said(text):
    """As one line of IRC can carry it."""
    return re.sub("[\r\n\x00]", "", text).encode()[:380].decode(errors="ignore").encode()


def nick(payload):
    return re.sub(b"[ !@,:]", b"", said(payload.text))[:60] or b"n"


def channel(payload):
    return b"#" + re.sub(b"[ ,\x07]", b"", said(payload.text))[:60] + b"%d" % payload.number


class Server:
    """An IRC server of hostile people. A user named errN is sent away with payload N, anybody else hears all."""

    def __init__(self, payloads):
        self.payloads, self.heard, self.rooms = payloads, threading.Event(), {}
        self.listening = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listening.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listening.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        user = b""
        try:
            with client, client.makefile("rb") as lines:
                for line in lines:
                    verb, _, rest = line.strip().partition(b" ")
                    if verb == b"USER":
                        user = rest.split(b" ")[0].lstrip(b"~")
                        if user.startswith(b"err"):
                            payload = self.payloads[int(user[3:])]
                            client.sendall(
                                b":"
                                + nick(payload)
                                + b" NOTICE * :"
                                + said(payload.text)
                                + b"\r\nERROR :"
                                + said(payload.text)
                                + b"\r\n"
                            )
                            return
                        client.sendall(
                            b":irc.example 001 archiver :hi\r\n:irc.example 005 archiver CHANTYPES=# :are supported\r\n:irc.example 422 archiver :none\r\n"
                        )
                    elif verb == b"CAP" and rest.startswith(b"LS"):
                        client.sendall(b":irc.example CAP * LS :message-tags server-time draft/event-playback\r\n")
                    elif verb == b"CAP" and rest.startswith(b"REQ"):
                        client.sendall(b":irc.example CAP * ACK " + rest[4:] + b"\r\n")
                    elif verb == b"PING":
                        client.sendall(b":irc.example PONG irc.example " + rest + b"\r\n")
                    elif verb == b"JOIN":
                        client.sendall(b"".join(self.joined(room) for room in rest.split(b" ")[0].split(b",")))
                    elif verb == b"PONG" and b"done" in rest:
                        self.heard.set()
        except OSError:
            pass

    def joined(self, room):
        """What is sent when the listener joins the room of a payload; the last one ends with a PING."""
        place = int(re.sub(rb"\D", b"", room) or 0)
        payload = self.payloads[min(place, len(self.payloads) - 1)]
        text, by = said(payload.text), nick(payload)
        if place % 2:
            answer = [b":irc.example %s archiver %s :%s" % ((b"473", b"471", b"474", b"475")[place // 2 % 4], room, text)]
        else:
            answer = [
                b":archiver!soak@h JOIN " + room,
                b":irc.example 332 archiver %s :%s" % (room, text),
                b":irc.example 333 archiver %s %s 1700000000" % (room, by),
                b":irc.example 353 archiver = %s :archiver %s" % (room, by),
                b":irc.example 366 archiver %s :end" % room,
            ]
            room = channel(payload)
            source = by + b"!u@" + re.sub(b"[ !@]", b"", text)[:40]
            answer += [b":archiver!soak@h JOIN " + room, b":irc.example 366 archiver %s :end" % room]
            for shape in (
                b"JOIN %s",
                b"PRIVMSG %s :%s",
                b"NOTICE %s :%s",
                b"PRIVMSG %s :\x01ACTION %s\x01",
                b"TOPIC %s :%s",
                b"MODE %s +b %s",
                b"INVITE archiver %s",
                b"PART %s :%s",
                b"JOIN %s",
            ):
                answer.append(b":%s %s" % (source, shape % ((room, text) if shape.count(b"%s") == 2 else (room,))))
            answer += [
                b"@msgid=m%d;+draft/react=%s;+draft/reply=m%d :%s TAGMSG %s"
                % (place, re.sub(b"[; ]", b"", text), place, source, room),
                b":%s PRIVMSG archiver :%s" % (source, text),
                b":%s NICK :%s" % (source, by + b"2"),
                b":%s2!u@h QUIT :%s" % (by, text),
                b":irc.example NOTICE archiver :" + text,
                b":irc.example FAIL * CODE :" + text,
                b":irc.example 999 archiver :" + text,
                b":irc.example WARN JOIN X :" + text,
                text,
                b":%s KICK %s archiver :%s" % (source, room, text),
            ]
        if place == len(self.payloads) - 1:
            answer.append(b"PING :done")
        return b"".join(line + b"\r\n" for line in answer)


def quoted(text):
    """As a string of TOML."""
    return '"' + re.sub(r'["\\\x00-\x1f\x7f]', lambda it: f"\\u{ord(it[0]):04X}", text) + '"'


def account(name, user, port, rooms):
    return (
        f'[[account]]\nname = {quoted(name)}\nnetwork = "irc"\nserver = "irc://127.0.0.1:{port}"\nnick = "archiver"\nuser = "{user}"\n'
        f"rooms = [{', '.join(map(quoted, rooms))}]\nsign_of_life_seconds = 1\n\n"
    )


def account_names(program, take, payloads, port):
    """The first payloads where the configuration takes them as names, which it says why it does not; else errN."""
    for place, payload in enumerate(payloads[:ERRING]):
        text = payload.text[:40]
        with open(os.path.join(program.folder, "name.toml"), "w") as file:
            file.write(account(text, f"err{place}", port, ["#a", "#" + text]))
        for arguments in (["config", "check"], ["config", "show"]):
            answer = program.run(*arguments, "--config", "name.toml")
            take("text", f"{' '.join(arguments)}, {payload}", answer.stderr)
            take("text", f"{' '.join(arguments)}, stdout, {payload}", answer.stdout)
        yield text if answer.returncode == 0 else f"err{place}"


def listen(program, take, payloads):
    server = Server(payloads)
    names = list(account_names(program, take, payloads, server.port))
    with open(os.path.join(program.folder, "scrollback.toml"), "w") as file:
        file.write(account("live", "soak", server.port, [f"#a{place}" for place in range(len(payloads))]))
        for place, name in enumerate(names):
            # Names are unique without regard to case.
            name = name if name.lower() not in {it.lower() for it in names[:place]} else f"err{place}"
            file.write(account(name, f"err{place}", server.port, ["#a"]))
    for format, level in (("text", "trace"), ("json", "debug")):
        server.heard.clear()
        run(program, take, server, format, level)
    server.listening.close()
    for arguments in (["history", "--all", "-n", "all"], ["rooms"], ["gaps"], ["users"], ["status"]):
        take("text", f"live: {' '.join(arguments)}", program.run(*arguments).stdout, kept=injection_checks.BODY)
        take("terminal", f"live: {' '.join(arguments)} on a terminal", program.on_terminal(*arguments))
        take("csv", f"live: {' '.join(arguments)} --format csv", program.run(*arguments, "--format", "csv").stdout)
        take("jsonl", f"live: {' '.join(arguments)} --format jsonl", program.run(*arguments, "--format", "jsonl").stdout)


def run(program, take, server, format, level):
    """One life of the listener, with what its owner sees meanwhile."""
    path = os.path.join(program.folder, "notify.sock")
    if os.path.exists(path):
        os.remove(path)
    notified = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    notified.bind(path)
    notified.settimeout(0.01)
    port = socket.create_server(("127.0.0.1", 0)).getsockname()[1]
    program.environment["NOTIFY_SOCKET"] = path
    log = os.path.join(program.folder, f"listen.{format}")
    with open(log, "wb") as file:
        listener = program.start(
            "listen", "--metrics", f"127.0.0.1:{port}", "--log-format", format, "--log-level", level, stdout=file, stderr=file
        )
    del program.environment["NOTIFY_SOCKET"]
    try:
        wait_until(f"the listener joins all rooms ({log})", lambda: server.heard.wait(Patience.STEP))
        time.sleep(1)
        for arguments in (["status"], ["status", "--check"], ["rooms"], ["gaps"]):
            take("text", f"{' '.join(arguments)} of a listener", program.run(*arguments).stdout)
            take("terminal", f"{' '.join(arguments)} of a listener on a terminal", program.on_terminal(*arguments))
        take("json", "status --format json of a listener", program.run("status", "--format", "json").stdout)
        for query in ("", "?detail=1"):
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics{query}") as answer:
                take("metrics", f"/metrics{query}", answer.read())
        with socket.socket(socket.AF_UNIX) as control:
            os.chdir(program.folder)
            control.connect("scrollback/control.sock" if os.path.exists("scrollback/control.sock") else "data/control.sock")
            control.sendall(b'{"command": "status"}\n')
            # Programs alone read it: JSON itself allows U+007F to U+009F.
            json.loads(control.makefile("rb").readline())
    finally:
        listener.send_signal(signal.SIGTERM)
        try:
            wait_until("the listener ends", lambda: has_ended(listener))
        finally:
            listener.kill()
    states = b""
    try:
        while part := notified.recv(1 << 16):
            states += part + b"\n"
    except (TimeoutError, BlockingIOError):
        pass
    notified.close()
    take("log", "notifications to systemd", states, form=r"[A-Z_]+=")
    with open(log, "rb") as file:
        data = file.read()
    if format == "text":
        take("log", "the log", data, form=LOGGED)
    else:
        take("jsonl", "the log as JSON", data)
