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

/// Mistakes in a configuration, which are reported with their places.
struct ConfigurationMistakeTests: ConfigurationSuite {
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

    @Test(arguments: ["", "\nrooms = []"])
    func `an empty list of rooms is not called a missing key`(rooms: String) throws {
        let found = try problems(
            "[[account]]\nname = \"a\"\nnetwork = \"xmpp\"\njid = \"me@example.org\"\npassword_env = \"NONE\"" + rooms)
        let problem = try #require(found.first { $0.contains("rooms to join") })
        #expect(
            rooms.isEmpty
                ? problem.contains("missing key \"rooms\"")
                : problem.hasPrefix(":6: account \"a\": rooms: expected") && problem.hasSuffix("found an empty list"))
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

    @Test(arguments: ["", "account = []", "[account]\nname = \"x\"", "account = 5", "account = [1]"])
    func `a configuration without accounts is an error`(text: String) throws {
        #expect(try problems(text).contains { $0.contains("[[account]]") })
    }

    @Test(arguments: ["a::b", "", "elevenchars", "a\\nb", "😀😀😀😀😀😀😀😀😀😀😀", "a::\\u0301"])
    func `a nick that the protocol can't carry is refused`(nick: String) throws {
        let text = account.replacing("\"archiver\"", with: "\"\(nick)\"")
        #expect(try problems(text).contains { $0.hasPrefix(":5: account \"classroom\": nick: expected") })
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

    @Test(arguments: [
        ("irc", ["server", "nick", "rooms"]), ("matrix", ["server", "user"]),
        ("slp", ["server", "email", "app_key_file"]),
        ("streamchat", ["server", "nick"]), ("xmpp", ["jid", "rooms", "password_file"]),
    ])
    func `all keys that an account lacks are reported at once`(network: String, keys: [String]) throws {
        let found = try problems("[[account]]\nname = \"a\"\nnetwork = \"\(network)\"\n")
        #expect(found.map { $0.replacing(/.*missing key "([a-z_]+)".*/) { $0.1 } } == keys, "\(found)")
    }

    @Test func `invalid settings of files are reported`() throws {
        #expect(
            try problems(workspace + "attachments = \"some\"\nattachment_size_limit = \"20\"") == [
                #":7: account "work": attachments: expected one of "none", "all", found "some""#,
                #":8: account "work": attachment_size_limit: expected a number with kB, MB, GB or TB such as "500MB", found "20""#,
            ])
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
