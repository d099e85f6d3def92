package import ChatModel
import FoundationEssentials
import Records
import Schema
package import SearchText

/// A query and the time that it searches.
package struct SearchScope: Sendable {
    /// The words and filters.
    package var query: SearchQuery
    /// The exclusive lower bound of the hits; nil for none.
    package var after: MessageID?
    /// The exclusive upper bound of the hits; nil for none.
    package var before: MessageID?
    /// The rooms that each name of `in:` means; a name without an entry means none.
    package var rooms: [String: [NamedRoom]]
    /// The limit of words that have a part which the query asks for.
    package var wordLimit = TooManyWords.pageLimit
    /// Lists of alternatives: the text of each hit has letters of each list (``RegularExpression/requiredLetters``).
    var letters: [[String]] = []
    /// The limit of words that have these letters. A list with more is not asked for.
    var letterLimit = TooManyWords.pageLimit
    /// Leaves out messages of a page of an account's file; nil to leave out none.
    var sieve: TextSieve?

    package init(
        query: SearchQuery, after: MessageID? = nil, before: MessageID? = nil, rooms: [String: [NamedRoom]] = [:]
    ) {
        (self.query, self.after, self.before, self.rooms) = (query, after, before, rooms)
    }

    /// True if the query has a condition on a mark that indices by earlier analysers lack.
    var needsMarks: Bool {
        query.leaves.contains { term in
            switch term {
            case .has(.image), .has(.video), .has(.audio), .has(.reaction), .is(.reply), .is(.pinned): true
            default: false
            }
        }
    }

    /// Returns a part of the query's hits that an index by an earlier analyser lacks, as words of a sentence; nil if there is
    /// none.
    package func lack(ofIndexBy analyser: Int) -> String? {
        if needsMarks, analyser < SearchMarks.firstAnalyser { return "pictures, reactions, replies and pins" }
        guard query.hasWords else { return nil }
        if analyser < Analyser.firstWithSpellings {
            return "other spellings, and words within texts of Thai, Lao, Khmer and Burmese"
        }
        return analyser < Analyser.firstWithRareLetters
            ? "other spellings of rare letters, such as \"ɑ\" and \"ѝ\"" : nil
    }

    /// Returns the query of one account's index.
    ///
    /// - Throws: ``TooManyWords``.
    func hits(scope: MessageQuery.Scope, of account: AccountIdentity, _ db: ReadTransaction) throws -> SearchHits {
        let (users, words, letters) = try (senders(db), words(db), termsOfLetters(db))
        let expression = MatchExpression(
            query, facets: db.visible(scope.rooms(of: account.name)).map { [Self.facets($0)] } ?? [],
            letters: letters.terms, in: db.searchLanguage,
            users: { users[$0] ?? [] }, rooms: { facets(ofRoom: $0, of: account) },
            words: { words[$0] ?? letters.words[$0] ?? [] })
        return SearchHits(
            expression, in: db.searchLanguage, after: after?.microseconds, before: before?.microseconds,
            sieve: db.isShared ? nil : sieve)
    }

    /// Returns the words that have each part which the query asks for.
    ///
    /// - Throws: ``TooManyWords``.
    private func words(_ db: ReadTransaction) throws -> [WordPart: [String]] {
        let parts = Set(query.leaves.flatMap(\.wordParts))
        guard !parts.isEmpty else { return [:] }
        guard let vocabulary = try Vocabulary(db) else { throw TooManyWords() }
        var (found, left) = ([WordPart: [String]](), db.isShared ? min(wordLimit, TooManyWords.sharedLimit) : wordLimit)
        for part in parts {
            guard let words = try vocabulary.words(with: part, limit: left) else { throw TooManyWords() }
            found[part] = words
            left -= words.count
        }
        return found
    }

    /// Returns the terms of ``letters`` and the words that have them; none if the index lacks messages.
    private func termsOfLetters(_ db: ReadTransaction) throws -> (terms: [[Term]], words: [WordPart: [String]]) {
        var (all, known) = ([[Term]](), [WordPart: [String]]())
        guard !letters.isEmpty, let index = try SearchReach.all(db).first, index.from == .min,
            index.analyser == Analyser.version, let vocabulary = try Vocabulary(db)
        else { return (all, known) }
        var left = db.isShared ? min(letterLimit, TooManyWords.sharedLimit) : letterLimit
        for terms in letters.map({ $0.map(Term.infix) }) {
            var (found, rest) = ([WordPart: [String]](), left)
            for part in terms.flatMap(\.wordParts) where rest >= 0 {
                found[part] = try vocabulary.words(with: part, limit: rest)
                rest -= found[part]?.count ?? .max
            }
            guard rest >= 0 else { continue }
            left = rest
            all.append(terms)
            known.merge(found) { first, _ in first }
        }
        return (all, known)
    }

    /// Returns a function that decides without the index if a message of an account matches, by the same rules.
    func test(of account: AccountIdentity, _ db: ReadTransaction) throws -> @Sendable (Message) -> Bool {
        let (users, matcher) = (try senders(db), Matcher(query))
        return { message in
            guard !message.kind.isNoise, after.map({ message.id > $0 }) ?? true,
                before.map({ message.id < $0 }) ?? true
            else { return false }
            // Most queries have words alone, and making the facets takes longer than finding the words.
            lazy var facets = Set(SearchEntry(message).facets.split(separator: " ").map(String.init))
            return matcher.matches(message.body ?? "") { term in
                term.facets(users: { users[$0] ?? [] }, rooms: { self.facets(ofRoom: $0, of: account) })
                    .contains { facets.contains($0) }
            }
        }
    }

    /// The search without its conditions on parts of words, which finds what this one finds, and more.
    package var withoutWordParts: SearchScope {
        var search = self
        search.query = query.withoutWordParts
        return search
    }

    /// Returns the facets of an account's rooms that a name of `in:` means.
    private func facets(ofRoom name: String, of account: AccountIdentity) -> [String] {
        Self.facets((rooms[name] ?? []).filter { $0.account == account.name }.map(\.id))
    }

    /// Returns the facets of rooms in the search index.
    private static func facets(_ rooms: [Int64]) -> [String] {
        rooms.sorted().map { "r\($0)" }
    }

    /// Returns the numbers of an account's rooms that `in:` allows, and those alone of `scope` if it names rooms; nil for all
    /// rooms.
    func rooms(of account: String, in scope: MessageQuery.Scope) -> [Int64]? {
        let allowed = query.all.compactMap { alternatives -> Set<Int64>? in
            let names = alternatives.compactMap { if case .room(let name) = $0 { name } else { nil } }
            guard names.count == alternatives.count else { return nil }
            return Set(names.flatMap { rooms[$0] ?? [] }.filter { $0.account == account }.map(\.id))
        }
        let all = [scope.rooms(of: account).map(Set.init)].compactMap(\.self) + allowed
        return all.dropFirst().reduce(all.first) { $0?.intersection($1) }?.sorted()
    }

    /// Returns true if the gap could contain hits, because it overlaps the searched time and rooms.
    func looksInto(_ gap: Gap) -> Bool {
        let (from, to) = (gap.from.microseconds, gap.to?.microseconds ?? .max)
        return from < (before?.microseconds ?? .max) && to > (after?.microseconds ?? .min)
            && mayFulfil(gap, TermGroup(all: query.all, none: query.none))
    }

    /// Returns true if messages of the gap's room may fulfil the conditions.
    private func mayFulfil(_ gap: Gap, _ group: TermGroup) -> Bool {
        group.all.allSatisfy { $0.contains { mayFulfil(gap, $0) } } && !group.none.contains { fulfils(gap, $0) }
    }

    private func mayFulfil(_ gap: Gap, _ term: Term) -> Bool {
        if case .group(let group) = term { mayFulfil(gap, group) } else { isMeant(gap, by: term) ?? true }
    }

    /// Returns true if every message of the gap's room fulfils the condition.
    private func fulfils(_ gap: Gap, _ term: Term) -> Bool {
        guard case .group(let group) = term else { return isMeant(gap, by: term) ?? false }
        return group.all.allSatisfy { $0.contains { fulfils(gap, $0) } } && !group.none.contains { mayFulfil(gap, $0) }
    }

    /// Returns true if the gap's room fulfils the term; nil for a term that does not name a room.
    private func isMeant(_ gap: Gap, by term: Term) -> Bool? {
        guard case .room(let name) = term else { return nil }
        return (rooms[name] ?? []).contains { $0.account == gap.account && $0.name == gap.room }
    }

    /// Returns, for each term of `from:`, the facets of all users who have or had the name, in the form of ``FoldedName``.
    /// `from:me` means the account's own person if nobody has that name, and `from:alice⇄` those who write by a bridge.
    private func senders(_ db: ReadTransaction) throws -> [Term: [String]] {
        let wanted = Set(query.leaves).compactMap(SenderName.init)
        guard !wanted.isEmpty else { return [:] }
        var (found, bridged): ([Term: Set<Int64>], [Term: Set<Int64>]) = ([:], [:])
        try SenderName.eachCandidate(of: wanted, db) { row in
            let (id, folded) = try (row.integer(0), FoldedName.fold(row.text(1)))
            for wanted in wanted where wanted.fits(folded) { found[wanted.term, default: []].insert(id) }
            for wanted in wanted where wanted.bridged == folded { bridged[wanted.term, default: []].insert(id) }
        }
        for (term, users) in bridged {
            found[term, default: []].formUnion(try MessageExtras.bridges(of: users, db).keys)
        }
        if let seen = try SeenNames(db) {
            for wanted in wanted {
                found[wanted.term] = try found[wanted.term]?.filter { user in
                    try seen.wrote(user) { name in
                        let folded = FoldedName.fold(name)
                        return wanted.fits(folded) || wanted.bridged == folded
                    }
                }
            }
        }
        for wanted in wanted where wanted.isMe && found[wanted.term, default: []].isEmpty {
            found[wanted.term] = Set(try db.integers("SELECT id FROM \"user\" WHERE is_self = 1"))
        }
        return found.mapValues { ids in ids.sorted().map { "u\($0)" } }
    }
}

