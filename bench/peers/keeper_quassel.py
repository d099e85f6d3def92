"""Quassel's core with its SQLite backend."""

import os
import re
import sqlite3
import struct
import subprocess
import time

import keeper
import peers_process
import peers_text
import soak_servers

# A Quassel client configures the core. Here, the tables get the rows that a client writes: a user, an identity, and a connected network
# with joined channels. The core connects what was connected when it stopped.
ROWS = (
    "INSERT INTO quasseluser (userid, username, password, hashversion) VALUES (1, :nick, '', 1)",
    "INSERT INTO identity (identityid, userid, identityname, realname, autoawaytime, ident, kickreason, partreason, quitreason)"
    " VALUES (1, 1, :nick, :nick, 10, :nick, '', '', '')",
    "INSERT INTO identity_nick (identityid, nick) VALUES (1, :nick)",
    "INSERT INTO network (networkid, userid, networkname, identityid, connected, encodingcodec, decodingcodec, servercodec,"
    " rejoinchannels, useautoreconnect, autoreconnectinterval, autoreconnectretries)"
    " VALUES (1, 1, 'example', 1, 1, 'UTF-8', 'UTF-8', 'UTF-8', 1, 1, 60, 20)",
    "INSERT INTO ircserver (userid, networkid, hostname, port) VALUES (1, 1, '127.0.0.1', :port)",
    "INSERT OR REPLACE INTO core_state (key, value) VALUES ('active_sessions', :sessions)",
)
CHANNEL = (
    "INSERT INTO buffer (userid, networkid, buffername, buffercname, buffertype, joined) VALUES (1, 1, ?, ?, 2, 1)"
)
# Qt's QDataStream: a list of one value of the named type UserId, which is 1. 127 is a type with a name.
USER_TYPE = b"UserId\0"
SESSIONS = struct.pack(">IIBI", 1, 127, 0, len(USER_TYPE)) + USER_TYPE + struct.pack(">i", 1)
# Message types: 1 is Plain. Flags and prefixes are empty.
PAGE = (
    "SELECT messageid, time, type, flags, sender, senderprefixes, realname, avatarurl, message FROM backlog"
    " LEFT JOIN sender ON backlog.senderid = sender.senderid WHERE bufferid = {buffer} {condition}"
    " ORDER BY messageid DESC LIMIT {limit}"
)


class Quassel(keeper.DatabaseKeeper):
    name, nick = "Quassel core, SQLite", "quassel"
    database = "home/quassel-storage.sqlite"
    counting = "SELECT count(*) FROM backlog WHERE type = 1"
    reading = "SELECT message FROM backlog WHERE type = 1"
    disconnecting = "SELECT count(*) FROM backlog WHERE type <> 1 AND message LIKE '%isconnect%'"
    emptying = "DELETE FROM backlog"
    insertion = (
        "INSERT INTO backlog (time, bufferid, type, flags, senderid, senderprefixes, message) VALUES (:milliseconds,"
        " (SELECT bufferid FROM buffer WHERE buffername = :room), 1, 0,"
        " (SELECT senderid FROM sender WHERE sender LIKE :nick || '!%'), '', :text)"
    )

    @classmethod
    def version(cls):
        program, environment = peers_process.find("quasselcore")
        answer = subprocess.run([program, "--version"], capture_output=True, text=True, env=environment)
        return re.search(r"v([0-9.]+)", answer.stdout)[1]

    def command(self):
        program, environment = peers_process.find("quasselcore")
        machine = os.uname().machine + "-linux-gnu"
        plugins = os.path.join(os.path.dirname(os.path.dirname(program)), "lib", machine, "qt5/plugins")
        settings = {"DB_BACKEND": "SQLite", "AUTH_AUTHENTICATOR": "Database", "QT_PLUGIN_PATH": plugins, "HOME": self.folder}
        command = [program, "--configdir", self.path("home"), "--config-from-environment"]
        return [*command, "--listen", "127.0.0.1", "--port", str(soak_servers.free_port())], environment | settings

    def prepare(self):
        """Lets the core make its database, and fills in its configuration."""
        self.start()
        while not (os.path.exists(self.log) and "Listening for GUI clients" in open(self.log).read()):
            self.must_run()
            time.sleep(0.05)
        self.stop()
        values = {"nick": self.nick, "port": self.port, "sessions": SESSIONS}
        with sqlite3.connect(self.path(self.database)) as database:
            for statement in ROWS:
                database.execute(statement, values)
            database.executemany(CHANNEL, [(room, room.lower()) for room in peers_text.ROOMS])

    def questions(self, back):
        buffer = "(SELECT bufferid FROM buffer WHERE buffername = '" + peers_text.ROOMS[0] + "')"
        newest = f"SELECT messageid FROM backlog WHERE bufferid = {buffer} AND type = 1 ORDER BY messageid DESC"
        ((id,),) = self.query(f"{newest} LIMIT 1 OFFSET {back - 1}")
        like = "AND message LIKE '%{}%'"
        return {
            "rare": self.statement(PAGE.format(buffer=buffer, condition=like.format(peers_text.RARE), limit=20)),
            "common": self.statement(PAGE.format(buffer=buffer, condition=like.format(peers_text.COMMON), limit=20)),
            "page": self.statement(PAGE.format(buffer=buffer, condition=f"AND messageid < {id}", limit=50)),
        }
