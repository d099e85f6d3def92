import Archive
import ChatModel
import Testing

@testable import Checks
@testable import Writing

/// Shorthand for what is imported.
extension ArchiveFixture {
    static let log = AccountIdentity(name: "old", network: "log")
    static let importTime = day.advanced(by: .seconds(7 * 86_400))

    static func at(_ seconds: Int) -> Timestamp { day.advanced(by: .seconds(seconds)) }

    /// Numbers those that are alike, as a reader of a source does.
    func source(_ messages: [ImportedMessage]) -> [ImportedLine] {
        var counter = OccurrenceCounter(folding: .rfc1459)
        return messages.map { message in
            var message = message
            counter.count(&message)
            return .message(message)
        }
    }

    func store(
        _ lines: [ImportedLine], into account: AccountIdentity = log, batch: Int = 1000
    ) async throws -> ImportTally {
        let writer = try await archive.openWriter(account)
        var tally = ImportTally()
        for start in stride(from: 0, to: lines.count, by: batch) {
            let part = Array(lines[start..<min(start + batch, lines.count)])
            tally = tally + (try await writer.importLines(part, at: Self.importTime))
        }
        try await writer.close()
        return tally
    }

    /// Imports and rehearses; the same again has to add nothing.
    func store(
        _ messages: ImportedMessage..., is expected: ImportTally, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let lines = source(messages)
        let rehearsed = try await archive.rehearseImport(into: "old").add(lines)
        #expect(rehearsed == expected, "rehearsed", sourceLocation: sourceLocation)
        #expect(try await store(lines) == expected, sourceLocation: sourceLocation)
        let rows = try rows("old")
        let known = ImportTally(known: messages.count)
        #expect(try await archive.rehearseImport(into: "old").add(lines) == known, sourceLocation: sourceLocation)
        #expect(try await store(lines) == known, sourceLocation: sourceLocation)
        #expect(try self.rows("old") == rows, "nothing is written the second time", sourceLocation: sourceLocation)
        #expect(
            try archive.check(accounts: ["old"]).flatMap(\.problems) == [], sourceLocation: sourceLocation)
    }

    func strings(_ sql: String, account: String = "old") throws -> String? {
        try value("SELECT group_concat(text, ' ') FROM (\(sql))", account: account)
    }
}
