import Accounts
package import ChatModel
import Files
import Records
import Schema
import Writing

extension AccountWriter {
    /// Does a step of forgetting, between events.
    ///
    /// - Parameter place: Where the step begins; nil for the beginning of the work.
    /// - Throws: ``ArchiveError``; does not wait while the disk has trouble.
    package func forget(_ request: Forgetting, from place: ForgettingPlace? = nil, at now: Timestamp) async throws
        -> ForgettingProgress
    {
        let forgetter = Forgetter(request: request, now: now, account: account.name, catalog: catalog)
        let files = AttachmentFolder(of: folder)
        var progress = ForgettingProgress()
        switch place ?? .messages(after: .min, held: 0) {
        case .messages(let after, let held):
            let batch = try await ArchiveError.wrapping(folder.database) {
                try await connections.use { try await $0.forgetMessages(forgetter, after: after, files) }
            }
            progress.events = Int64(batch.messages.count { $0.kind.isNoise })
            (progress.messages, progress.held) = (Int64(batch.messages.count) - progress.events, batch.held)
            let sum = held + batch.held
            progress.next = batch.next.map { .messages(after: $0, held: sum) } ?? .person(held: sum)
        case .person(let held):
            // A person whose messages a hold keeps keeps their names, too.
            if held == 0 {
                try await ArchiveError.wrapping(folder.database) {
                    try await connections.use { try await $0.writeNames { db in try forgetter.forgetPerson(db) } }
                }
            }
            progress.next = .index
        case .index: progress.next = try await mergeTraces() ? .index : .pages
        case .pages:
            let isClean = try await clearPages()
            progress.next = isClean == nil ? .pages : nil
            progress.isClean = isClean ?? true
        }
        return progress
    }

    /// Does a step of removing what is forgotten from the search index.
    ///
    /// - Returns: True if there is more to do.
    func mergeTraces() async throws -> Bool { try await write { db in try SpentPages.scrub(db) } }

    /// Removes files that no message has, and does a step of giving unused pages back.
    ///
    /// - Returns: Nil if there is more to do; false if unused pages remain, as ``SpentPages/clear(_:)``.
    func clearPages() async throws -> Bool? {
        let files = AttachmentFolder(of: folder)
        return try await read { db in
            try AttachmentBook.removeUnfinished(files, db)
            try GoneContents.delete(from: files, db)
            try GoneContents.requireNone(in: files, db)
            return try SpentPages.clear(db)
        }
    }

    /// Removes the traces that a crash during forgetting left.
    ///
    /// - Throws: ``ArchiveError``; does not wait while the disk has trouble.
    package func finishForgetting() async throws {
        guard try await read({ db in try SpentPages.needsScrub(db) }) else { return }
        while try await write({ db in try SpentPages.scrub(db) }), !Task.isCancelled {}
        while try await read({ db in try SpentPages.clear(db) }) == nil, !Task.isCancelled {}
    }
}
