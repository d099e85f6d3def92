import Archive
import ChatModel
import Foundation
import Moves
import Sessions
import StreamChatWire
import TestSupport
import Testing

@testable import Rendering
@testable import Settings

struct ConfigurationTests {
    private let account = """
        [[account]]
        name = "classroom"
        network = "streamchat"
        server = "tcp://127.0.0.1:5080"
        nick = "archiver"

        """

    private func read(_ text: String, path: String = "etc/scrollback.toml") throws -> Configuration {
        try Configuration(ConfigurationFile.parse(text, path: path), home: "/home/alice")
    }

    private func problems(_ text: String) throws -> [String] {
        let error = try #require(throws: ConfigurationError.self) { try read(text) }
        return error.lines.split(separator: "\n").map { String($0.dropFirst("etc/scrollback.toml".count)) }
    }

    @Test func `an account needs four keys, and the others have defaults`() throws {
        let configuration = try read(account)
        #expect(configuration.dataFolder == nil)
        let only = try #require(configuration.accounts.first)
        #expect(only.identity == AccountIdentity(name: "classroom", network: "streamchat"))
        guard let settings = only.network as? StreamChatSettings else { return }
        #expect(settings.server.host == "127.0.0.1")
        #expect(settings.server.port == 5080)
        #expect(settings.nick == "archiver")
        #expect(settings.room == "lobby")
        #expect(settings.framing == .chunk)
        #expect(settings.revision == .august2021)
        #expect(settings.continuation == .milliseconds(30))
        #expect(settings.maximumUnitBytes == 65_536)
        #expect(settings.signOfLifeInterval == .seconds(10))
        #expect(settings.bufferBytes == 4_194_304)
    }

