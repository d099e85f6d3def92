package import Archive
import ChatModel
import LogFormats
import TextEncodings

/// An import of all sources, with its report.
package struct ImportWork {
    private var search: ImportSearch
    private var run: ImportRun
    private let alignment: ImportAlignment
    package private(set) var report: ImportReport {
        get { search.report }
        set { search.report = newValue }
    }

    /// True if the account's own person, whose name is known, sent a message.
    package var hasOwner: Bool { run.done.hasOwner }
    /// True if an export has a word for its owner whose name is unknown; the summary says so.
    package var hasUnnamedOwner: Bool { run.done.unnamedOwner != nil }
    /// True if a source is an export that does not mark its owner's messages.
    package var hidesOwner: Bool { search.sources.formats.contains { $0.hidesOwner } }
    /// A name of the account's own person that is probably another person's; nil if there is none.
    package var doubtfulName: DoubtfulName? { run.done.doubtfulName }
    /// True if not one line could be read, or a tenth of a source's lines could not.
    package var isUnreadable: Bool { run.done.isUnreadable || run.done.hasDoubtfulSource }

    /// - Parameter alignment: The one by which `store` of ``perform(store:)`` recognises stored messages.
    package init(_ search: ImportSearch, run: ImportRun, alignment: ImportAlignment) {
        (self.search, self.run, self.alignment) = (search, run, alignment)
        self.run.beside = FilesBeside(search.sources.found)
        self.search.sources.putDatabasesFirst()
    }

    /// Imports all sources. Reports files that can't be read, and continues with the others. On a request to stop,
    /// reports the place and returns.
    ///
    /// - Throws: any error of `store`, after reporting the place; an error of writing the machine format.
    package mutating func perform(store: @escaping ImportRun.Store) async throws {
        do {
            guard try await hasReadAll(store: store) else {
                report.print(report.stopped(run.done))
                return try await end(isComplete: false)
            }
        } catch {
            try? await run.settle()
            let isRefused = (error as? ImportError)?.code == .shifted
            report.print(report.stopped(run.done, continues: !isRefused))
            try? report.end(run.done, isComplete: false)
            throw error
        }
        try await end(isComplete: true)
    }

    /// Imports all sources. Returns false after a request to stop, once the batch that is being stored is stored.
    private mutating func hasReadAll(store: @escaping ImportRun.Store) async throws -> Bool {
        do {
            var isAfterDatabase = false
            for source in search.sources {
                if isAfterDatabase, !source.isDatabase { try await endDatabases(store: store) }
                isAfterDatabase = source.isDatabase
                if report.hasOutcomes {
                    try await importApart(source, store: store)
                } else {
                    try await importSource(source, store: store)
                }
            }
            try await run.finish(store: store) { [report] in report.show($0) }
            return true
        } catch is ImportStopped {
            run.forgetPending()
            try await run.settle()
            return false
        }
    }

    /// Stores the messages of the databases. A program's text logs have the same messages without ids, and are compared
    /// with them, also in a new account.
    private mutating func endDatabases(store: @escaping ImportRun.Store) async throws {
        try await run.finish(store: store) { [report] in report.show($0) }
        try await alignment.openCreated()
    }

    private mutating func end(isComplete: Bool) async throws {
        run.assume(clocks: await alignment.distances)
        report.print(report.summary(run.done))
        if isComplete { search.skipUnrecognised { run.done.files.isNamed($0) } }
        report.print(report.skippedText)
        let printed = report.troubles - report.unreported.count
        report.printErrors()
        if isComplete { report.noteMissing(printed: printed, of: run.done) }
        try report.end(run.done, isComplete: isComplete)
    }

    /// Returns the first error of the source's files.
    @discardableResult
    private mutating func importSource(
        _ source: ImportSource, store: @escaping ImportRun.Store
    ) async throws -> ImportError? {
        var report = report
        defer { self.report = report }
        var first: ImportError?
        // The two closures are never called at the same time.
        try await run.importSource(source, store: store) {
            report.show($0)
        } onError: {
            first = first ?? $0
            report.noteError($0)
        }
        return first
    }

    /// Reads a source and stores it to its end, so that its outcome is known. Otherwise the files of some days would
    /// share a transaction.
    private mutating func importApart(
        _ source: ImportSource, store: @escaping ImportRun.Store
    ) async throws {
        let before = run.done
        let error = try await importSource(source, store: store)
        try await run.finish(store: store) { [report] in report.show($0) }
        report.noteOutcome(
            ImportOutcome(
                path: source.shown, state: error == nil ? .imported : .failed, reason: error?.reason,
                format: source.format.name, rooms: run.done.rooms.sorted(), lines: run.done.lines - before.lines,
                tally: run.done.tally - before.tally,
                notUTF8: run.done.undecoded.messages - before.undecoded.messages,
                encoding: run.done.encoding?.encoding?.rawValue, encodingDoubt: run.done.encoding?.doubt))
    }
}

extension ImportTally {
    /// Returns the difference of two tallies of one import.
    fileprivate static func - (later: ImportTally, earlier: ImportTally) -> ImportTally {
        ImportTally(
            new: later.new - earlier.new, changed: later.changed - earlier.changed,
            known: later.known - earlier.known, failed: later.failed - earlier.failed,
            expired: later.expired - earlier.expired,
            records: later.records - earlier.records, newRecords: later.newRecords - earlier.newRecords)
    }
}
