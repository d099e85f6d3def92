import Archive
import ChatModel
import Rendering
import SearchText

/// Searches an archive: through the index alone, or also with a regular expression.
struct SearchRun: Sendable {
    let reading: ArchiveReading
    let search: SearchScope
    let expression: RegularExpression?
    /// The longest time for the expression.
    let seconds: Int

    /// Returns a page of hits, and notes on hits that it may lack.
    func page(_ query: MessageQuery) async throws -> (page: Page, notes: String) {
        guard let expression else { return (try await reading.page(query, matching: search), "") }
        let report = RegexReport(seconds: seconds)
        let (page, progress) = try await regexSearch(expression, report).page(query)
        report.clear()
        return (page, report.notes(progress))
    }

    /// Calls the body with every hit, a page at a time, from the query's anchor on. A regular expression has its time for
    /// all pages together.
    ///
    /// - Returns: Notes on hits that were not found, and the last page if time was up after it.
    func pages(
        _ query: MessageQuery, _ body: (Page) throws -> Void
    ) async throws -> (notes: String, cut: Page?) {
        guard let expression else {
            var walk = PageWalk(query) { try await reading.page($0, matching: search) }
            while let page = try await walk.next() { try body(page) }
            return ("", nil)
        }
        let report = RegexReport(seconds: seconds)
        let regex = regexSearch(expression, report)
        var whole = RegexProgress()
        var walk = PageWalk(query) { query in
            let (page, progress) = try await regex.page(query)
            whole.add(progress)
            return page
        }
        while let page = try await walk.next() {
            report.clear()
            try body(page)
            if whole.isCut { return (report.notes(whole), page) }
        }
        return (report.notes(whole), nil)
    }

    /// Counts the hits.
    ///
    /// - Throws: ``CommandError`` if time was up, because a partial count would be wrong.
    func counts(_ scope: MessageQuery.Scope, by grouping: HitGrouping) async throws -> [HitCount] {
        guard let expression else { return try await reading.count(scope: scope, matching: search, by: grouping) }
        let report = RegexReport(seconds: seconds)
        let (counts, progress) = try await regexSearch(expression, report).count(scope: scope, by: grouping)
        report.clear()
        if progress.isCut {
            let found = Int(counts.reduce(0) { $0 + $1.count })
            throw CommandError(
                .stopped, "\(report.stopped(progress)): \(found.grouped) found so far",
                hint: "raise the limit with --timeout")
        }
        StandardStream.note(report.notes(progress))
        return counts
    }

    private func regexSearch(_ expression: RegularExpression, _ report: RegexReport) -> RegexSearch {
        RegexSearch(
            reading: reading, search: search, expression: expression, deadline: .now + .seconds(seconds),
            progress: report.show)
    }
}
