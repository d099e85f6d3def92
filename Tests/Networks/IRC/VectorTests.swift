import Testing

@testable import IRCWire

/// The parser tests of ircdocs/parser-tests, see `Tests/Fixtures/IRC/README.md`.
struct VectorTests {
    private static let splits = VectorValue.tests(fixture("irc-msg-split.yaml"))
    private static let joins = VectorValue.tests(fixture("irc-msg-join.yaml"))
    private static let sources = VectorValue.tests(fixture("irc-userhost-split.yaml"))

    private func message(_ atoms: VectorValue?) -> IRCMessage {
        let tags = (atoms?["tags"]?.map ?? [:]).map { (Array($0), Array($1.text ?? "")) }
        return IRCMessage(
            tags: Dictionary(uniqueKeysWithValues: tags), source: atoms?["source"]?.text.map { IRCSource(Array($0)) },
            atoms?["verb"]?.text ?? "", atoms?["params"]?.list.map { Array($0.text ?? "") } ?? [])
    }

    @Test func `every vector is read`() {
        #expect([Self.splits, Self.joins, Self.sources].map(\.count) == [35, 18, 7])
    }

    @Test(arguments: splits)
    func `lines are parsed as in the vectors`(vector: VectorValue) throws {
        var expected = message(vector["atoms"])
        expected.verb = expected.verb.uppercased()
        #expect(try IRCMessage(line: Array(vector["input"]?.text ?? "")) == expected)
    }

    @Test(arguments: joins)
    func `a message is written in one of the vectors' forms`(vector: VectorValue) throws {
        let line = try message(vector["atoms"]).encoded()
        let forms = vector["matches"]?.list.compactMap(\.text) ?? []
        #expect(forms.map { Array($0 + "\r\n") }.contains(line))
    }

    @Test(arguments: sources)
    func `sources are split as in the vectors`(vector: VectorValue) {
        let source = IRCSource(Array(vector["source"]?.text ?? ""))
        let parts = ["nick", "user", "host"].map { Array(vector["atoms"]?[$0]?.text ?? "") }
        #expect([source.nick, source.user, source.host] == parts)
    }
}
