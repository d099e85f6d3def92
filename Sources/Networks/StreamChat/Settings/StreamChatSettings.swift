package import StreamChatWire

/// The keys of an account of the network `streamchat`; see `docs/configuration.md`.
package struct StreamChatSettings: Sendable, Hashable {
    package var server: ServerAddress
    package var nick: String
    package var room: String
    package var framing: Framing
    package var revision: Revision
    /// The time within which a read may continue the unit before it.
    package var continuation: Duration
    package var maximumUnitBytes: Int
    package var signOfLifeInterval: Duration
    /// The bytes that may wait to be stored before reading stops.
    package var bufferBytes: Int

    /// Reads the account's table. Leaves every problem in `table`; a wrong setting has its default.
    package init(_ table: inout TableReader) {
        server = Self.server(&table)
        nick = Self.nick(&table)
        room = Self.room(&table)
        framing = table.choice("framing", default: .chunk)
        revision = table.choice("revision", default: .august2021)
        continuation = .milliseconds(table.integer("continuation_ms", in: 0...1000, default: 30))
        maximumUnitBytes = table.integer("max_unit_bytes", in: 1024...16_777_216, default: 65_536)
        signOfLifeInterval = table.signOfLifeInterval()
        bufferBytes = table.bufferBytes()
    }

    private static func server(_ table: inout TableReader) -> ServerAddress {
        let expected = "tcp://HOST:PORT"
        guard let text = table.requiredString("server", expected: expected) else { return .unset }
        guard let address = ServerAddress(text) else {
            table.report("server", expected: expected, found: text.isEmpty ? "nothing" : TableReader.quote(text))
            return .unset
        }
        return address
    }

    /// Reads the nick. Checks the protocol's limits, which also apply to our messages.
    private static func nick(_ table: inout TableReader) -> String {
        let expected = "1 to 10 characters without \"::\" or control characters"
        guard let nick = table.requiredString("nick", expected: expected) else { return "" }
        let bytes = Array(nick.utf8)
        let separator = zip(bytes, bytes.dropFirst()).contains { $0 == UInt8(ascii: ":") && $1 == UInt8(ascii: ":") }
        let hasControl = nick.unicodeScalars.contains { $0.properties.generalCategory == .control }
        if !(1...10).contains(nick.count) || separator || hasControl {
            table.report("nick", expected: expected, found: nick.isEmpty ? "nothing" : TableReader.quote(nick))
        }
        return nick
    }

    private static func room(_ table: inout TableReader) -> String {
        guard let room = table.string("room", shownDefault: "lobby") else { return "lobby" }
        if room.isEmpty {
            table.report("room", expected: "a name for the server's one room", found: "nothing")
        }
        return room
    }
}
