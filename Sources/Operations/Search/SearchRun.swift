package import ChatModel
package import Reading
import Rendering
package import SearchText
import Synchronization

/// Searches an archive: through the index alone, or message by message for a regular expression, for exact letters, and for
/// parts of words that too many words have.
package struct SearchRun: Sendable {
    package let reading: ArchiveReading
    package let search: SearchScope
    package let expression: RegularExpression?
    private let report: RegexReport
    /// The search indexes that the last page of words read.
    private let indexes = ReadIndexes()

    /// - Parameter report: The time limit for the expression, and the receiver of its progress.
    package init(
        reading: ArchiveReading, search: SearchScope, expression: RegularExpression?, report: RegexReport
    ) {
        (self.reading, self.search, self.expression, self.report) = (reading, search, expression, report)
    }

    /// True if each hit of the index is tested, by a regular expression or by exact letters.
    package var testsHits: Bool { expression != nil || search.query.hasExactLetters }

    /// Returns a page of hits, and notes on hits that it may lack.
    package func page(_ query: MessageQuery) throws -> (page: Page, notes: String) {
        if !testsHits, let page = try pageOfWords(query) { return (page, "") }
        let (page, progress) = try scanned { try $0.page(query) }
        report.clear()
        return (page, report.notes(progress))
    }

    /// Returns a sentence for each account whose search index lacks messages, or what the query looks for.
    package func indexNotes(_ scope: MessageQuery.Scope) throws -> [String] {
        // Without a name, the command skips compressed accounts.
        func command(_ account: String) -> String { NextCommand.line(["archive", "reindex", account]) }
        let indexes = try indexes.last ?? reading.search.indexes(scope)
        let outdated = indexes.filter(\.isOutdated).compactMap { index in
            search.lack(ofIndexBy: index.analyser).map { lack in
                "\(Sanitizer.line(index.account)): an earlier version made the search index, which lacks \(lack); "
                    + (reading.isShared
                        ? "a listener of this version rebuilds it" : "to rebuild it: \(command(index.account))")
            }
        }
        return outdated
            + indexes.filter(\.lacksMessages).map { behind in
                // An abandoned index counts as empty.
                let isEmpty = behind.from == .max
                let reach =
                    isEmpty ? "no messages are" : "only messages from \(MessageID(microseconds: behind.from)) on are"
                return "\(Sanitizer.line(behind.account)): \(reach) in the search index; "
                    + "to add the rest: \(command(behind.account))"
            }
    }

    /// Calls the body with every hit, a page at a time, from the query's anchor on. The time limit of a regular
    /// expression covers all pages together.
    ///
    /// - Returns: Notes on hits that were not found, and the last page if time was up after it.
    package func pages(
        _ query: MessageQuery, _ body: (Page) throws -> Void
    ) throws -> (notes: String, cut: Page?) {
        let deadline = ContinuousClock.now + .seconds(report.seconds)
        var (whole, walk) = (RegexProgress(), PageWalk(query))
        func readPage(_ query: MessageQuery) throws -> Page {
            if !testsHits, let page = try indexed({ try wordsPage(query, matching: search) }) { return page }
            let (page, progress) = try scanned(until: deadline) { try $0.page(query) }
            whole.add(progress)
            return page
        }
        while let page = try walk.next(readPage) {
            report.clear()
            try body(page)
            if whole.isCut { return (report.notes(whole), page) }
        }
        return (report.notes(whole), nil)
    }

    /// Counts the hits, and returns notes on hits that are not counted.
    ///
    /// - Parameter limit: The number of people whose names are wanted of a count by user, from the highest count down; nil for
    ///   all. Those after them may have no name.
    /// - Throws: ``OperationError`` if time was up, because a partial count would be wrong, and for too many rows.
    package func counts(
        _ scope: MessageQuery.Scope, by grouping: HitGrouping, named limit: Int? = nil
    ) throws -> (counts: [HitCount], notes: String) {
        do {
            return try allCounts(scope, by: grouping, named: limit)
        } catch is TooManyCounts {
            throw UsageError(
                "--by counts more than \(TooManyCounts.limit.grouped) rows; use fewer or coarser properties, such as month "
                    + "for day, or limit the time")
        }
    }

    private func allCounts(
        _ scope: MessageQuery.Scope, by grouping: HitGrouping, named limit: Int?
    ) throws -> (counts: [HitCount], notes: String) {
        let found =
            try testsHits
            ? nil : indexed { try reading.counts.hits(scope: scope, matching: search, by: grouping, named: limit) }
        if let found { return (found, "") }
        let (counts, progress) = try scanned { try $0.count(scope: scope, by: grouping) }
        report.clear()
        if progress.isCut {
            let found = Int(counts.reduce(0) { $0 + $1.count })
            throw OperationError(
                .stopped, "\(report.stopped(progress)): \(found.grouped) found so far",
                hint: report.advice)
        }
        return (counts, report.notes(progress))
    }

    /// The number of messages that are tested for a part that many words have before the index looks up more words than
    /// usual: 10 ms *(measured)*. Usually, a page is full by then.
    private var testedFirst: Int { reading.isShared ? 2000 : 20_000 }

    /// Returns a page of a search without a regular expression.
    ///
    /// - Returns: Nil if too many words have the parts of words that the query asks for, and the hits are rare.
    private func pageOfWords(_ query: MessageQuery) throws -> Page? {
        if let page = try indexed({ try wordsPage(query, matching: search) }) { return page }
        let (page, progress) = try scanned(most: testedFirst) { try $0.page(query) }
        report.clear()
        guard progress.isCut else { return page }
        var wider = search
        wider.wordLimit = TooManyWords.countLimit
        return try indexed { try wordsPage(query, matching: wider) }
    }

    /// Returns a page of the index, and keeps the states of the accounts' indexes for ``indexNotes(_:)``.
    private func wordsPage(_ query: MessageQuery, matching search: SearchScope) throws -> Page {
        let (page, indexes) = try reading.pageWithIndexes(query, matching: search)
        self.indexes.last = indexes
        return page
    }

    /// - Returns: Nil if too many words have the parts of words that the query asks for.
    private func indexed<T>(_ body: () throws -> T) throws -> T? {
        do { return try body() } catch is TooManyWords { return nil }
    }

    /// Tests messages one by one: those that the index finds if it can.
    private func scanned<T>(
        until deadline: ContinuousClock.Instant? = nil, most: Int = .max, _ body: (RegexSearch) throws -> T
    ) throws -> T {
        let deadline = deadline ?? .now + .seconds(report.seconds)
        func search(_ search: SearchScope, filter: SearchScope?) -> RegexSearch {
            RegexSearch(
                reading: reading, search: search, filter: filter, expression: expression, deadline: deadline,
                most: most, progress: report.show)
        }
        if testsHits, let found = try indexed({ try body(search(self.search, filter: nil)) }) { return found }
        return try body(search(self.search.withoutWordParts, filter: self.search))
    }
}

/// The states of the search indexes of the accounts that a page was read from.
private final class ReadIndexes: Sendable {
    private let states = Mutex<[SearchedIndex]?>(nil)

    /// Nil before the first page.
    var last: [SearchedIndex]? {
        get { states.withLock(\.self) }
        set { states.withLock { $0 = newValue } }
    }
}
