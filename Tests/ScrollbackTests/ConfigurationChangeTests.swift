import ChatModel
import Foundation
import Testing

@testable import Settings

/// What another configuration asks of a listener.
struct ConfigurationChangeTests {
    private static let irc = """
        [[account]]
        name = "libera"
        network = "irc"
        server = "ircs://irc.example.net"
        nick = "archiver"
        rooms = ["#example"]

        """
    private static let room = """
        [[account]]
        name = "classroom"
        network = "streamchat"
        server = "tcp://127.0.0.1:5080"
        nick = "archiver"

        """

    private func read(_ text: String, in folder: String = "etc") throws -> Configuration {
        try Configuration(ConfigurationFile.parse(text, path: folder + "/scrollback.toml"), home: "/home/alice")
    }

    private func change(_ old: String, _ new: String) throws -> ConfigurationChange {
        ConfigurationChange(from: try read(old), to: try read(new))
    }

    /// Of the one account.
    private func keys(_ old: String, _ new: String) throws -> ChangedKeys {
        let change = try change(old, new)
        #expect(change.added.isEmpty && change.removed.isEmpty && change.keys.isEmpty)
        return change.changed.first?.keys ?? ChangedKeys()
    }

    @Test func `an equivalent configuration changes nothing`() throws {
        let change = try change(
            Self.irc + Self.room, "\n# A comment.\n" + Self.room + "framing = \"chunk\"\n" + Self.irc)
        #expect(change.added.isEmpty && change.removed.isEmpty && change.changed.isEmpty && change.keys.isEmpty)
    }

    @Test func `accounts are compared by name and network`() throws {
        let change = try change(Self.irc, Self.room)
        #expect(change.added.map(\.identity.name) == ["classroom"] && change.removed.map(\.name) == ["libera"])
        let same = Self.room.replacing("classroom", with: "libera")
        let other = try self.change(Self.irc, same)
        #expect(other.added.map(\.identity.network) == ["streamchat"] && other.removed.map(\.network) == ["irc"])
    }

    @Test(arguments: [
        ("rooms = [\"#example\"]", "rooms = [\"#other\"]", "rooms"),
        ("rooms = [\"#example\"]", "join = \"*\"", "rooms, join"),
        ("", "alternative_nicks = [\"archivist\"]", "alternative_nicks"),
        ("", "fallback_encoding = \"iso-8859-1\"", "fallback_encoding"),
        ("", "sign_of_life_seconds = 1", "sign_of_life_seconds"), ("", "buffer_bytes = 65536", "buffer_bytes"),
        ("", "raw_keep = \"90d\"", "raw_keep"), ("", "me = [\"alice\"]", "me"),
        ("", "[[account.retention]]\nmax_age = \"90d\"", "retention"),
        ("", "[retention]\nmax_age = \"90d\"", "retention"),
    ])
    func `some keys of an IRC account change without a reconnect`(old: String, new: String, names: String)
        throws
    {
        let changed = old.isEmpty ? Self.irc + new : Self.irc.replacing(old, with: new)
        #expect(try keys(Self.irc, changed) == ChangedKeys(live: names.split(separator: ", ").map(String.init)))
    }

    @Test(arguments: [
        ("ircs://irc.example.net", "ircs://irc.example.net:6698", "server"),
        ("nick = \"archiver\"", "nick = \"archivist\"", "nick"), ("", "user = \"me\"", "user"),
        ("", "real_name = \"Me\"", "real_name"), ("", "sasl_user = \"me\"", "sasl_user"),
        ("", "fingerprint = \"\(String(repeating: "0", count: 64))\"", "fingerprint"),
    ])
    func `the other keys need a reconnect`(old: String, new: String, name: String) throws {
        let changed = old.isEmpty ? Self.irc + new : Self.irc.replacing(old, with: new)
        #expect(try keys(Self.irc, changed) == ChangedKeys(fixed: [name]))
    }

