import ChatModel
import Files
import HTTPTypes
import Logging
import Settings
import Synchronization

/// The read marks of tokens that do not use the owner's, each read again when its file changes.
final class MarkBook: Sendable {
    private let folder: String
    private let logger: Logger
    private let known = Mutex<[String: Known]>([:])
    /// The requests of tokens that change marks. All files have one lock, for which a process waits only 5 s.
    private let turns = Turns()
    /// The requests of the owner, which change the accounts' files.
    let owners = Turns()

    private struct Known {
        var content: OwnersFile.Content?
        var marks: ReaderMarks
    }

    /// The limit of tokens whose marks are in memory.
    private static let limit = 64

    init(folder: String, logger: Logger) {
        (self.folder, self.logger) = (folder, logger)
    }

    /// Returns the marks of a token. Marks that can't be read are as none.
    func marks(of token: AccessToken) -> ReaderMarks {
        let file = ReaderMarkFile(folder: folder, token: token)
        do {
            let content = try file.content()
            if let found = known.withLock({ $0[token.sha256] }), found.content == content { return found.marks }
            let marks = try file.marks(in: content)
            known.withLock { known in
                if known.count >= Self.limit { known = [:] }
                known[token.sha256] = Known(content: content, marks: marks)
            }
            return marks
        } catch {
            logger.warning(
                "the read marks of a token can't be read", metadata: ["token": "\(token.name)", "error": "\(error)"])
            return ReaderMarks(since: Timestamp(microseconds: token.createdAt))
        }
    }

    /// Marks rooms as read.
    ///
    /// - Throws: ``Problem``, without the reason, which only the log has.
    func change(of token: AccessToken, _ body: @escaping @Sendable (inout ReaderMarks) -> Void) async throws {
        do {
            let file = ReaderMarkFile(folder: folder, token: token)
            try await turns.run { try await onThread { try file.change(body) } }
        } catch {
            logger.warning(
                "the read marks of a token can't be changed", metadata: ["token": "\(token.name)", "error": "\(error)"])
            throw Problem(.serviceUnavailable, "storage", "your read marks can't be changed now")
        }
    }
}
