import Archive
import ChatModel

/// What a command writes into an account's file: done by the listener that holds the file, or by the command itself.
enum StoreChange: Sendable, Hashable {
    /// Everything stored in the room up to a message has been read; nil is all of it.
    case markRead(account: String, room: Int64, through: MessageID?)

    var account: String {
        switch self {
        case .markRead(let account, _, _): account
        }
    }

    func apply(to writer: AccountWriter) async throws {
        switch self {
        case .markRead(_, let room, let through):
            try await writer.markRead(room: room, through: through, at: .now())
        }
    }
}

/// Takes a change to where the account is written.
struct StoreWriting: Sendable {
    let archive: Archive

    /// A listener that has just started holds the file before it answers, and another command holds it for an instant.
    private static let patience = Duration.seconds(5)
    private static let pause = Duration.milliseconds(50)

    /// - Throws: ``CommandError`` when the listener refuses, ``ArchiveError`` when the file can't be written.
    func perform(_ change: StoreChange) async throws {
        let client = ControlClient(folder: archive.folder)
        let start = ContinuousClock.now
        while true {
            if try await client.perform(change) { return }
            do {
                return try await performHere(change)
            } catch let error as ArchiveError where error.code == .locked {
                guard ContinuousClock.now - start < Self.patience else { throw error }
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    private func performHere(_ change: StoreChange) async throws {
        guard let account = try await archive.accounts().first(where: { $0.name == change.account }) else {
            throw ArchiveError(
                code: .unknownAccount, detail: "no account '\(change.account)' in \(archive.folder)")
        }
        let writer = try await archive.openWriter(account)
        do {
            try await change.apply(to: writer)
        } catch {
            try? await writer.close()
            throw error
        }
        try await writer.close()
    }
}