    @Test func `a new password or password file applies to the next login`() async throws {
        try await withTemporaryFolder { folder in
            func write(_ text: String, to name: String) throws {
                try text.write(toFile: folder + "/" + name, atomically: false, encoding: .utf8)
                chmod(folder + "/" + name, 0o600)
            }
            try write("secret", to: "a")
            try write("secret", to: "b")
            func read(_ keys: String) throws -> Configuration { try self.read(Self.irc + keys, in: folder) }
            let old = try read("sasl = \"plain\"\npassword_file = \"a\"")
            try write("other", to: "a")
            let changed = ConfigurationChange(from: old, to: try read("sasl = \"plain\"\npassword_file = \"a\""))
                .changed
            #expect(changed.isEmpty)
            let moved = ConfigurationChange(from: old, to: try read("sasl = \"plain\"\npassword_file = \"b\"")).changed
            #expect(moved.map(\.keys) == [ChangedKeys(live: ["password_file"])])
            let none = ConfigurationChange(from: old, to: try read("")).changed
            #expect(none.map(\.keys) == [ChangedKeys(fixed: ["sasl", "password_file"])])
        }
    }

    @Test func `new channel keys apply without a reconnect`() async throws {
        try await withTemporaryFolder { folder in
            func read(_ keys: String) throws -> Configuration {
                try keys.write(toFile: folder + "/keys", atomically: false, encoding: .utf8)
                chmod(folder + "/keys", 0o600)
                return try self.read(Self.irc + "channel_keys_file = \"keys\"", in: folder)
            }
            let old = try read("#example sesame")
            #expect(ConfigurationChange(from: old, to: try read("#example sesame")).changed.isEmpty)
            let changed = ConfigurationChange(from: old, to: try read("#example open")).changed
            #expect(changed.map(\.keys) == [ChangedKeys(live: ["channel_keys_file"])])
        }
    }

    @Test func `the keys of a workspace's account change without a reconnect`() async throws {
        try await withTemporaryFolder { folder in
            try "k".write(toFile: folder + "/key", atomically: false, encoding: .utf8)
            chmod(folder + "/key", 0o600)
            let account = """
                [[account]]
                name = "work"
                network = "slp"
                server = "https://chat.example.net"
                email = "a@example.net"
                app_key_file = "key"

                """
            func keys(_ more: String) throws -> ChangedKeys? {
                ConfigurationChange(from: try read(account, in: folder), to: try read(account + more, in: folder))
                    .changed.first?.keys
            }
            #expect(
                try keys("channels = [\"a\"]\nattachments = \"all\"\ncheck_minutes = 5")
                    == ChangedKeys(live: ["channels", "attachments", "check_minutes"]))
            #expect(try keys("generation = 1") == ChangedKeys(fixed: ["generation"]))
        }
    }

    @Test func `limits apply at once, and keys that need a restart are reported`() throws {
        let change = try change(
            Self.irc, "data = \"elsewhere\"\nopen_connections = 8\nhot_accounts = 5\ncold_level = 9\n" + Self.irc)
        #expect(change.keys.live == ["hot_accounts", "cold_level"])
        #expect(change.keys.fixed == ["data", "open_connections"])
    }

    @Test func `every key can be compared`() throws {
        for (network, compared) in [
            ("irc", (IRCSettings.liveKeys + IRCSettings.fixedKeys).map(\.name)),
            ("matrix", (MatrixSettings.liveKeys + MatrixSettings.fixedKeys).map(\.name)),
            ("slp", (SLPSettings.liveKeys + SLPSettings.fixedKeys).map(\.name)),
            ("streamchat", (StreamChatSettings.liveKeys + StreamChatSettings.fixedKeys).map(\.name)),
            ("xmpp", (XMPPSettings.liveKeys + XMPPSettings.fixedKeys).map(\.name)),
        ] {
            let text = "[[account]]\nname = \"a\"\nnetwork = \"\(network)\"\n"
            var root = TableReader(try ConfigurationFile.parse(text, path: "").table)
            var tables = root.tables("account")
            var names: Set<String> = []
            _ = AccountConfiguration(&tables[0], names: &names)
            // Of the account itself, and what only says that another key is meant.
            let others = ["name", "network", "raw_keep", "retention", "allow_plaintext", "max_size", "me", "bots"]
            for key in tables[0].keys where !others.contains(key) && !key.hasSuffix("_env") {
                #expect(compared.contains(key), "\(network): \(key)")
            }
        }
    }
}