/// The name of `from:`, or its beginning.
private struct SenderName {
    let term: Term
    private let folded: String
    private let isPrefix: Bool

    /// - Returns: Nil for any other term.
    init?(_ term: Term) {
        self.term = term
        switch term {
        case .from(let name): (folded, isPrefix) = (FoldedName.fold(name), false)
        case .fromPrefix(let name): (folded, isPrefix) = (FoldedName.fold(name), true)
        default: return nil
        }
    }

    /// The name before the sign of a person who writes by a bridge; nil without that sign.
    var bridged: String? {
        !isPrefix && folded.hasSuffix(BridgeKey.sign) ? String(folded.dropLast(BridgeKey.sign.count)) : nil
    }

    /// True for `from:me`.
    var isMe: Bool { !isPrefix && folded == "me" }

    /// - Parameter name: A name in the form of ``FoldedName``, whose beginning is compared by code points: a letter of
    ///   Hindi or Thai is the beginning of a name in which a vowel sign follows it.
    func fits(_ name: String) -> Bool {
        isPrefix ? name.unicodeScalars.starts(with: folded.unicodeScalars) : name == folded
    }

    /// Calls `body` with the users and names that may fit, some of them several times.
    ///
    /// An index finds ASCII names only. Each other name is compared, which takes 1 µs *(measured)*.
    static func eachCandidate(of names: [SenderName], _ db: ReadTransaction, _ body: (Columns) throws -> Void) throws {
        for name in names where !name.isPrefix {
            try db.forEach(
                "SELECT user_id, name FROM user_name WHERE \(.folded("name")) = ?1",
                [.text(name.bridged ?? name.folded)], body)
        }
        for name in names where name.isPrefix {
            // The upper bound is after every ASCII name with that beginning.
            try db.forEach(
                "SELECT user_id, name FROM user_name WHERE \(.folded("name")) >= ?1 AND \(.folded("name")) < ?2",
                [.text(name.folded), .text(name.folded + "\u{10FFFF}")], body)
        }
        try db.forEach(
            "SELECT user_id, name FROM user_name WHERE length(name) <> \(.bytes(of: "name"))", [], body)
    }
}
