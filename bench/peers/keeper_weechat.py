"""WeeChat with its plugin logger."""

import os
import re
import subprocess

import keeper
import peers_process
import peers_text


class WeeChat(keeper.FileKeeper):
    name, nick = "WeeChat, logger", "weeuser"
    files = "home/logs/irc.example.{room}.weechatlog"
    # WeeChat writes the time, the prefix (a nick, or a symbol for its own lines) and the text, with tabs between them.
    message = re.compile(rb"[0-9: -]+\t[@+]?(?!weeuser)[a-z]+[0-9]*\t")
    line = "2026-01-01 23:59:59\t{nick}\t{text}\n"

    @classmethod
    def version(cls):
        program, environment = peers_process.find("weechat-headless")
        return subprocess.run([program, "--version"], capture_output=True, text=True, env=environment).stdout.strip()

    def prepare(self):
        os.makedirs(self.path("home"))

    def command(self):
        program, environment = peers_process.find("weechat-headless")
        libraries = os.path.join(os.path.dirname(os.path.dirname(program)), "lib")
        plugins = os.path.join(libraries, os.uname().machine + "-linux-gnu", "weechat/plugins")
        commands = [
            f"/plugin load {plugins}/logger.so",
            f"/plugin load {plugins}/irc.so",
            f"/server add example 127.0.0.1/{self.port} -notls -nossl",
            f"/set irc.server.example.nicks {self.nick}",
            f"/set irc.server.example.username {self.nick}",
            f"/set irc.server.example.autojoin {','.join(peers_text.ROOMS)}",
            "/connect example",
        ]
        run = [part for command in commands for part in ("-r", command)]
        return [program, "--no-plugin", "--dir", self.path("home"), *run], environment | {"HOME": self.folder}
