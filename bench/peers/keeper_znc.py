"""ZNC with its module log."""

import os
import re
import shutil
import subprocess

import keeper
import peers_process
import peers_text
import soak_servers

CONFIGURATION = """
Version = {version}
<Listener l>
    Port = {port}
    Host = 127.0.0.1
    IPv4 = true
    IPv6 = false
    SSL = false
</Listener>
<User {nick}>
    Pass = plain#secret
    Nick = {nick}
    AltNick = {nick}_
    Ident = {nick}
    RealName = {nick}
    LoadModule = log
    <Network example>
        Server = 127.0.0.1 {server}
{rooms}
    </Network>
</User>
"""


class ZNC(keeper.FileKeeper):
    name, nick = "ZNC, log module", "zncuser"
    files = "users/zncuser/moddata/log/example/{room}/*.log"
    message = re.compile(rb"\[[0-9:]+\] <")
    line = "[23:59:59] <{nick}> {text}\n"

    @classmethod
    def version(cls):
        program, environment = peers_process.find("znc")
        answer = subprocess.run([program, "--version"], capture_output=True, text=True, env=environment)
        return answer.stdout.split(" - ")[0].removeprefix("ZNC ").strip()

    def prepare(self):
        program, _ = peers_process.find("znc")
        rooms = "\n".join(f"        <Chan {room}>\n        </Chan>" for room in peers_text.ROOMS)
        self.write(
            "configs/znc.conf",
            CONFIGURATION.format(
                version=self.version().split("+")[0], port=soak_servers.free_port(), server=self.port, nick=self.nick, rooms=rooms
            ),
        )
        # ZNC looks for modules in Debian's folder and here.
        os.symlink(os.path.join(os.path.dirname(os.path.dirname(program)), "lib/znc"), self.path("modules"))

    def command(self):
        program, environment = peers_process.find("znc")
        # ZNC waits 30 s before it starts as root, so it gets a user namespace, in which it is the user nobody.
        other_user = [shutil.which("unshare"), "--user"] if os.getuid() == 0 else []
        return [*other_user, program, "--foreground", "--datadir", self.folder], environment
