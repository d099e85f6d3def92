package import ChatModel
import Files
import Records
package import SearchText

/// Finds the hits of a search that also match a regular expression, or that the index alone can't find: those with the exact
/// letters of a phrase, or with a part of a word that too many words have. Reads hits in order, up to 1,000 at a time, and tests
/// them one by one until there are enough or time is up.
///
/// The index chooses the messages that have the letters which each match has. In an account's file, SQLite passes over most
/// other texts that can't be hits (``TextSieve``).
package struct RegexSearch: Sendable {
    let reading: ArchiveReading
    let search: SearchScope
    /// The search that the hits must match, too; nil if they do. Its names are looked up once for each page.
    let filter: SearchScope?
    let expression: RegularExpression?
    let deadline: ContinuousClock.Instant
    /// The number of messages after which the search stops, too.
    let most: Int
    let progress: @Sendable (RegexProgress) -> Void

    /// - Parameters:
    ///   - filter: The search that the hits of `search` must match, too; nil if they do. Phrases with exact letters need
    ///     none.
    ///   - expression: Nil if only the search is tested.
    ///   - deadline: The instant to stop at.
    ///   - most: The number of messages after which to stop.
    ///   - progress: Receives the progress after every thousand messages.
    package init(
        reading: ArchiveReading, search: SearchScope, filter: SearchScope? = nil, expression: RegularExpression?,
        deadline: ContinuousClock.Instant, most: Int = .max,
        progress: @escaping @Sendable (RegexProgress) -> Void = { _ in }
    ) {
        (self.reading, self.search, self.expression, self.deadline) = (reading, search, expression, deadline)
        (self.filter, self.most) = (filter ?? (search.query.hasExactLetters ? search : nil), most)
        self.progress = progress
    }

    /// Returns a page. Its cursors continue after the last message that was tested, so an empty page may follow.
    ///
    /// - Precondition: The query's anchor is one of the ends, or `before` or `after`.
    package func page(_ query: MessageQuery) throws -> (page: Page, progress: RegexProgress) {
        var (found, bytes) = ([Message](), 0)
        // One more than the page holds says whether another page follows.
        let scan = try scan(query, wanted: query.limit + 1, most: most) { message in
            // A page is never cut between equal ids.
            let isFull = found.count >= query.limit || !found.isEmpty && bytes + message.weight > reading.pageBytes
            if isFull, message.id != found.last?.id { return false }
            found.append(message)
            bytes += message.weight
            return true
        }
        let isForward = query.anchor.isForward
        let looked = scan.progress.last
        let near = isForward ? scan.first?.older : scan.first?.newer
        // The other direction continues from the first message of the page.
        let back = near.map { found.first?.id ?? $0 }
        let onward = scan.isWhole ? nil : scan.progress.isCut ? looked : found.last?.id
        let gaps = scan.gaps.filter { gap in
            guard let looked, onward != nil else { return true }
            return isForward ? gap.from < looked.time : gap.to.map { $0 > looked.time } ?? true
        }
        let page = Page(
            messages: isForward ? found : found.merged(), older: isForward ? back : onward,
            newer: isForward ? onward : back, gaps: Array(gaps).inOrder(), skipped: scan.first?.skipped ?? [])
        return (page, scan.progress)
    }

    /// The number of messages that are counted one by one before two threads count the others.
    private static let countedFirst = 256

    /// Counts hits from the newest back. When time is up, counts only the messages tested so far.
    ///
    /// - Throws: ``TooManyCounts``.
    package func count(
        scope: MessageQuery.Scope, by grouping: HitGrouping
    ) throws -> (counts: [HitCount], progress: RegexProgress) {
        guard let expression, filter == nil, !reading.isShared, reading.access.isEverything else {
            return try countMessages(scope, grouping, most: most)
        }
        let first = try countMessages(scope, grouping, most: min(most, Self.countedFirst))
        guard let last = first.progress.last, first.progress.isCut, first.progress.tested < most,
            ContinuousClock.now < deadline
        else { return first }
        var (search, start) = (search, first.progress)
        (search.before, search.letters) = (last, expression.requiredLetters)
        search.letterLimit = TooManyWords.countLimit
        // Several parts are tested at the same time.
        (start.isCut, start.last) = (false, nil)
        let rest = try TextCounts(
            reading: reading, scope: scope, search: search, expression: expression, deadline: deadline,
            progress: progress
        ).counts(by: grouping, after: start)
        return (try grouping.joined(first.counts + rest.counts), rest.progress)
    }

    private func countMessages(
        _ scope: MessageQuery.Scope, _ grouping: HitGrouping, most: Int
    ) throws -> (counts: [HitCount], progress: RegexProgress) {
        var counter = HitCounter(grouping)
        let scan = try scan(MessageQuery(scope: scope, names: .now), wanted: nil, most: most) { message in
            try counter.add(message)
            return true
        }
        return (counter.hitCounts, scan.progress)
    }

    private struct Scan {
        var progress = RegexProgress()
        /// True if no message follows the tested ones.
        var isWhole = false
        /// The first page of hits, before the expression is applied.
        var first: Page?
        var gaps: Set<Gap> = []
        /// The numbers of messages read whole, and of matches among them.
        var (read, matches) = (0, 0)

        /// The number of messages to read for the matches that are still wanted, at the rate of those read so far, at least one
        /// and at most `most`.
        func size(wanted: Int?, most: Int) -> Int {
            guard let wanted, matches > 0 else { return most }
            return min(most, max(1, (wanted - matches) * read / matches))
        }
    }

    /// - Parameters:
    ///   - wanted: The number of matches at which the scan is most likely stopped; nil if it never is.
    ///   - most: The number of messages after which to stop.
    ///   - take: Receives each match in the query's direction; returns false to stop.
    private func scan(
        _ query: MessageQuery, wanted: Int?, most: Int, take: (Message) throws -> Bool
    ) throws -> Scan {
        let (isForward, limit) = (query.anchor.isForward, ReadLimit.current)
        let tests = try filter.map { try reading.search.hitTests(of: $0, in: query.scope) }
        let mayMatch = mayMatch
        var (scan, anchor, size) = (Scan(), query.anchor, min(wanted ?? query.limit, Self.firstPage))
        while true {
            let part = try query.with(anchor: anchor, limit: scan.size(wanted: wanted, most: size))
            var sieved = lettered(isCount: wanted == nil)
            let sieve = TextSieve(
                limit: min(size * Self.textsPerMessage, most - scan.progress.tested), mayMatch: mayMatch, isOver: isOver
            )
            sieved.sieve = sieve
            let page = try reading.page(part, matching: sieved)
            scan.first = scan.first ?? page
            scan.gaps.formUnion(page.gaps)
            scan.progress.tested += sieve.count
            for message in isForward ? page.messages : page.messages.reversed() {
                try limit?.check()
                if scan.progress.last.map({ $0 != message.id && ContinuousClock.now >= deadline }) ?? false {
                    scan.progress.isCut = true
                    return scan
                }
                let isHit = tests.map { $0[message.account]?(message) ?? false } ?? true
                guard try test(message, isHit: isHit, &scan, take: take) else { return scan }
            }
            progress(scan.progress)
            guard let next = isForward ? page.newer : page.older else {
                scan.isWhole = true
                return scan
            }
            guard scan.progress.tested < most else {
                scan.progress.isCut = true
                return scan
            }
            anchor = isForward ? .after(next) : .before(next)
            size = min(size * 4, MessageQuery.limits.upperBound)
        }
    }

    /// Returns the search with the letters that every match of the expression has.
    private func lettered(isCount: Bool) -> SearchScope {
        var lettered = search
        lettered.letters = expression?.requiredLetters ?? []
        lettered.letterLimit = isCount ? TooManyWords.countLimit : TooManyWords.pageLimit
        return lettered
    }

    /// The number of messages that are read whole at first, if fewer are not enough; each time up to four times as many, up to
    /// a thousand.
    private static let firstPage = 64
    /// The number of texts after which a page of messages that are read whole is filled, for each of these: reading one takes
    /// twenty times as long as testing a text *(measured)*.
    private static let textsPerMessage = 200

    private var isOver: @Sendable () -> Bool {
        { [deadline, limit = ReadLimit.current] in ContinuousClock.now >= deadline || limit?.isOver == true }
    }

    /// Returns false only for a text without a hit.
    private var mayMatch: @Sendable (String) -> Bool {
        let (matcher, expression, isOver) = (filter.map { Matcher($0.query) }, expression, isOver)
        return { text in
            (matcher?.mayMatch(text) ?? true) && expression?.matches(text, stop: isOver) ?? true
        }
    }

    private func test(
        _ message: Message, isHit: Bool, _ scan: inout Scan, take: (Message) throws -> Bool
    ) rethrows -> Bool {
        let matches = isHit ? matches(message) : false
        guard try matches != true || take(message) else { return false }
        scan.read += 1
        if matches == true { scan.matches += 1 }
        scan.progress.tested += 1
        scan.progress.last = message.id
        if matches == nil { scan.progress.skipped += 1 }
        return true
    }

    /// Returns true if the expression matches, or if there is none; nil if the limits stopped the match.
    private func matches(_ message: Message) -> Bool? {
        guard let expression else { return true }
        return message.body.map { expression.matches($0, stop: isOver) } ?? false
    }
}

/// The progress of a ``RegexSearch``.
package struct RegexProgress: Sendable, Hashable {
    /// The number of tested messages.
    package var tested = 0
    /// The last tested message.
    package var last: MessageID?
    /// The number of messages on which the expression took too many steps; they may match.
    package var skipped = 0
    /// True if time was up before the end.
    package var isCut = false

    package init() {}

    /// Adds the progress of the next page.
    package mutating func add(_ next: RegexProgress) {
        (tested, skipped, isCut) = (tested + next.tested, skipped + next.skipped, next.isCut)
        last = next.last ?? last
    }
}

extension MessageQuery.Anchor {
    fileprivate var isForward: Bool {
        switch self {
        case .oldest, .after: true
        case .latest, .before: false
        case .around, .between, .day: preconditionFailure("a search has no such place")
        }
    }
}
