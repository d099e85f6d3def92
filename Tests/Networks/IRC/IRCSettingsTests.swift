import Foundation
import Sessions
import TestSupport
import Testing
import TextEncodings

@testable import IRC
@testable import Settings

/// The keys of an account of `irc`.
struct IRCSettingsTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func read(_ text: String) throws -> IRCSettings {
        let account = """
            [[account]]
            name = "libera"
            network = "irc"
            server = "ircs://irc.example.net"
            nick = "archiver"
            rooms = ["#example"]
            \(text)
            """
        let file = try ConfigurationFile.parse(account, path: folder.path + "/scrollback.toml")
        let only = try #require(try Configuration(checked: file, home: folder.path).accounts.first)
        guard let settings = only.network as? IRCSettings else { throw CancellationError() }
        return settings
    }

    private func write(_ text: String, mode: Int = 0o600) throws {
        let path = folder.path + "/chat.keys"
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test(
        arguments: [
            ("cp949", .cp949), ("EUC-KR", .cp949), ("sjis", .shiftJIS), ("koi8-r", .koi8R), ("latin1", .latin1),
            ("windows-1252", .windows1252), ("iso-8859-15", .latin9),
        ] as [(String, TextEncoding)])
    func `the fallback encoding has the same names as in imports`(name: String, encoding: TextEncoding) throws {
        #expect(try read("fallback_encoding = \"\(name)\"").fallback == encoding)
    }

    @Test(arguments: ["utf-16", "klingon"])
    func `an unsuitable encoding is an error that lists the others`(name: String) {
        let error = #expect(throws: (any Error).self) { try read("fallback_encoding = \"\(name)\"") }
        #expect(error.map { "\($0)".contains("\"koi8-r\"") } == true, "\(String(describing: error))")
    }

    @Test(arguments: [
        ("#a k", ["#a": "k"]), ("#a k\r\n\n  #가\t열쇠 \n", ["#a": "k", "#가": "열쇠"]),
        ("#a k,#b l", ["#a": "k", "#b": "l"]),
        ("", [:]), ("\n", [:]),
    ])
    func `channel keys are pairs of words on lines`(text: String, keys: [String: String]) {
        let parsed = IRCChannelKeys.parse(text)
        #expect(parsed.keys == keys && parsed.wrongLine == nil)
    }

    @Test(arguments: [
        ("#a", 1), ("#a k\n#b k l", 2), ("#a :k", 1), ("\n\n#a k\u{1}", 3), ("#a k,", nil), ("k #a,x", 1),
    ])
    func `an invalid line of keys is named`(text: String, line: Int?) {
        #expect(IRCChannelKeys.parse(text).wrongLine == line)
    }

    @Test func `a key file is read again when it changes`() throws {
        try write("#example sesame\n#other x\n")
        let settings = try read("channel_keys_file = \"chat.keys\"")
        #expect(settings.currentSecrets?.channelKeys == ["#example": "sesame", "#other": "x"])
        try write("#example open\n")
        #expect(settings.currentSecrets?.channelKeys == ["#example": "open"])
        try write("#example\n")
        #expect(settings.currentSecrets == nil, "half of a file that is being written")
        #expect(!"\(settings)".contains("sesame"))
        var dumped = ""
        dump(settings, to: &dumped)
        #expect(!dumped.contains("sesame"))
    }

    @Test(arguments: [
        ("#example sesame", 0o644, "only its owner can read"), ("#example", 0o600, "something else in line 1"),
        ("#b k\nsesame", 0o600, "something else in line 2"),
    ])
    func `a key file with wrong content or permissions is refused`(
        text: String, mode: Int, says: String
    ) throws {
        try write(text, mode: mode)
        let error = try #require(throws: ConfigurationError.self) { try read("channel_keys_file = \"chat.keys\"") }
        #expect(error.description.contains("channel_keys_file") && error.description.contains(says))
        #expect(!error.description.contains("sesame"))
    }

    @Test func `a missing password file is reported as missing, and a folder as unreadable`() throws {
        func problem() throws -> String {
            let error = try #require(throws: ConfigurationError.self) {
                try read("sasl = \"plain\"\npassword_file = \"chat.password\"")
            }
            return error.description
        }
        #expect(try problem().contains("chat.password\", which does not exist"))
        try FileManager.default.createDirectory(
            atPath: folder.path + "/chat.password", withIntermediateDirectories: false)
        #expect(try problem().contains("chat.password\", which is not readable"))
    }

    @Test(arguments: [("", false), ("redacted = \"keep\"", false), ("redacted = \"wipe\"", true)])
    func `retracted messages are kept unless wiping is configured`(keys: String, wipes: Bool) throws {
        #expect(IRCConfiguration(try read(keys)).wipesRedacted == wipes)
    }

    @Test func `a channel without a prefix is valid, with a warning`() throws {
        var settings = try read("")
        #expect(settings.allWarnings == [])
        settings.rooms = ["#a", "linux", "&b", "+c", "우리", "*"]
        #expect(
            settings.warnings == [
                "rooms: \"linux\" has no prefix of a channel; did you mean \"#linux\"?",
                "rooms: \"우리\" has no prefix of a channel; did you mean \"#우리\"?",
                "rooms: \"*\" is no channel; for all rooms of a bouncer, set join = \"*\"",
            ])
    }

    @Test(arguments: [("ircs://znc.example.net", true), ("ircs://my-bnc.example:6697", true), ("ircs://irc.bip", true)])
    func `a server's name shows whether it is a bouncer`(server: String, isBouncer: Bool) {
        #expect(IRCSettings.isBouncer(server) == isBouncer)
        #expect(!IRCSettings.isBouncer("ircs://irc.bipolar.example"))
    }

    private func keys(_ certificate: String, _ key: String) -> String {
        "sasl = \"external\"\ncertificate_file = \"\(certificate)\"\nkey_file = \"\(key)\""
    }

    private func problem(_ text: String) throws -> String {
        try #require(throws: ConfigurationError.self) { try read(text) }.description
    }

    @Test(.enabled(if: Certificate.isAvailable, "needs openssl"))
    func `an unusable client certificate is an error with the reason`() async throws {
        let (own, other) = (try await Certificate(), try await Certificate())
        let settings = try read(keys(own.file, own.keyFile))
        #expect(settings.allWarnings == [])
        let key = try #require(settings.tls.key)
        #expect(!"\(settings)".contains("\(key)") && !String(reflecting: settings).contains("\(key)"))
        #expect(try problem(keys("nowhere.pem", own.keyFile)).contains("nowhere.pem\", which does not exist"))
        #expect(try problem(keys(folder.path, own.keyFile)).contains("which is not readable"))
        #expect(try problem(keys(own.keyFile, own.keyFile)).contains("which is not valid"))
        let foreign = try problem(keys(own.file, other.keyFile))
        #expect(foreign.contains("the key of the certificate in certificate_file"))
        #expect(foreign.contains("found the key of another one"))
    }

    @Test(
        .enabled(if: Certificate.isAvailable, "needs openssl"),
        arguments: [
            ("20190101000000Z", "20200102030405Z", "the certificate expired on 2020-01-02"),
            ("29990101000000Z", "29990201000000Z", "the certificate is not valid before 2999-01-01"),
        ])
    func `a client certificate outside its validity is a warning`(
        from: String, until: String, words: String
    ) async throws {
        let certificate = try await Certificate(from: from, until: until)
        let warnings = try read(keys(certificate.file, certificate.keyFile)).allWarnings
        #expect(warnings == ["certificate_file: \(words), so servers may refuse it"])
    }

    @Test func `another policy is refused`() throws {
        let error = try #require(throws: ConfigurationError.self) { try read("redacted = \"delete\"") }
        #expect(error.description.contains(": redacted: expected one of \"keep\", \"wipe\""))
    }
}
