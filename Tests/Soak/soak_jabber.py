"""Prosody and ejabberd as processes, with both storages of each, and the trimming of their archives."""

import asyncio
import glob
import os
import platform
import re
import signal
import socket
import sqlite3
import subprocess
import time

import soak_servers

# The storages of archives, with the server that has each.
STORAGES = {
    "prosody-internal": "prosody", "prosody-sqlite": "prosody", "ejabberd-mnesia": "ejabberd", "ejabberd-sqlite": "ejabberd",
}  # fmt: skip
HOST, PASSWORD = "localhost", "secret"
# The most seconds that a server may take to listen, and to stop. ejabberd takes 3 to listen on an idle machine.
LONGEST_START, LONGEST_STOP = 60, 20
MACHINE = platform.machine() + "-linux-gnu"

PROSODY = """
run_as_root = true
pidfile = "{folder}/prosody.pid"
data_path = "{folder}/data"
plugin_paths = {{ "{root}/usr/lib/prosody/modules" }}
modules_enabled = {{ "roster", "saslauth", "disco", "carbons", "smacks", "mam", "ping", "posix" }}
modules_disabled = {{ "s2s", "tls" }}
interfaces = {{ "127.0.0.1" }}
c2s_ports = {{ {port} }}
c2s_require_encryption = false
allow_unencrypted_plain_auth = true
authentication = "internal_plain"
storage_archive_item_limit = 1000000
storage = {{ archive = "{storage}"; muc_log = "{storage}" }}
sql = {{ driver = "SQLite3", database = "{folder}/archive.sqlite" }}
log = {{ info = "*console" }}
VirtualHost "localhost"
Component "rooms.localhost" "muc"
    modules_enabled = {{ "muc_mam" }}
    muc_log_by_default = true
    muc_room_default_persistent = true
    muc_event_rate = 1000000
    muc_tombstones = false
"""
EJABBERD = """
hosts: ["localhost"]
loglevel: warning
listen:
  - {{port: {port}, ip: "127.0.0.1", module: ejabberd_c2s, starttls: false}}
auth_password_format: scram
auth_method: mnesia
{sql}
modules:
  mod_carboncopy: {{}}
  mod_disco: {{}}
  mod_ping: {{}}
  mod_roster: {{}}
  mod_stream_mgmt: {{}}
  mod_mam: {{default: always, db_type: {storage}}}
  mod_muc: {{access_create: all, min_message_interval: 0, default_room_options: {{mam: true, persistent: true}}}}
"""
EJABBERD_SQL = 'sql_type: sqlite\nsql_database: "{folder}/archive.sqlite"'
START = """
timer:sleep(500), {{ok, _}} = application:ensure_all_started(ejabberd),
[ejabberd_auth:try_register(U, <<"localhost">>, <<"secret">>) || U <- [{users}]], {more} io:format("accounts: ready~n").
"""
# Mnesia keeps times as megaseconds, seconds and microseconds.
TRIM_MNESIA = """
[mnesia:dirty_delete_object(M) || M <- mnesia:dirty_read(archive_msg, {{<<"{user}">>, <<"{domain}">>}}),
 timer:now_diff(element(4, M), {{0, 0, 0}}) < {before}],
"""


