import ChatModel
import Foundation
import TestSupport
import Testing

@testable import LogFormats

/// The rows of databases, as an import hands them to the formats.
struct DatabaseRowsTests {
    static let one = [DatabaseHeader.Network(key: "1", name: "libera")]
    static let two = one + [DatabaseHeader.Network(key: "2", name: "OFTC")]

    static func source(_ header: DatabaseHeader, network: String? = nil) -> LogSource {
        var source = LogReading.source(header.line, path: "a.sqlite")
        source.choices.network = network
        return source
    }

    /// The rows of a database of one network, without the network's key.
    static func read(
        _ format: any LogFormat.Type, _ rows: [String], networks: [DatabaseHeader.Network] = one, network: String? = nil
    ) throws -> LogReading {
        let text = rows.map { $0 + "\n" }.joined()
        let header = DatabaseHeader(database: format.name, networks: networks)
        return try LogReading(
            format, header.line + Array(text.utf8), path: "a.sqlite", choices: SourceChoices(network: network))
    }

    private static let formats: [any LogFormat.Type] = [
        TheLoungeFormat.self, QuasselFormat.self, SojuFormat.self, SlackdumpFormat.self, GajimFormat.self,
        DinoFormat.self,
        ProfanityDatabaseFormat.self, IMessageFormat.self, ViberFormat.self,
    ]
    private static let names = formats.map { $0.name }

    private func format(_ name: String) throws -> any LogFormat.Type {
        try #require(Self.formats.first { $0.name == name })
    }

    private func row(_ network: String, _ text: String) -> String {
        #"""
        {"network":"\#(network)","target":"#a","time":"2026-11-21T06:23:11.123Z","raw":":alice!a@b PRIVMSG #a :\#(text)"}
        """#
    }

    @Test(arguments: names)
    func `a database is recognised by its first line`(name: String) throws {
        let source = Self.source(DatabaseHeader(database: name, networks: Self.two))
        guard case .sure(let found) = Recognition(source) else {
            Issue.record("not recognised")
            return
        }
        #expect(found.name == name)
        let odd = [DatabaseHeader.Network(key: "id", name: "id")]
        #expect(
            KnownLogFormats.all.filter { $0.recognises(Self.source(DatabaseHeader(database: name, networks: odd))) }
                .count == 1)
        #expect(throws: LogSourceError.self) {
            try format(name).init(LogReading.source(Array("words\n".utf8), path: "a"))
        }
    }

    @Test func `only the rows of the named network are read`() throws {
        let rows = [row("1", "hi"), row("2", "ho"), row("1", "again"), row("3", "other")]
        for name in ["libera", "Libera", "1"] {
            #expect(
                try Self.read(SojuFormat.self, rows, networks: Self.two, network: name).told == [
                    "alice: hi", "alice: again",
                ])
        }
        #expect(try Self.read(SojuFormat.self, rows, networks: Self.two, network: "oftc").told == ["alice: ho"])
        #expect(try Self.read(SojuFormat.self, rows).told == ["alice: hi", "alice: again"])
    }

    @Test func `several networks without a choice are an error that names them`() {
        let header = DatabaseHeader(
            database: "soju", networks: Self.two + [DatabaseHeader.Network(key: "8f", name: "8f", channel: "#c")])
        #expect(
            throws: LogSourceError.unusable(
                reason: "it has 3 networks (libera, OFTC, 8f with #c), of which --network chooses one",
                hint: "for example: --network libera -a libera")
        ) { try SojuFormat(Self.source(header)) }
        #expect(
            throws: LogSourceError.unusable(
                reason: "it has no network \"hackint\"", hint: "its networks: libera, OFTC, 8f with #c")
        ) { try SojuFormat(Self.source(header, network: "hackint")) }
        #expect(SojuFormat.accountName(in: Self.source(header)) == nil)
        #expect(SojuFormat.accountName(in: Self.source(header, network: "oftc")) == "OFTC")
        #expect(
            SojuFormat.accountName(in: Self.source(DatabaseHeader(database: "soju", networks: Self.one))) == "libera")
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: names)
    func `an invalid row is reported, including a skipped one, and nothing traps`(name: String) throws {
        let format = try format(name)
        let bad = [
            "words", "[]", "{}", "{\"network\":\"1\"}", "{\"network\":1}",
            "{\"error\":\"a value is longer than 2 bytes\"}",
            "{\"table\":\"MESSAGE\",\"channel\":\"C1\",\"data\":{}}", "{\"table\":\"S_USER\",\"data\":[]}",
            "{\"network\":\"1\",\"channel\":\"#a\",\"time\":\"x\",\"type\":\"message\",\"msg\":{}}",
            "{\"network\":\"1\",\"buffer\":\"#a\",\"time\":\"1\",\"type\":\"x\"}",
            "{\"network\":\"1\",\"target\":\"#a\",\"time\":\"noon\",\"raw\":\"x\"}",
            "{\"network\":\"1\",\"target\":\"#a\",\"time\":\"2026-11-21T06:23:11Z\",\"raw\":\" \"}",
        ]
        let read = try Self.read(format, bad)
        #expect(read.messages.isEmpty)
        #expect(read.unreadable.count == bad.count)
        #expect(read.unreadable.contains("a value is longer than 2 bytes"))
        var generator = SystemRandomNumberGenerator()
        let pieces = [
            "{", "}", "\"", "network", ":", ",", "1", "time", "\"data\":", "msg", "\\", "[", "null", "\u{0}", "é", "\n",
        ]
        for _ in 0..<300 {
            let text = (0..<30).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            _ = try Self.read(format, [text])
        }
        let long = String(repeating: "x", count: format.maximumLine)
        #expect(
            try Self.read(format, ["{\"network\":\"\(long)\"}"]).unreadable.map { $0.prefix(11) } == ["longer than"])
    }

    @Test(arguments: names)
    func `rows are counted as messages`(name: String) throws {
        #expect(try !format(name).isLineByLine)
    }
}
