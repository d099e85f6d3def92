"""The IRC clients, bots and bouncers: how each is configured, started and ended, and what it does not log."""

import os
import time

import programs
import script
from irc_people import People
from programs import Process, environment, find


class Client:
    """`lacks` names what the log of the client does not have, by `script.topics`."""

    program, nick, lacks, may_skip_files = "", "client", frozenset(), False
    # What is typed to end it; None for a signal.
    farewell, tunnel = None, None

    @property
    def name(self):
        return self.program

    def log_path(self, folder):
        return os.path.join(folder, "logs")

    def has_logged(self, folder, words):
        """True if any file below the logs has the words."""
        for place, _, names in os.walk(self.log_path(folder)):
            for name in names:
                path = os.path.join(place, name)
                if os.path.isfile(path):
                    with open(path, "rb") as file:
                        if words.encode() in file.read():
                            return True
        return False

    def write(self, path, text, mode=0o600):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, mode)

    def run(self, folder):
        path, root = find(self.program)
        people = People(folder, script.ROOM, script.KOREAN)
        process = None
        try:
            process = self.start(path, root, folder, people.port)
            people.wait_for_client(self.nick)
            said = script.irc(people, self.nick)
            self.wait_for_end(folder)
            return said
        except programs.CannotRun as reason:
            output = process.output.decode(errors="replace")[-500:] if process else ""
            raise programs.CannotRun(f"{reason} {output!r}") from None
        finally:
            if process:
                process.end(self.farewell)
            if self.tunnel:
                self.tunnel.end()
            people.end()

    def start(self, path, root, folder, port):
        raise NotImplementedError

    def wait_for_end(self, folder):
        programs.wait_until(lambda: self.has_logged(folder, "the end"), f"{self.program}'s log of the last message")


class Irssi(Client):
    program, farewell = "irssi", "/quit\r"

    def start(self, path, root, folder, port):
        channels = "".join(
            f'{{ name = "{room}"; chatnet = "testnet"; autojoin = "yes"; }},' for room in (script.ROOM, script.KOREAN)
        )
        self.write(f"{folder}/home/config", f"""
            servers = ( {{ address = "127.0.0.1"; chatnet = "testnet"; port = "{port}"; autoconnect = "yes"; }} );
            chatnets = {{ testnet = {{ type = "IRC"; }}; }};
            channels = ( {channels} );
            settings = {{
              core = {{ real_name = "c"; user_name = "c"; nick = "{self.nick}"; }};
              "fe-common/core" = {{ autolog = "yes"; autolog_path = "{folder}/logs/$tag/$0.log"; }};
            }};
        """)
        return Process([path, f"--home={folder}/home"], environment(root, folder), folder)

    def wait_for_end(self, folder):
        # irssi writes modes some seconds later, to merge them.
        super().wait_for_end(folder)
        programs.wait_until(lambda: self.has_logged(folder, "+v bobby"), "irssi's log of the mode")


class WeeChat(Client):
    program = "weechat-headless"
    name = "weechat"

    def start(self, path, root, folder, port):
        commands = [
            f"/server add testnet 127.0.0.1/{port}", f"/set irc.server.testnet.nicks {self.nick}",
            f'/set irc.server.testnet.autojoin "{script.ROOM},{script.KOREAN}"',
            f"/set logger.file.path {folder}/logs", "/set logger.file.flush_delay 0", "/connect testnet",
        ]
        more = {"WEECHAT_EXTRA_LIBDIR": f"{root}/usr/lib/{programs.MACHINE}/weechat"} if root else {}
        words = [word for command in commands for word in ("-r", command)]
        return Process([path, "-d", f"{folder}/home", *words], environment(root, folder, **more), folder)


class II(Client):
    program = "ii"
    # Quits and new nicks are only in the server's file, a part has no reason, a notice to a room has no sender.
    lacks = frozenset({"rename", "leave", "notice"})

    def start(self, path, root, folder, port):
        self.port = port
        command = [path, "-s", "127.0.0.1", "-p", str(port), "-n", self.nick, "-i", f"{folder}/logs"]
        process = Process(command, environment(root, folder), folder)
        fifo = f"{folder}/logs/127.0.0.1/in"
        programs.wait_until(lambda: os.path.exists(fifo), "ii's pipe")
        programs.wait_until(lambda: self.has_logged(folder, "hello"), "the server's greeting")
        with open(fifo, "w") as pipe:
            pipe.write(f"/j {script.ROOM}\n")
            pipe.flush()
            time.sleep(0.2)
            pipe.write(f"/j {script.KOREAN}\n")
        return process


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
        # As root, znc waits for 30 s.
        command = ["unshare", "--user", *command] if os.getuid() == 0 else command
        return Process(command, environment(root, folder), folder)

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


class Catgirl(Client):
    program = "catgirl"

    def start(self, path, root, folder, port):
        # catgirl speaks only TLS.
        self.tunnel = programs.TLSTunnel(folder, port)
        os.makedirs(f"{folder}/.local/share/catgirl")
        command = [path, "-!", "-l", "-h", "127.0.0.1", "-p", str(self.tunnel.port), "-n", self.nick]
        return Process([*command, "-j", f"{script.ROOM},{script.KOREAN}"], environment(root, folder), folder)

    def log_path(self, folder):
        return f"{folder}/.local/share/catgirl/log"


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
        # eggdrop refuses to run as root.
        command = [path, "-nt", "-m", f"{folder}/eggdrop.conf"]
        command = ["unshare", "--user", *command] if os.getuid() == 0 else command
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


class Finch(Client):
    program = "finch"
    lacks = frozenset({"notice"})

    def start(self, path, root, folder, port):
        account = f"{self.nick}@127.0.0.1"
        self.write(f"{folder}/purple/accounts.xml", f"""<?xml version='1.0' encoding='UTF-8' ?>
<account version='1.0'><account><protocol>prpl-irc</protocol><name>{account}</name><settings>
<setting name='port' type='int'>{port}</setting><setting name='username' type='string'>me</setting>
</settings><settings ui='gnt-purple'><setting name='auto-login' type='bool'>1</setting></settings></account></account>
""")
        chats = "".join(
            f"<chat proto='prpl-irc' account='{account}'><component name='channel'>{room}</component>"
            "<setting name='gnt-autojoin' type='bool'>1</setting></chat>" for room in (script.ROOM, script.KOREAN)
        )
        self.write(f"{folder}/purple/blist.xml", f"""<?xml version='1.0' encoding='UTF-8' ?>
<purple version='1.0'><blist><group name='Chats'>{chats}</group></blist></purple>
""")
        self.write(f"{folder}/purple/prefs.xml", """<?xml version='1.0' encoding='UTF-8' ?>
<pref version='1' name='/'><pref name='purple'><pref name='logging'><pref name='log_ims' type='bool' value='1'/>
<pref name='log_chats' type='bool' value='1'/><pref name='format' type='string' value='txt'/></pref></pref></pref>
""")
        # finch looks for protocols in Debian's folder and here.
        os.makedirs(f"{folder}/purple/plugins")
        plugin = f"usr/lib/{programs.MACHINE}/purple-2/libirc.so"
        if root:
            os.symlink(f"{root}/{plugin}", f"{folder}/purple/plugins/libirc.so")
        return Process([path, "-c", f"{folder}/purple"], environment(root, folder), folder)

    def log_path(self, folder):
        return f"{folder}/purple/logs"


ALL = [Irssi(), WeeChat(), II(), ZNC(), Bip(), Catgirl(), Eggdrop(), Limnoria(), Finch()]