    @Test func `limits of plain files are read, and invalid ones reported`() throws {
        let limits = try read("hot_accounts = 100\nhot_bytes = \"20GB\"\ncold_level = 19\n" + account).hot
        #expect(limits == HotLimits(accounts: 100, bytes: 20_000_000_000, level: 19))
        #expect(try read(account).hot == HotLimits())
        #expect(
            try problems("hot_accounts = 0\nhot_bytes = \"20\"\ncold_level = 20\n" + account) == [
                ":1: hot_accounts: expected 1 to 1000000, found 0",
                ":2: hot_bytes: expected a number with kB, MB, GB or TB such as \"500MB\", found \"20\"",
                ":3: cold_level: expected 1 to 19, found 20",
            ])
    }

    @Test func `every key is read`() throws {
        let configuration = try read(
            """
            data = "archive"
            \(account)room = "교실"
            framing = "end"
            revision = "2021-04"
            continuation_ms = 0
            max_unit_bytes = 2048
            sign_of_life_seconds = 1
            buffer_bytes = 65536
            """)
        #expect(configuration.dataFolder == "etc/archive")
        let settings = try #require(configuration.accounts.first?.network as? StreamChatSettings)
        #expect(settings.room == "교실")
        #expect(settings.framing == .end)
        #expect(settings.revision == .april2021)
        #expect(settings.continuation == .zero)
    }

    @Test func `names of bots apply to the accounts of the configuration's archive`() throws {
        let folder = try TemporaryFolder()
        let (data, file) = (folder.path + "/data", folder.path + "/scrollback.toml")
        let text = "data = \"data\"\n\(account)bots = [\"ChanServ\", \"relay\"]\n"
        #expect(try read(text).accounts.first?.bots == ["ChanServ", "relay"])
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        let search = FolderSearch(config: file, environment: [:])
        #expect(search.bots(of: Archive(folder: data).reading()) == ["classroom": ["ChanServ", "relay"]])
        #expect(search.bots(of: Archive(folder: folder.path + "/other").reading()).isEmpty)
        try "data = \"data\"\nbots = [\"방장봇\", \"classroom/helper\"]\n\(text.dropFirst(14))"
            .write(toFile: file, atomically: true, encoding: .utf8)
        var hidden: HiddenMessages = [.bots]
        hidden.bots = search.bots(of: Archive(folder: data).reading())
        #expect(hidden.bots(of: "classroom") == ["ChanServ", "relay", "helper", "방장봇", "classroom/helper"])
        #expect(hidden.bots(of: "kakaotalk") == ["방장봇", "classroom/helper"])
        #expect(try problems("\(account)bots = \"ChanServ\"").first?.contains("bots: expected a list") == true)
    }

    @Test(arguments: [
        ("scrollback.toml", "archive", "archive"), ("etc/scrollback.toml", "archive", "etc/archive"),
        ("/etc/scrollback.toml", "../archive", "/etc/../archive"), ("etc/x.toml", "/srv/a", "/srv/a"),
        ("etc/x.toml", "~/a", "/home/alice/a"),
    ])
    func `the data folder is relative to the file`(path: String, data: String, folder: String) throws {
        #expect(try read("data = \"\(data)\"\n" + account, path: path).dataFolder == folder)
    }

    @Test func `all mistakes are reported at once, each with its key's path`() throws {
        let all = KnownNetworks.names.map { "\"\($0)\"" }.joined(separator: ", ")
        let found = try problems(
            """
            data = 5
            dta = "x"
            [[account]]
            name = "a"
            network = "streamchat"
            server = "irc://host:1"
            nick = "longer than ten"
            framng = "lf"
            framing = "LF"
            revision = "2022"
            continuation_ms = 5000
            max_unit_bytes = "x"
            [[account]]
            name = "a"
            network = "streamchta"
            [[account]]
            """)
        #expect(
            found == [
                #":1: data: expected a string, found an integer (5)"#,
                #":2: unknown key "dta"; did you mean "data"?"#,
                #":6: account "a": server: expected tcp://HOST:PORT, found "irc://host:1""#,
                #":7: account "a": nick: expected 1 to 10 characters without "::" or control characters, found "longer than ten""#,
                #":8: account "a": unknown key "framng"; did you mean "framing"?"#,
                #":9: account "a": framing: expected one of "chunk", "lf", "nul", "end", found "LF""#,
                #":10: account "a": revision: expected one of "2021-04", "2021-08", found "2022""#,
                #":11: account "a": continuation_ms: expected 0 to 1000, found 5000"#,
                #":12: account "a": max_unit_bytes: expected an integer, found a string ("x")"#,
                #":14: account "a": name: expected a unique name, found "a" again"#,
                #":15: account "a": network: expected one of \#(all), found "streamchta" (did you mean "streamchat"?)"#,
                #":16: account 3: missing key "name"; expected a name of your choice"#,
                #":16: account 3: missing key "network"; expected one of \#(all)"#,
            ])
    }

    @Test func `a file without an end is refused at the limit of its size`() throws {
        let error = try #require(throws: ConfigurationError.self) { try ConfigurationFile.read("/dev/zero") }
        #expect(error.description.contains("more than the limit of 1048576 bytes"), "\(error.description)")
    }

    @Test(arguments: [
        ("data = \"a\"\nx = = 1", ":2:5:"), ("[[account]\n", ":1:11:"), ("a = 1\na = 2", ":2:"),
        ("a = \"x\u{0}\"", ":1:7:"), ("[= \"a\"", ":1:2:"), ("a = 1\n  [.b]", ":2:4:"), ("[\n]", ":1:2:"),
        ("[[ #a", ":1:4:"), ("[[[a]]]", ":1:3:"), ("\u{FEFF}[#]", ":1:2:"), ("a = 1979-05-27Tx", ":1:5:"),
        ("a = [1, 1979-05-27 7]", ":1:21:"), ("a = { b = 1979-05-27T }", ":1:11:"),
        ("a = [ } ]", ":1:7:"), ("a = [1, \u{2028}", ":1:9:"),
    ])
    func `a syntax error names its line and column`(text: String, place: String) throws {
        let found = try problems(text)
        #expect(found.count == 1)
        #expect(found[0].hasPrefix(place), "\(found)")
    }

    @Test(arguments: [
        "a = [\n[ # one\n1],\n[\n2]]\nb = \"\"\"\n[=\"\"\"\n", "a = +1_000\nb = -0.5e-3\nc = [0x1F, 0o17, 0b1, +inf]",
        "a = 1979-05-27\nb = 07:32:00.5\nc = 1979-05-27T07:32:00Z # d\ne = 1979-05-27 07:32:00-07:00\n",
        "a = 1979-05-27 # b\nc = { 1x = 2, 3-4.5 = 6 }",
    ])
    func `a configuration can use all of TOML`(text: String) throws {
        _ = try ConfigurationFile.parse(text, path: "a.toml")
    }

    @Test(arguments: ["", "account = []", "[account]\nname = \"x\"", "account = 5", "account = [1]"])
    func `a configuration without accounts is an error`(text: String) throws {
        #expect(try problems(text).contains { $0.contains("[[account]]") })
    }

    @Test(arguments: ["a::b", "", "elevenchars", "a\\nb", "😀😀😀😀😀😀😀😀😀😀😀", "a::\\u0301"])
    func `a nick that the protocol can't carry is refused`(nick: String) throws {
        let text = account.replacing("\"archiver\"", with: "\"\(nick)\"")
        #expect(try problems(text).contains { $0.hasPrefix(":5: account \"classroom\": nick: expected") })
    }

    @Test(arguments: [
        ("tcp://[::1]:5080", "::1", 5080), ("tcp://chat.example.net:1", "chat.example.net", 1),
        ("tcp://localhost:65535/", "localhost", 65_535),
    ])
    func `a server is a host and a port`(text: String, host: String, port: Int) throws {
        let address = try #require(ServerAddress(text))
        #expect(address.host == host)
        #expect(address.port == port)
    }

    @Test(arguments: [("forever", nil), ("1h", 3600), ("90d", 7_776_000), ("4w", 2_419_200)])
    func `raw payloads are kept forever or for a time`(text: String, seconds: Int?) throws {
        let read = try read(account + "\nraw_keep = \"\(text)\"")
        #expect(read.accounts[0].retention.rules.rawRule?.age == seconds.map { .seconds($0) })
    }

    @Test func `an account names its owner, and an empty name is refused`() throws {
        #expect(try read(account + "\nme = [\"alice\", \"민수\"]").accounts[0].me == ["alice", "민수"])
        #expect(try read(account).accounts[0].me == [])
        let found = try problems(account + "\nme = [\" \"]")
        #expect(found.count == 1 && found[0].hasPrefix(":7: account \"classroom\": me: expected names and ids"))
    }

    @Test(arguments: ["0h", "90", "d", "-1d", "90 d", "1y", "9999999h", ""])
    func `an invalid duration for raw payloads is refused`(text: String) throws {
        let found = try problems(account + "\nraw_keep = \"\(text)\"")
        #expect(
            found.count == 1
                && found[0].hasPrefix(":7: account \"classroom\": raw_keep: expected \"forever\", or a time"))
    }

    @Test(arguments: ["tcp://x", "tcp://x:0", "tcp://x:65536", "x:1", "tcp://::1:5", "tcp://a@b:1", "tcp://:1", ""])
    func `an invalid server is refused`(text: String) {
        #expect(ServerAddress(text) == nil)
    }

    @Test func `a printed configuration is valid when its blanks are filled`() throws {
        let template = try #require(KnownNetworks.template(network: "streamchat"))
        #expect(try problems(template).count == 2)
        let filled = template.replacing("server = \"\"", with: "server = \"tcp://127.0.0.1:5080\"")
            .replacing("nick = \"\"", with: "nick = \"archiver\"")
        #expect(try read(filled).accounts.count == 1)
        var uncommented = try read(filled.replacing(/# ([a-z_]+ = )/) { "\($0.1)" })
        #expect(uncommented.dataFolder?.hasSuffix("/.local/share/scrollback") == true)
        uncommented.dataFolder = nil
        #expect(try uncommented == read(filled))
        #expect(KnownNetworks.template(network: "nothing") == nil)
    }

    @Test(arguments: [
        ("irc", ["server", "nick", "rooms"]), ("matrix", ["server", "user"]),
        ("slp", ["server", "email", "app_key_file"]),
        ("streamchat", ["server", "nick"]),
    ])
    func `all keys that an account lacks are reported at once`(network: String, keys: [String]) throws {
        let found = try problems("[[account]]\nname = \"a\"\nnetwork = \"\(network)\"\n")
        #expect(found.map { $0.replacing(/.*missing key "([a-z_]+)".*/) { $0.1 } } == keys, "\(found)")
    }

    @Test func `the blanks of a template are reported at once`() throws {
        let found = try problems(try #require(KnownNetworks.template(network: "irc")))
        #expect(found.count == 3, "\(found)")
    }

    private let workspace = """
        [[account]]
        name = "work"
        network = "slp"
        server = "https://chat.example.net"
        email = "alice@example.net"
        app_key_env = "PATH"

        """

    @Test(arguments: [
        ("", AttachmentSettings.Fetched.none, 20_000_000), ("attachments = \"all\"", .all, 20_000_000),
        ("attachment_size_limit = \"500kB\"", .none, 500_000),
    ])
    func `the configuration decides which files are fetched`(
        text: String, attachments: AttachmentSettings.Fetched, limit: Int64
    ) throws {
        let settings = try #require(read(workspace + text).accounts.first?.network as? SLPSettings)
        #expect(settings.files.fetched == attachments)
        #expect(settings.files.sizeLimit == limit)
    }

    @Test func `invalid settings of files are reported`() throws {
        #expect(
            try problems(workspace + "attachments = \"some\"\nattachment_size_limit = \"20\"") == [
                #":7: account "work": attachments: expected one of "none", "all", found "some""#,
                #":8: account "work": attachment_size_limit: expected a number with kB, MB, GB or TB such as "500MB", found "20""#,
            ])
    }

    @Test func `the documentation has every key of a workspace's account`() throws {
        let documentation = try document("docs/configuration.md")
        let root = try ConfigurationFile.parse(workspace, path: "").table
        var reader = TableReader(root)
        var tables = reader.tables("account")
        var names: Set<String> = []
        _ = AccountConfiguration(&tables[0], names: &names)
        #expect(tables[0].keys.contains("attachments"))
        for key in tables[0].keys { #expect(documentation.contains("`\(key)`"), "\(key)") }
    }

    @Test func `the documentation and the template have every key`() throws {
        let documentation = try document("docs/configuration.md")
        let template = try #require(KnownNetworks.template(network: "streamchat"))
        var root = TableReader(try ConfigurationFile.parse(account, path: "").table)
        _ = root.string("data")
        var tables = root.tables("account")
        var names: Set<String> = []
        _ = AccountConfiguration(&tables[0], names: &names)
        #expect(tables[0].keys.count == 16)
        for key in root.keys + tables[0].keys {
            #expect(documentation.contains("| `\(key)` |"), "\(key)")
            #expect(
                template.contains("\(key) =") || template.contains("[[\(key)]]")
                    || template.contains("[[account.\(key)]]"), "\(key)")
        }
    }

    @Test func `the documentation and the template have every key of slp`() throws {
        let documentation = try document("docs/configuration.md")
        let template = try #require(KnownNetworks.template(network: "slp"))
        var table = TableReader(try ConfigurationFile.parse("", path: "").table)
        _ = SLPSettings(&table)
        for key in table.keys {
            #expect(documentation.contains("`\(key)`"), "\(key)")
            #expect(template.contains(key) || key == "allow_plaintext", "\(key)")
        }
        #expect(table.keys.contains("ca_file"))
    }

    @Test func `unreadable authorities are reported`() async throws {
        try await withTemporaryFolder { folder in
            let account = """
                [[account]]
                name = "work"
                network = "slp"
                server = "https://chat.example.net"
                email = "a@example.net"
                app_key_file = "key"
                ca_file = "우리.pem"
                """
            try "k".write(toFile: folder + "/key", atomically: false, encoding: .utf8)
            chmod(folder + "/key", 0o600)
            func problem(_ content: String?) throws -> String {
                try content?.write(toFile: folder + "/우리.pem", atomically: false, encoding: .utf8)
                do {
                    let file = try ConfigurationFile.parse(account, path: folder + "/x.toml")
                    _ = try Configuration(checked: file, home: "/home/alice")
                    return ""
                } catch {
                    return error.description
                }
            }
            let path = "\"\(folder)/우리.pem\""
            let absent = try problem(nil)
            #expect(
                absent.hasSuffix(
                    ":7: account \"work\": ca_file: expected a readable file, found \(path), which does not exist"))
            for content in ["", "-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----\n", "안녕"] {
                let text = try problem(content)
                #expect(
                    text.contains("expected certificates in PEM (-----BEGIN CERTIFICATE-----), found \(path), which"))
            }
        }
    }

    @Test func `a hostile file name or value is escaped`() throws {
        let error = try #require(throws: ConfigurationError.self) { try read("\"\\u001B[2J\" = 1", path: "\u{1B}") }
        #expect(!error.description.unicodeScalars.contains { $0 != "\n" && Sanitizer.isHostile($0) })
    }
}
