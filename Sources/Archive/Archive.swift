package import ChatModel

/// A data folder: every account's file, found by the account's name.
///
/// Reading opens read-only connections and closes them with the call. Nothing is created by reading.
package struct Archive: Sendable {
    /// The folder's path, as given.
    package let folder: String

    package init(folder: String) {
        self.folder = folder
    }

    /// The accounts in the folder by name; empty when there is no folder.
    package func accounts() async throws -> [AccountIdentity] {
        throw ArchiveError(code: .noArchive, detail: "not built yet")
    }

    /// The rooms of an account, or of all, by (account, name).
    package func rooms(account: String? = nil) async throws -> [Room] {
        throw ArchiveError(code: .noArchive, detail: "not built yet")
    }

    package func page(_ query: MessageQuery) async throws -> Page {
        throw ArchiveError(code: .noArchive, detail: "not built yet")
    }

    /// Every gap of the accounts, or of one room, in order of (from, account, room).
    package func gaps(scope: MessageQuery.Scope) async throws -> [Gap] {
        throw ArchiveError(code: .noArchive, detail: "not built yet")
    }

    /// What the files tell, by account name. Whether a listener runs is told by its lock.
    package func status() async throws -> [AccountStatus] {
        throw ArchiveError(code: .noArchive, detail: "not built yet")
    }

    /// The history after `start`, forward to the end, and then every message that is stored, late ones included, until
    /// the consumer stops. Nothing twice, nothing missing. With nil it begins at the present end.
    package func follow(
        _ query: MessageQuery, after start: MessageID?
    ) -> AsyncThrowingStream<Followed, any Error> {
        AsyncThrowingStream { throw ArchiveError(code: .noArchive, detail: "not built yet") }
    }

    /// The account's one writer; makes the account when the folder has none of that name. Holds its locks until closed.
    package func openWriter(_ account: AccountIdentity) async throws -> AccountWriter {
        throw ArchiveError(code: .noArchive, detail: "not built yet")
    }
}

/// What following brings.
package enum Followed: Sendable, Hashable {
    /// A run of messages; in time order while catching up, in commit order afterwards.
    case messages([Message])
    /// A gap that began, or that ended and now has its `to`.
    case gap(Gap)
    /// The account's file was replaced by a restored one; it is read from the start.
    case startedOver(account: String)
}