class JabberServer:
    """A server with accounts, all with the password `secret`. `storage` is one of STORAGES."""

    def __init__(self, storage, folder, users, port=None):
        self.storage, self.kind, self.folder, self.users = storage, STORAGES[storage], folder, users
        self.port, self.process, self.log = port or soak_servers.free_port(), None, f"{folder}/server.log"
        self.rooms = "rooms.localhost" if self.kind == "prosody" else "conference.localhost"
        self.has_sql = storage.endswith("sqlite")
        # What to remove before the next start: an archive's user and domain, and the time before which, in seconds since 1970.
        self.trims = []
        # When each start began, and when the server was ready after it, in seconds since 1970.
        self.starts = []
        os.makedirs(folder, exist_ok=True)
        if self.kind == "prosody":
            self.configure_prosody()
        else:
            self.configure_ejabberd()

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text)

    def configure_prosody(self):
        self.program, root = soak_servers.find("prosody")
        self.lua, lua_root = soak_servers.find("lua5.4")
        modules, shared, machine = f"{root}/usr/lib/prosody", f"{lua_root}/usr/share/lua/5.4", f"{root}/usr/lib/{MACHINE}/lua/5.4"
        if self.has_sql and not os.path.exists(f"{machine}/dbd/sqlite3.so"):
            raise SystemExit("Prosody needs Debian's lua-dbi-sqlite3 for SQLite: .ci/fetch-tools fetches it")
        storage = "sql" if self.has_sql else "internal"
        self.write("prosody.cfg.lua", PROSODY.format(folder=self.folder, root=root, port=self.port, storage=storage))
        os.makedirs(f"{self.folder}/data/localhost/accounts", exist_ok=True)
        for user in self.users:
            self.write(f"data/localhost/accounts/{user}.dat", 'return { ["password"] = "secret"; };')
        self.environment = {
            "PATH": "/usr/bin:/bin", "LUA_PATH": f"{modules}/?.lua;{shared}/?.lua;{shared}/?/init.lua;;",
            "LUA_CPATH": f"{modules}/?.so;{machine}/?.so;;", **self.libraries(root),
        }  # fmt: skip

    @staticmethod
    def libraries(root):
        return {"LD_LIBRARY_PATH": f"{root}/usr/lib/{MACHINE}:{root}/lib/{MACHINE}"} if root else {}

    def configure_ejabberd(self):
        _, root = soak_servers.find("ejabberdctl")
        _, erlang_root = soak_servers.find("erl")
        base = f"{erlang_root}/usr/lib/erlang"
        if self.has_sql and not glob.glob(f"{base}/lib/p1_sqlite3-*"):
            raise SystemExit("ejabberd needs Debian's erlang-p1-sqlite3 for SQLite: .ci/fetch-tools fetches it")
        programs = sorted(glob.glob(f"{base}/erts-*/bin"))[-1]
        sql = EJABBERD_SQL.format(folder=self.folder) if self.has_sql else ""
        self.write("ejabberd.yml", EJABBERD.format(port=self.port, sql=sql, storage="sql" if self.has_sql else "mnesia"))
        if self.has_sql and not os.path.exists(f"{self.folder}/archive.sqlite"):
            database = sqlite3.connect(f"{self.folder}/archive.sqlite")
            with open(f"{root}/usr/share/ejabberd/sql/lite.sql") as file:
                database.executescript(file.read())
            database.close()
        self.program, self.base = f"{programs}/erlexec", base
        self.environment = {
            "PATH": f"{programs}:/usr/bin:/bin", "ROOTDIR": base, "BINDIR": programs, "EMU": "beam", "PROGNAME": "erl",
            "ERL_LIBS": f"{root}/usr/lib/{MACHINE}", "EJABBERD_CONFIG_PATH": f"{self.folder}/ejabberd.yml",
            "EJABBERD_LOG_PATH": f"{self.folder}/ejabberd.log", "HOME": self.folder, **self.libraries(root),
        }  # fmt: skip

    def command(self):
        """Returns the command that starts the server. Removes from a stopped server's files what must be removed."""
        more = ""
        for user, domain, before in self.trims:
            if self.storage == "ejabberd-mnesia":
                more += TRIM_MNESIA.format(user=user, domain=domain, before=int(before * 1e6))
            elif self.storage == "ejabberd-sqlite":
                self.trim_sql("DELETE FROM archive WHERE username = ? AND timestamp < ?", f"{user}@{domain}", int(before * 1e6))
            elif self.storage == "prosody-sqlite":
                self.trim_sql('DELETE FROM prosodyarchive WHERE host = ? AND user = ? AND "when" < ?', domain, user, int(before))
            else:
                self.trim_files(user, domain, before)
        if self.kind == "prosody":
            return [self.lua, self.program, "-F", "--config", f"{self.folder}/prosody.cfg.lua"]
        users = ", ".join(f'<<"{user}">>' for user in self.users)
        return [
            self.program, "-boot", f"{self.base}/bin/start", "-noinput", "-mnesia", "dir", f'"{self.folder}/db"',
            "-s", "ejabberd", "-eval", START.format(users=users, more=more).replace("\n", " "),
        ]  # fmt: skip

    def trim_sql(self, statement, *values):
        database = sqlite3.connect(f"{self.folder}/archive.sqlite")
        with database:
            database.execute(statement, values)
        database.close()

    def trim_files(self, user, domain, before):
        store = "archive" if domain == HOST else "muc_log"
        path = f"{self.folder}/data/{domain.replace('.', '%2e')}/{store}/{user}.list"
        if not os.path.exists(path):
            return
        with open(path) as file:
            items = re.split(r"(?m)^(?=item\(\{)", file.read())
        times = [re.search(r'\["when"\] = ([0-9.]+)', item) for item in items]
        with open(path, "w") as file:
            file.write("".join(item for item, time in zip(items, times) if not time or float(time[1]) >= before))

    async def start(self):
        begin = os.path.getsize(self.log) if os.path.exists(self.log) else 0
        command, self.trims, began = self.command(), [], time.time()
        self.process = soak_servers.spawn(command, self.log, self.environment)
        for _ in range(LONGEST_START * 10):
            if self.process.poll() is not None:
                raise SystemExit(f"{self.storage} ended: see {self.log}")
            if self.listens(begin):
                return self.starts.append((began, time.time()))
            await asyncio.sleep(0.1)
        raise SystemExit(f"{self.storage} does not listen: see {self.log}")

    def listens(self, begin):
        # ejabberd listens before it has its accounts.
        if self.kind == "ejabberd":
            with open(self.log, "rb") as file:
                file.seek(begin)
                return b"accounts: ready" in file.read()
        with socket.socket() as test:
            return test.connect_ex(("127.0.0.1", self.port)) == 0

    async def end(self, number):
        """Ends the server by a signal. Kills it after some time: ejabberd (23.01) can take minutes to stop."""
        self.process.send_signal(signal.SIGCONT)
        self.process.send_signal(number)
        try:
            await asyncio.to_thread(self.process.wait, LONGEST_STOP)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
