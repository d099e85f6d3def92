package import ChatModel
package import Files
import FoundationEssentials
import Rendering

/// The file with the read marks of a token, in the data folder, for its owner only.
package struct ReaderMarkFile: Sendable {
    private let file: OwnersFile
    private let token: AccessToken
    private let tokens: TokenFile

    /// The beginning of the files' names. The token's SHA-256 follows, so that a later token of its name has no marks.
    package static let prefix = "serve.marks."

    private struct Line: Codable {
        var account: String
        var accountCreatedAt: Timestamp
        var room: Int64
        var through: MessageID
        var seq: Int64
        var setAt: Timestamp
    }

    package init(folder: String, token: AccessToken) {
        (self.token, tokens) = (token, TokenFile(folder: folder))
        file = OwnersFile(
            path: "\(folder)/\(Self.prefix)\(token.sha256)", lock: folder + "/" + TokenFile.lockName)
    }

    /// Reads the file without decoding it; nil if there is no file.
    ///
    /// - Throws: ``ArchiveError``
    package func content() throws(ArchiveError) -> OwnersFile.Content? { try file.read() }

    /// Decodes the marks. Without a file, everything before the token was made is read.
    ///
    /// - Throws: ``ServiceError`` for a damaged file.
    package func marks(in content: OwnersFile.Content?) throws(ServiceError) -> ReaderMarks {
        var marks = ReaderMarks(since: Timestamp(microseconds: token.createdAt))
        guard let content else { return marks }
        do {
            for line in try JSONDecoder().decode([Line].self, from: Data(content.bytes)) {
                let account = ReaderMarks.Account(line.account, createdAt: line.accountCreatedAt)
                marks.marks[account, default: [:]][line.room] = ReaderMarks.Mark(
                    through: line.through, seq: line.seq, setAt: line.setAt)
            }
        } catch {
            throw ServiceError(
                .notPermitted, "the file of read marks \(Sanitizer.line(file.path)) is damaged", hint: "remove it")
        }
        return marks
    }

    /// Changes the marks, and returns when the change is on the disk. Changes at the same time wait for each other. Does
    /// nothing for a token that was removed meanwhile, whose marks would stay.
    ///
    /// - Parameter body: Changes the marks.
    package func change(_ body: (inout ReaderMarks) -> Void) throws {
        let lock = try file.lock()
        defer { withExtendedLifetime(lock) {} }
        guard try tokens.read().contains(where: { $0.sha256 == token.sha256 }) else { return }
        var marks = try marks(in: content())
        body(&marks)
        let lines = marks.marks.flatMap { account, rooms in
            rooms.map { room, mark in
                Line(
                    account: account.name, accountCreatedAt: account.createdAt, room: room, through: mark.through,
                    seq: mark.seq, setAt: mark.setAt)
            }
        }
        try file.replace(with: JSONLine.document(lines.sorted { ($0.account, $0.room) < ($1.account, $1.room) }))
    }

    /// Removes the marks, if there are any.
    package func remove() throws {
        let lock = try file.lock()
        defer { withExtendedLifetime(lock) {} }
        try file.remove()
    }
}
