"""The IRC bots and bouncers: how each is configured, started and ended, and what it does not log."""

import os
import time

import programs
import script
from irc_clients import Client
from programs import Process, environment


class ZNC(Client):
    program = "znc"

    def start(self, path, root, folder, port):
        channels = "".join(f"<Chan {room}>\n</Chan>\n" for room in (script.ROOM, script.KOREAN))
        self.write(f"{folder}/znc/configs/znc.conf", f"""
Version = 1.8.2
AnonIPLimit = 100
ServerThrottle = 1
ConnectDelay = 1
<Listener l>
    Port = {programs.free_port()}
    Host = 127.0.0.1
    IPv4 = true
    IPv6 = false
    SSL = false
</Listener>
<User me>
    Pass = plain#secret
    Nick = {self.nick}
    AltNick = {self.nick}_
    Ident = me
    RealName = me
    LoadModule = log
    <Network testnet>
        Server = 127.0.0.1 {port}
        {channels}
    </Network>
</User>
""")
        # znc looks for modules in Debian's folder and here.
        os.symlink(f"{root}/usr/lib/znc", f"{folder}/znc/modules")
        command = [path, "--foreground", "--datadir", f"{folder}/znc"]
        return Process(programs.without_root(command), environment(root, folder), folder)

    def log_path(self, folder):
        return f"{folder}/znc/users/me/moddata/log"


class Bip(Client):
    program = "bip"
    # bip writes notices like messages.
    lacks = frozenset({"notice"})

    def start(self, path, root, folder, port):
        channels = "".join(f'channel {{ name = "{room}"; }};' for room in (script.ROOM, script.KOREAN))
        self.write(f"{folder}/bip.conf", f"""
            ip = "127.0.0.1"; port = {programs.free_port()}; client_side_ssl = false;
            log = true; log_root = "{folder}/logs/"; log_system = false; log_sync_interval = 1; log_level = 1;
            pid_file = "{folder}/bip.pid";
            network {{ name = "testnet"; server {{ host = "127.0.0.1"; port = {port}; }}; }};
            user {{
              name = "me"; password = "4fd7ab8c5cb6f0ffc8d035363c07924ee679ed76"; default_nick = "{self.nick}";
              default_user = "me"; default_realname = "me"; backlog = true;
              connection {{ name = "testnet"; network = "testnet"; {channels} }};
            }};
        """)
        os.makedirs(f"{folder}/logs")
        return Process([path, "-n", "-f", f"{folder}/bip.conf"], environment(root, folder), folder)


class Eggdrop(Client):
    program, farewell = "eggdrop", ".die\n"
    # `Last message repeated 1 time(s).`; the bot joins the second room late, and logs no events until it knows who is there.
    lacks = frozenset({"repeated", "korean join", "korean leave", "korean rename"})

    def start(self, path, root, folder, port):
        os.makedirs(f"{folder}/logs")
        modules = "".join(f"loadmodule {name}\n" for name in ("blowfish", "channels", "server", "irc"))
        channels = "".join(
            f'channel add {room}\nlogfile jkmp {room} "logs/{room}.log"\n' for room in (script.ROOM, script.KOREAN)
        )
        self.write(f"{folder}/eggdrop.conf", f"""
set nick {self.nick}
set altnick {self.nick}_
set username me
set realname me
set owner "me"
set userfile "{folder}/me.user"
set chanfile "{folder}/me.chan"
set pidfile "{folder}/eggdrop.pid"
set mod-path "{root}/usr/lib/eggdrop/modules/"
set help-path "{root}/usr/share/eggdrop/help/"
set text-path "{root}/usr/share/eggdrop/text/"
set temp-path "{folder}"
set log-time 1
set timestamp-format {{[%H:%M:%S]}}
set keep-all-logs 1
set logfile-suffix ".%d%b%Y"
set quick-logs 1
{modules}
set net-type 5
set keep-nick 0
set servers {{ 127.0.0.1:{port} }}
{channels}
""")
        command = [path, "-nt", "-m", f"{folder}/eggdrop.conf"]
        command = programs.without_root(command)
        process = Process(command, environment(root, folder, EGG_LANGDIR=f"{root}/usr/share/eggdrop/language"), folder)
        programs.wait_until(lambda: b"party line" in process.output, "eggdrop's console")
        process.type(f".jump 127.0.0.1 {port}\n")
        self.process = process
        return process

    def wait_for_end(self, folder):
        # It keeps its logs in memory until a minute is over, or it ends.
        programs.wait_until(lambda: b"a direct word" in self.process.output, "the direct message")
        time.sleep(1)

    def log_path(self, folder):
        return f"{folder}/logs"


class Limnoria(Client):
    program = "supybot"
    name = "limnoria"
    # The bot logs no notices and no conversations of two.
    lacks = frozenset({"direct"})

    def start(self, path, root, folder, port):
        # The file is read as ASCII with escapes.
        rooms = f"{script.ROOM} {script.KOREAN}".encode("unicode_escape").decode()
        self.write(f"{folder}/bot.conf", f"""
supybot.nick: {self.nick}
supybot.user: me
supybot.networks: testnet
supybot.networks.testnet.servers: 127.0.0.1:{port}
supybot.networks.testnet.channels: {rooms}
supybot.networks.testnet.ssl: False
supybot.plugins: ChannelLogger
supybot.plugins.ChannelLogger: True
supybot.plugins.ChannelLogger.flushImmediately: True
supybot.directories.conf: {folder}/conf
supybot.directories.data: {folder}/data
supybot.directories.log: {folder}/logs
supybot.directories.backup: {folder}/backup
supybot.directories.plugins: {folder}/plugins
supybot.log.stdout: True
""")
        python = f"{root}/usr/lib/python3/dist-packages" if root else ""
        return Process(
            [path, "--allow-root", f"{folder}/bot.conf"], environment(root, folder, PYTHONPATH=python), folder)

    def log_path(self, folder):
        return f"{folder}/logs/ChannelLogger"


ALL = [ZNC(), Bip(), Eggdrop(), Limnoria()]
