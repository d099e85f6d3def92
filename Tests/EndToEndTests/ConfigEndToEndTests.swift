import Foundation
import Settings
import TestSupport
import Testing

/// `scrollback config` and the questions of `scrollback init`.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct ConfigEndToEndTests {
    private static let networks = KnownNetworks.names.joined(separator: ", ")

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    /// Starts the program on a terminal, in its home.
    private func start(_ scrollback: Program, _ arguments: String...) throws -> Terminal {
        let script = #"cd "$HOME" && exec "$0" "$@""#
        return try scrollback.startOnTerminal(command: ["/bin/sh", "-c", script, Program.path] + arguments)
    }

    @Test func `config path prints the path and the reason for it`() async throws {
        var scrollback = try Program()
        let none = try await scrollback("config", "path")
        #expect(none.status == 1 && none.output.isEmpty && none.errors.contains("[no-configuration]"))
        try scrollback.configure(ports: 1)
        let here = try await scrollback("config", "path")
        #expect(here.output == scrollback.home + "/scrollback.toml\n")
        #expect(here.errors == "found in the current folder\n")
        try scrollback.configure(ports: 1)
        let named = try await scrollback("config", "path", "--config", "scrollback.toml")
        #expect(named.errors == "named by --config\n")
        scrollback.environment["SCROLLBACK_CONFIG"] = scrollback.home + "/scrollback.toml"
        #expect(try await scrollback("config", "path").errors == "named by SCROLLBACK_CONFIG\n")
    }

    @Test func `a named configuration must exist and be readable, even with a named data folder`() async throws {
        let scrollback = try Program()
        try FileManager.default.createDirectory(atPath: scrollback.data, withIntermediateDirectories: true)
        try scrollback.write("data = [\n", to: "broken.toml")
        for command in [["rooms"], ["status", "--check"], ["gaps"], ["stats"], ["archive", "check"]] {
            let missing = try await scrollback.start(
                arguments: command + ["--config", "typo.toml", "--data", scrollback.data]
            ).result()
            #expect(missing.status == 1 && missing.output.isEmpty, "\(command) \(missing)")
            #expect(missing.errors.contains("no configuration at typo.toml; "), "\(command) \(missing)")
        }
        for command in [["status", "--check"], ["status"], ["gaps"]] {
            let broken = try await scrollback.start(
                arguments: command + ["--config", "broken.toml", "--data", scrollback.data]
            ).result()
            #expect(broken.status == 1 && broken.errors.contains("broken.toml"), "\(command) \(broken)")
        }
        let unneeded = try await scrollback("rooms", "--config", "broken.toml", "--data", scrollback.data)
        #expect(unneeded.status == 0, "\(unneeded)")
    }

    @Test func `the shown configuration is valid, has every default and gives the same settings`() async throws {
        let scrollback = try Program()
        try scrollback.write(
            """
            [[account]]
            name = "우리 \\"집\\""
            network = "irc"
            server = "ircs://irc.example.net"
            nick = "archiver"
            rooms = ["#a", "#한국", "#\u{202E}exe.gpj\u{E0041}"]
            sasl = "plain"
            password_file = "secret"
            """, to: "scrollback.toml")
        try scrollback.write("sesame\n", to: "secret")
        chmod(scrollback.home + "/secret", 0o600)
        let shown = try await scrollback("config", "show")
        #expect(shown.status == 0 && shown.errors.isEmpty, "\(shown.errors)")
        #expect(shown.output.contains("data = \"\(scrollback.data)\"  # default\nopen_connections = 64  # default\n"))
        #expect(shown.output.contains("name = \"우리 \\\"집\\\"\"\n"))
        #expect(shown.output.contains(##"rooms = ["#a", "#한국", "#\u202Eexe.gpj\U000E0041"]"##))
        #expect(shown.output.contains("sasl_user = \"archiver\"  # default\n"))
        #expect(shown.output.contains("buffer_bytes = 67108864  # default\n"))
        #expect(!shown.output.contains("sesame"))
        try scrollback.write(shown.output, to: "shown.toml")
        #expect(try await scrollback("config", "check", "--config", "shown.toml").status == 0)
        let again = try await scrollback("config", "show", "--config", "shown.toml", "--data", "x")
        #expect(again.output.contains("data = \"\(scrollback.home)/x\"  # --data\n"))
        #expect(again.output.contains("buffer_bytes = 67108864\n"))
    }

    @Test func `an edited configuration replaces the file and keeps its mode`() async throws {
        var scrollback = try Program()
        try scrollback.configure(ports: 1)
        let path = scrollback.home + "/scrollback.toml"
        chmod(path, 0o600)
        scrollback.environment["EDITOR"] = "sed -i s/archiver/누구/"
        let edited = try await scrollback("config", "edit")
        #expect(edited.status == 0 && edited.errors == "saved configuration scrollback.toml\n", "\(edited.errors)")
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("nick = \"누구\""))
        #expect(try mode(path) == 0o600)
        scrollback.environment["VISUAL"] = "true"
        #expect(try await scrollback("config", "edit").errors == "configuration scrollback.toml is unchanged\n")
        scrollback.environment["VISUAL"] = "false"
        let failed = try await scrollback("config", "edit")
        #expect(failed.status == 1 && failed.errors.contains("ended with status 1; choose another"), "\(failed.errors)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scrollback.home).sorted() == [
                "data", "scrollback.toml",
            ])
    }

    @Test func `mistakes are reported with their lines, and the file stays`() async throws {
        var scrollback = try Program()
        try scrollback.configure(ports: 1)
        let before = try String(contentsOfFile: scrollback.home + "/scrollback.toml", encoding: .utf8)
        scrollback.environment["EDITOR"] = "sed -i s/framing/framng/"
        let edited = try await scrollback("config", "edit")
        #expect(edited.status == 1)
        #expect(edited.errors.contains("scrollback.toml:6: account \"a1\": unknown key \"framng\"; did you mean"))
        let draft = try #require(edited.errors.firstMatch(of: /the draft is (\S+\.toml) \[editor\]/)?.1)
        #expect(try String(contentsOfFile: String(draft), encoding: .utf8).contains("framng"))
        #expect(try String(contentsOfFile: scrollback.home + "/scrollback.toml", encoding: .utf8) == before)
    }

    @Test func `on a terminal, edit offers another try and names the listener to reload`() async throws {
        var scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let listener = try await scrollback.startListener()
        scrollback.environment["EDITOR"] =
            "if grep -q framng \"$@\"; then sed -i s/framng/framing/ \"$@\"; echo >> \"$@\"; else sed -i s/framing/framng/ \"$@\"; fi; true"
        let terminal = try start(scrollback, "config", "edit")
        try await terminal.shows("Edit again? [Y/n]: ")
        try terminal.type("\n")
        try await terminal.shows("to reload it: kill -HUP \(listener.id)")
        #expect(try await terminal.status() == 0)
        #expect(try await listener.stop().status == 0)
    }

    @Test func `config check and listen give the same warnings`() async throws {
        let scrollback = try Program()
        try scrollback.write(
            """
            [[account]]
            name = "libera"
            network = "irc"
            server = "irc://127.0.0.1:1"
            nick = "archiver"
            rooms = ["linux"]
            """, to: "scrollback.toml")
        let words = "has no prefix of a channel"
        let check = try await scrollback("config", "check")
        #expect(check.status == 0 && check.errors.contains(words), "\(check.errors)")
        let listener = try scrollback.start("listen")
        try await eventually("the warning is logged", state: { listener.errors }) { () -> Bool? in
            listener.errors.contains(words) ? true : nil
        }
        #expect(try await listener.stop().status == 0)
    }

    @Test func `init asks on a terminal, hides the password, and writes files with mode 600`() async throws {
        let scrollback = try Program()
        let terminal = try start(scrollback, "init")
        try await terminal.shows("Network (\(Self.networks)): ")
        try terminal.type("icq\n")
        try await terminal.shows("expected \(Self.networks)")
        try terminal.type("irc\n")
        try await terminal.shows("Your name for the account [chat]: ")
        try terminal.type("libera\n")
        try await terminal.shows("Server (ircs://HOST or ircs://HOST:PORT): ")
        try terminal.type("irc.example.net\n")
        try await terminal.shows("expected ircs://HOST or ircs://HOST:PORT, found \"irc.example.net\"")
        try terminal.type("ircs://irc.example.net\n")
        try await terminal.shows("Nick: ")
        try terminal.type("archiver\n")
        try await terminal.shows("Channels, with spaces between them (*: all that your bouncer is in): ")
        try terminal.type("swift #한국\n")
        try await terminal.shows("swift: did you mean #swift? [Y/n]: ")
        try terminal.type("\n")
        try await terminal.shows("Choose f, e or n [n]: ")
        try terminal.type("f\n")
        try await terminal.shows("(not shown): ")
        try terminal.type("sesamX\u{7F}e\n")
        try await terminal.shows("[scrollback.toml]: ")
        try terminal.type("~/nowhere/scrollback.toml\n")
        try await terminal.shows("/nowhere; create it, or choose another")
        try terminal.type("\n")
        try await terminal.shows("next: scrollback config check; scrollback listen")
        #expect(try await terminal.status() == 0)
        #expect(!terminal.text.contains("sesam"))
        #expect(terminal.isCooked)
        #expect(try String(contentsOfFile: scrollback.home + "/libera.password", encoding: .utf8) == "sesame\n")
        #expect(try mode(scrollback.home + "/libera.password") == 0o600)
        #expect(try mode(scrollback.home + "/scrollback.toml") == 0o600)
        let text = try String(contentsOfFile: scrollback.home + "/scrollback.toml", encoding: .utf8)
        #expect(text.contains("\nrooms = [\"#swift\", \"#한국\"]\n") && text.contains("\nsasl = \"plain\"\n"))
        let check = try await scrollback("config", "check")
        #expect(check.status == 0, "\(check.errors)")
    }

    @Test(arguments: [("ircs://bnc.example.net", "y"), ("ircs://irc.example.net", "*")])
    func `init sets join for a bouncer, and explains what playback needs`(server: String, answer: String) async throws {
        let scrollback = try Program()
        let terminal = try start(scrollback, "init", "irc")
        for text in ["", server, "archiver", answer] { try terminal.type(text + "\n") }
        try await terminal.shows("/msg *controlpanel Set AutoClearChanBuffer $me false")
        try await terminal.shows("Password of the bouncer")
        for text in ["e", "BOUNCER_PASSWORD", "n", ""] { try terminal.type(text + "\n") }
        try await terminal.shows("next: scrollback config check; scrollback listen")
        #expect(try await terminal.status() == 0)
        let text = try String(contentsOfFile: scrollback.home + "/scrollback.toml", encoding: .utf8)
        #expect(text.contains("\nrooms = []\njoin = \"*\"\n"))
        #expect(text.contains("\nserver_password_env = \"BOUNCER_PASSWORD\"\n"))
    }

    @Test(arguments: [("soju", "USER/NETWORK:PASSWORD"), ("bip", "USER:PASSWORD:CONNECTION")])
    func `init mentions ZNC only for ZNC`(bouncer: String, form: String) async throws {
        let scrollback = try Program()
        let terminal = try start(scrollback, "init", "irc")
        for text in ["", "ircs://\(bouncer).example.net", "archiver", "y"] { try terminal.type(text + "\n") }
        try await terminal.shows("The password of \(bouncer) has the form \(form).")
        try await terminal.shows("Password of the bouncer: where is it kept?")
        try await terminal.shows("Choose f, e or n [n]")
        #expect(!terminal.text.contains("ZNC") && !terminal.text.contains("controlpanel"), "\(terminal.text)")
    }

    @Test func `init can be cancelled at any question and overwrites nothing`() async throws {
        let scrollback = try Program()
        let hidden = try start(scrollback, "init", "slp")
        for answer in ["", "https://chat.example.net", "alice@example.net", "e", "PASSWORD", "f"] {
            try hidden.type(answer + "\n")
        }
        try await hidden.shows("(not shown): ")
        try hidden.type("sec\u{3}")
        try await hidden.shows("nothing was written")
        #expect(try await hidden.status() == 1)
        #expect(hidden.isCooked)
        try scrollback.write("mine", to: "scrollback.toml")
        let terminal = try start(scrollback, "init", "streamchat")
        for answer in ["", "tcp://127.0.0.1:5080", "archiver", "교실", "", "other.toml"] {
            try terminal.type(answer + "\n")
        }
        try await terminal.shows("scrollback.toml exists; choose another")
        try await terminal.shows("next: scrollback config check --config other.toml")
        #expect(try await terminal.status() == 0)
        #expect(try String(contentsOfFile: scrollback.home + "/scrollback.toml", encoding: .utf8) == "mine")
        #expect(try await scrollback("config", "check", "--config", "other.toml").status == 0)
        let piped = try await scrollback("init")
        #expect(
            piped.status == 64
                && piped.errors.contains("name a network: \(Self.networks)\nUsage: scrollback init ")
        )
    }
}
