import Bytes
import ChatModel
import Schema
import SearchText

/// The names of people that the reader of some rooms of an account knows: those under which they wrote there.
///
/// Names of other rooms do not exist for the reader, and a name begins with its first message in the reader's rooms.
/// Messages are found by the search index, as far as it reaches; joins, leaves, renames and modes don't count.
struct SeenNames {
    private let db: ReadTransaction
    private let rooms: Set<Int64>
    private let earliest: SQLText
    private let latest: SQLText

    /// A row of `user_name`: the name is used from this id until the next row's.
    private struct Span {
        var since: Int64
        var name: String
    }

    /// - Returns: Nil for a reader of all rooms, who knows all names.
    init?(_ db: ReadTransaction) throws {
        guard let rooms = db.rooms else { return nil }
        (self.db, self.rooms) = (db, rooms)
        earliest = try SearchHits.ids(order: "ASC", db)
        latest = try SearchHits.ids(order: "DESC", db)
    }

    /// Returns the names of a user in order of time; empty for a user who wrote nothing in the rooms.
    func names(of user: Int64) throws -> [User.Name] {
        guard let match = try match(user) else { return [] }
        let spans = try spans(of: user)
        var names: [User.Name] = []
        var lower = Int64.min
        while let id = try db.integer(earliest, [.integer(lower), .integer(.max), .text(match), 1]) {
            let index = Self.index(of: id, in: spans)
            guard let index else { break }
            if !(names.last?.name.isExactly(spans[index].name) ?? false) {
                let time = Timestamp(microseconds: id)
                if !names.isEmpty { names[names.count - 1].lastSeen = time }
                names.append(User.Name(name: spans[index].name, firstSeen: time, lastSeen: nil))
            }
            guard index + 1 < spans.count else { break }
            lower = spans[index + 1].since &- 1
        }
        return names
    }

    /// Returns the name of a user's latest message in the rooms, or the one that a silent member has; nil for a person
    /// who is unknown there.
    func name(of user: Int64) throws -> String? {
        let spans = try spans(of: user)
        if let id = try latestMessage(of: user) { return Self.index(of: id, in: spans).map { spans[$0].name } }
        return try stay(of: user).flatMap { Self.index(in: spans, $0) }.map { spans[$0].name }
    }

    private func latestMessage(of user: Int64) throws -> Int64? {
        try match(user).flatMap { try db.integer(latest, [.integer(.min), .integer(.max), .text($0), 1]) }
    }

    private func stay(of user: Int64) throws -> Stay? {
        try db.first(
            """
            SELECT joined_at_us, left_at_us FROM membership
            WHERE room_id \(.among(1)) AND user_id = ?2 ORDER BY room_id LIMIT 1
            """, [.list(rooms.sorted()), .integer(user)]
        ) { row in try Stay(joined: row.optionalInteger(0), left: row.optionalInteger(1)) }
    }

    /// Returns the time at which the rooms saw a user last: that of their latest message or, for a silent member, of
    /// joining or leaving; the end of time for a member whose times are unknown. Nil for a person who is unknown there.
    func lastSight(of user: Int64) throws -> Int64? {
        if let id = try latestMessage(of: user) { return id }
        return try stay(of: user).map { $0.joined ?? $0.left ?? .max }
    }

    /// Returns true if a user wrote in the rooms at a time with `since` <= time < `until`, or was seen there last then.
    func saw(_ user: Int64, since: Int64, until: Int64?) throws -> Bool {
        if let last = try lastSight(of: user), last >= since, until.map({ last < $0 }) ?? true { return true }
        guard let match = try match(user) else { return false }
        let lower = since == .min ? since : since - 1
        return try db.integer(earliest, [.integer(lower), .integer(until ?? .max), .text(match), 1]) != nil
    }

    /// Returns true if a user wrote in the rooms under a name that fits.
    func wrote(_ user: Int64, under isWanted: (String) -> Bool) throws -> Bool {
        let spans = try spans(of: user)
        // Without messages in the rooms, it does not matter which name finds them.
        guard spans.count > 1 else { return true }
        guard let match = try match(user) else { return false }
        for (index, span) in spans.enumerated() where isWanted(span.name) {
            let lower = index == 0 ? .min : span.since &- 1
            let upper = index + 1 < spans.count ? spans[index + 1].since : .max
            if try db.integer(earliest, [.integer(lower), .integer(upper), .text(match), 1]) != nil { return true }
        }
        return false
    }

    /// A member's stay in a room.
    struct Stay {
        var joined: Int64?
        var left: Int64?
    }

    /// Returns the name of a member who wrote nothing: the one at joining or leaving, or else today's, which the members
    /// of the room see.
    ///
    /// - Parameter since: The time to give for a stay whose times are unknown.
    func name(ofSilent user: Int64, _ stay: Stay, since: Timestamp) throws -> User.Name? {
        let spans = try spans(of: user)
        return Self.index(in: spans, stay).map { index in
            let time = (stay.joined ?? stay.left).map(Timestamp.init(microseconds:)) ?? since
            return User.Name(name: spans[index].name, firstSeen: time, lastSeen: nil)
        }
    }

    private static func index(in spans: [Span], _ stay: Stay) -> Int? {
        (stay.joined ?? stay.left).map { index(of: $0, in: spans) } ?? spans.indices.last
    }

    /// Returns the name at the time of a message. Messages before the first sighting get the earliest name.
    private static func index(of id: Int64, in spans: [Span]) -> Int? {
        spans.lastIndex { $0.since <= id } ?? spans.indices.first
    }

    private func spans(of user: Int64) throws -> [Span] {
        try db.all(
            "SELECT first_seen_us, name FROM user_name WHERE user_id = ?1 ORDER BY first_seen_us", [.integer(user)]
        ) { row in try Span(since: row.integer(0), name: row.text(1)) }
    }

    /// Returns the query of a user's messages in the rooms; nil if there are none.
    private func match(_ user: Int64) throws -> String? {
        let own = try db.integers(
            "SELECT room_id FROM sender_count WHERE sender_id = ?1 AND messages > 0", [.integer(user)]
        )
        .filter(rooms.contains).sorted()
        let expression = MatchExpression(
            SearchQuery(), facets: [["u\(user)"], own.map { "r\($0)" }], in: db.searchLanguage, users: { _ in [] },
            rooms: { _ in [] })
        if case .match(let text) = expression { return text }
        return nil
    }
}
