import Accounts
package import ChatModel
import Files
import Records
import Schema
import Writing

/// Removes messages from an account: by rules, by what is to be forgotten, and with a room. Sets the holds that keep them.
package struct AccountRetention: Sendable {
    let writer: AccountWriter

    /// Does a step of applying rules: one transaction of some milliseconds, which runs between events.
    ///
    /// - Parameter place: Where the step begins; nil for the beginning of the work.
    /// - Throws: ``ArchiveError``; does not wait while the disk has trouble.
    package func purge(_ rules: RetentionRules, from place: PurgePlace? = nil, at now: Timestamp) async throws
        -> PurgeProgress
    {
        let (purger, files) = (Purger(rules: rules, now: now), AttachmentFolder(of: writer.folder))
        return try await writer.use { connection in
            let progress = try await connection.purge(purger, from: place, files)
            guard progress.next == nil else { return progress }
            try await connection.run { [account = writer.account, catalog = writer.catalog] db in
                try connection.sharePurges(of: account.name, with: catalog, db)
            }
            return progress
        }
    }

    /// Sets a hold. Replaces one of the same name.
    ///
    /// - Throws: ``ArchiveError``; does not wait while the disk has trouble.
    package func setHold(_ hold: Hold) async throws {
        try await writer.use { try await $0.writeHolds { db in try hold.set(db) } }
    }

    /// Removes a hold.
    ///
    /// - Returns: False if there is none of that name.
    /// - Throws: ``ArchiveError``; does not wait while the disk has trouble.
    package func removeHold(named name: String) async throws -> Bool {
        try await writer.use { try await $0.writeHolds { db in try Hold.remove(name, db) } }
    }

    /// Does a step of forgetting, between events.
    ///
    /// - Parameter place: Where the step begins; nil for the beginning of the work.
    /// - Throws: ``ArchiveError``; does not wait while the disk has trouble.
    package func forget(_ request: Forgetting, from place: ForgettingPlace? = nil, at now: Timestamp) async throws
        -> ForgettingProgress
    {
        let forgetter = Forgetter(request: request, now: now, account: writer.account.name, catalog: writer.catalog)
        let files = AttachmentFolder(of: writer.folder)
        var progress = ForgettingProgress()
        switch place ?? .messages(after: .min, held: 0) {
        case .messages(let after, let held):
            let batch = try await writer.use { try await $0.forgetMessages(forgetter, after: after, files) }
            progress.events = Int64(batch.messages.count { $0.kind.isNoise })
            (progress.messages, progress.held) = (Int64(batch.messages.count) - progress.events, batch.held)
            let sum = held + batch.held
            progress.next = batch.next.map { .messages(after: $0, held: sum) } ?? .person(held: sum)
        case .person(let held):
            // A person whose messages a hold keeps keeps their names, too.
            if held == 0 {
                try await writer.use { try await $0.writeNames { db in try forgetter.forgetPerson(db) } }
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

    /// Removes the traces that a crash during forgetting left.
    ///
    /// - Throws: ``ArchiveError``; does not wait while the disk has trouble.
    package func finishForgetting() async throws {
        guard try await writer.read({ db in try SpentPages.needsScrub(db) }) else { return }
        while try await writer.write({ db in try SpentPages.scrub(db) }), !Task.isCancelled {}
        while try await writer.read({ db in try SpentPages.clear(db) }) == nil, !Task.isCancelled {}
    }

    /// Does a step of erasing a room, between events. The first steps may be repeated: they do what is left.
    ///
    /// - Parameter place: Where the step begins; nil for the beginning of the work.
    /// - Throws: ``ArchiveError``, with `unknownRoom` if the room does not exist and with `held` if a hold keeps it; does
    ///   not wait while the disk has trouble.
    package func erase(room: Int64, from place: ErasingPlace? = nil, at now: Timestamp) async throws -> ErasingProgress
    {
        var progress = ErasingProgress()
        switch place?.stage {
        case .index:
            let isMerged = try await !mergeTraces()
            progress.next = place.map { ErasingPlace(isMerged ? .pages : .index, through: $0.through) }
        case .pages:
            let isClean = try await clearPages()
            progress.next = isClean == nil ? place : nil
            progress.isClean = isClean ?? true
        default:
            let eraser = RoomEraser(room: room, now: now, account: writer.account.name, catalog: writer.catalog)
            let files = AttachmentFolder(of: writer.folder)
            progress = try await writer.use { try await $0.erase(eraser, from: place, files) }
        }
        return progress
    }

    /// Does a step of removing what is forgotten from the search index.
    ///
    /// - Returns: True if there is more to do.
    private func mergeTraces() async throws -> Bool { try await writer.write { db in try SpentPages.scrub(db) } }

    /// Removes files that no message has, and does a step of giving unused pages back.
    ///
    /// - Returns: Nil if there is more to do; false if unused pages remain, as ``SpentPages/clear(_:)``.
    private func clearPages() async throws -> Bool? {
        let files = AttachmentFolder(of: writer.folder)
        return try await writer.read { db in
            try AttachmentBook.removeUnfinished(files, db)
            try GoneContents.delete(from: files, db)
            try GoneContents.requireNone(in: files, db)
            return try SpentPages.clear(db)
        }
    }
}

extension AccountWriter {
    /// The removal of messages.
    package var retention: AccountRetention { AccountRetention(writer: self) }
}
