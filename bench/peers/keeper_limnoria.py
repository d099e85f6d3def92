"""The bot Limnoria with its plugins ChannelLogger and ChannelStats."""

import os
import re
import subprocess

import keeper
import peers_process
import peers_text
import soak_servers

PROGRAM = os.path.join(soak_servers.UNPACKED, "limnoria/bin/limnoria")
CONFIGURATION = """
supybot.nick: {nick}
supybot.ident: {nick}
supybot.user: {nick}
supybot.networks: example
supybot.networks.example.servers: 127.0.0.1:{port}
supybot.networks.example.channels: {rooms}
supybot.networks.example.ssl: False
supybot.plugins: Channel ChannelLogger ChannelStats Config Misc
supybot.plugins.Channel: True
supybot.plugins.ChannelLogger: True
supybot.plugins.ChannelStats: True
supybot.plugins.Config: True
supybot.plugins.Misc: True
supybot.log.stdout: False
supybot.log.timestampFormat: [%H:%M:%S]
supybot.directories.conf: {folder}/conf
supybot.directories.data: {folder}/data
supybot.directories.log: {folder}/logs
supybot.directories.backup: {folder}/backup
supybot.protocols.irc.throttleTime: 0.0
"""


class Limnoria(keeper.FileKeeper):
    name, nick = "Limnoria, ChannelLogger and ChannelStats", "limnoria"
    files = "logs/ChannelLogger/example/{room}/{room}.log"
    message = re.compile(rb"\[[0-9:]+\] +<")
    line = "[23:59:59] <{nick}> {text}\n"

    @classmethod
    def version(cls):
        if not os.access(PROGRAM, os.X_OK):
            raise peers_process.Missing("no program limnoria")
        answer = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True)
        return re.search(r"[0-9]{4}[0-9.]*", answer.stdout + answer.stderr)[0].rstrip(".")

    def prepare(self):
        for name in ("conf", "data", "logs", "backup"):
            os.makedirs(self.path(name))
        rooms = " ".join(peers_text.ROOMS).encode("unicode_escape").decode()
        text = CONFIGURATION.format(nick=self.nick, port=self.port, rooms=rooms, folder=self.folder)
        self.write("bot.conf", text)

    def command(self):
        as_root = ["--allow-root"] if os.getuid() == 0 else []
        return [PROGRAM, *as_root, self.path("bot.conf")], peers_process.ENVIRONMENT | {"HOME": self.folder}
