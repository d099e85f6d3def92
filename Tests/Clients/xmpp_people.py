"""The XMPP server, and the people who talk on it."""

import base64
import os
import re
import socket
import subprocess
import threading
import time
from xml.sax.saxutils import escape, quoteattr

import programs
from patience import Patience
from programs import LIMIT, CannotRun, environment, find, free_port
from soak_servers import end_with_us

HOST = "example.test"
CONFIGURATION = """
run_as_root = true
pidfile = "{folder}/prosody.pid"
data_path = "{folder}/data"
interfaces = {{ "127.0.0.1" }}
c2s_ports = {{ {port} }}
c2s_direct_tls_ports = {{ }}
s2s_ports = {{ }}
modules_enabled = {{ "roster", "saslauth", "disco", "ping" }}
modules_disabled = {{ "s2s", "tls", "http" }}
c2s_require_encryption = false
allow_unencrypted_plain_auth = true
authentication = "internal_plain"
log = {{ info = "{folder}/prosody.log" }}
VirtualHost "example.test"
Component "rooms.example.test" "muc"
    muc_room_locking = false
    muc_room_default_public = true
"""


class Prosody:
    def __init__(self, folder, *accounts):
        path, root = find("prosody")
        lua, lua_root = find("lua5.4")
        self.port, self.folder = free_port(), folder
        os.makedirs(f"{folder}/data/example%2etest/accounts")
        for account in accounts:
            with open(f"{folder}/data/example%2etest/accounts/{account}.dat", "w") as file:
                file.write('return { ["password"] = "secret"; };')
        with open(path) as file:
            program = file.read().replace("'/usr/lib/prosody", f"'{root}/usr/lib/prosody")
        self.write("prosody", program)
        self.write("prosody.cfg.lua", CONFIGURATION.format(folder=folder, port=self.port))
        places = [f"{root}/usr/share/lua/5.4/?.lua", f"{root}/usr/share/lua/5.4/?/init.lua"]
        libraries = f"{root}/usr/lib/{programs.MACHINE}/lua/5.4/?.so"
        lua_paths = {"LUA_PATH": ";".join([*places, "", ""]), "LUA_CPATH": f"{libraries};;"} if root else {}
        command = [lua, f"{folder}/prosody", "-F", "--config", f"{folder}/prosody.cfg.lua"]
        with open(f"{folder}/prosody.out", "ab") as output:
            self.process = subprocess.Popen(
                command, env=environment(root or lua_root, folder, **lua_paths), stdin=subprocess.DEVNULL,
                stdout=output, stderr=output, preexec_fn=end_with_us,
            )
        programs.wait_until(self.listens, "prosody's port")

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text)

    def listens(self):
        if self.process.poll() is not None:
            with open(f"{self.folder}/prosody.out") as file:
                raise CannotRun(f"prosody ended: {file.read()[-500:]}")
        try:
            socket.create_connection(("127.0.0.1", self.port)).close()
            return True
        except OSError:
            return False

    def end(self):
        self.process.kill()
        self.process.wait()


class Person:
    def __init__(self, name, port):
        self.name, self.heard = name, ""
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=LIMIT)
        self.changed = threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()
        self.open("<mechanism>PLAIN<")
        secret = base64.b64encode(f"\0{name}\0secret".encode()).decode()
        self.send(f"<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>{secret}</auth>")
        self.wait_for("<success")
        self.open("urn:ietf:params:xml:ns:xmpp-bind")
        self.send("<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>")
        self.wait_for("</jid>")
        self.send("<presence/>")

    def open(self, answer):
        self.send(f"<stream:stream to='{HOST}' version='1.0' xmlns='jabber:client' "
                  "xmlns:stream='http://etherx.jabber.org/streams'>")
        self.wait_for(answer)

    def read(self):
        self.socket.settimeout(None)
        while data := self.receive():
            with self.changed:
                self.heard += data.decode(errors="replace")
                self.changed.notify_all()

    def receive(self):
        try:
            return self.socket.recv(65536)
        except OSError:
            return b""

    def send(self, text):
        self.socket.sendall(text.encode())

    def wait_for(self, words, times=1, seconds=LIMIT):
        patience = Patience(seconds)
        with self.changed:
            while len(re.findall(re.escape(words), self.heard)) < times:
                self.changed.wait(0.5)
                if patience.is_over():
                    raise CannotRun(f"{self.name} did not hear {words!r}: {self.heard[-300:]}")

    def join(self, room):
        self.send(f"<presence to={quoteattr(f'{room}/{self.name}')}><x xmlns='http://jabber.org/protocol/muc'/></presence>")
        self.wait_for("code='110'")

    def leave(self, room):
        self.send(f"<presence to={quoteattr(f'{room}/{self.name}')} type='unavailable'/>")

    def say(self, to, text, kind="groupchat"):
        self.send(f"<message to={quoteattr(to)} type='{kind}'><body>{escape(text)}</body></message>")
        # The server orders what one person says, not what several do.
        time.sleep(0.05)
