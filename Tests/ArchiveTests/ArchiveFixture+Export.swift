import Archive
import ChatModel
import Foundation
import Testing

@testable import Reading

/// What an archive exports, as an import reads it.
extension ArchiveFixture {
    /// A full export as its reader gives it: what lines are made of, taken through JSON.
    func export(_ account: String = "demo") async throws -> [ImportedLine] {
        let export = try AccountExport(of: account, in: archive.reading())
        var lines: [ImportedLine] = []
        try export.records { records in
            #expect(!records.isEmpty)
            for record in records { lines.append(.record(try throughJSON(record))) }
        }
        let all = try query(limit: 1000, room: nil, accounts: [account])
        let messages = try await walk(.oldest, limit: 100, query: all)
        var counter = OccurrenceCounter(folding: .exact)
        for start in stride(from: 0, to: messages.count, by: 100) {
            let page = messages[start..<min(start + 100, messages.count)]
            let details = try export.exactDetails(of: Array(page))
            #expect(details.count == page.count)
            for message in page {
                var line = ImportedMessage(message.asWritten)
                line.exact = try details[message.id].map { try throughJSON($0) }
                counter.count(&line)
                lines.append(.message(try throughJSON(line)))
            }
        }
        return lines
    }

    private func throughJSON<T: Codable>(_ value: T) throws -> T {
        try JSONDecoder().decode(T.self, from: JSONEncoder().encode(value))
    }
}

extension ImportedMessage {
    /// Creates the message as a page has it.
    fileprivate init(_ message: Message) {
        self.init(
            room: message.room, kind: message.kind, sender: message.sender?.name, body: message.body,
            time: message.sourceTime ?? message.flags.resolution.floor(message.id.time),
            resolution: message.flags.resolution, place: message.id.time, remoteID: message.remoteID,
            receivedAt: message.receivedAt, flags: message.flags, editedAt: message.editedAt,
            deletedAt: message.deletedAt, replyTo: message.reply?.remoteID)
    }
}
