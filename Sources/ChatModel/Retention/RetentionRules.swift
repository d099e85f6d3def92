/// The retention rules of one account: tables of the configuration, in the order in which they are asked.
package struct RetentionRules: Sendable, Hashable, Codable {
    /// The tables. For each room and part, the first one that has an age decides.
    package var tables: [Table]
    /// The texts of rules that wait for the owner's decision, and remove nothing meanwhile.
    package var waiting: Set<String> = []

    /// A table of the configuration.
    package struct Table: Sendable, Hashable, Codable {
        /// The rooms that the table is for; nil for all.
        package var rooms: [RoomPattern]?
        /// The account by which the patterns name rooms, as `ACCOUNT/NAME`; nil if the table is of one account, and its
        /// patterns are names.
        package var account: String?
        package var ages: [RetentionPart: RetentionAge]
        /// The number of newest messages of a room that no rule removes; nil for none.
        package var minMessages: Int?

        package init(
            rooms: [RoomPattern]? = nil, ages: [RetentionPart: RetentionAge] = [:], minMessages: Int? = nil
        ) {
            (self.rooms, self.ages, self.minMessages) = (rooms, ages, minMessages)
        }

        fileprivate func covers(_ room: String) -> Bool {
            let name = account.map { "\($0)/\(room)" } ?? room
            return rooms?.contains { $0.matches(name) } ?? true
        }
    }

    package init(tables: [Table] = []) { self.tables = tables }

    /// True if no rule removes anything.
    package var isEmpty: Bool { !tables.contains { $0.ages.values.contains { $0.duration != nil } } }

    /// Returns the rule for a part of a room; nil if the part is kept for ever. Joins and the like are kept as long as
    /// messages, unless a table has an age for them.
    ///
    /// - Parameter room: The room's name today.
    package func rule(for part: RetentionPart, room: String) -> RetentionRule? {
        for table in tables where table.covers(room) {
            let age = table.ages[part] ?? (part == .joins ? table.ages[.messages] : nil)
            guard let age else { continue }
            return allowed(RetentionRule(part: table.ages[part] == nil ? .messages : part, age, table.rooms))
        }
        return nil
    }

    private func allowed(_ rule: RetentionRule?) -> RetentionRule? {
        rule.flatMap { waiting.contains($0.text) ? nil : $0 }
    }

    /// Returns the rule for the raw bytes of the whole account; nil if they are kept for ever.
    package var rawRule: RetentionRule? {
        tables.lazy.compactMap { $0.ages[.raw] }.first.flatMap { allowed(RetentionRule(part: .raw, $0, nil)) }
    }

    /// Returns the number of newest messages of a room that no rule removes: the largest number of all its tables.
    package func minMessages(room: String) -> Int {
        tables.filter { $0.covers(room) }.compactMap(\.minMessages).max() ?? 0
    }
}

/// A part of an archive that rules keep for a time of its own.
package enum RetentionPart: String, Sendable, Hashable, Codable, CodingKeyRepresentable, CaseIterable {
    /// Messages with everything that belongs to them: earlier texts, reactions, files, raw bytes.
    case messages
    /// Joins, leaves, renames and modes.
    case joins
    /// The contents of files. Their messages stay.
    case files
    /// The bytes that the network sent. The messages in them stay.
    case raw

    /// The key of the configuration.
    package var key: String { self == .messages ? "max_age" : "\(rawValue)_max_age" }
}

/// The age up to which a rule keeps something.
package struct RetentionAge: Sendable, Hashable, Codable {
    /// The age as the configuration has it, such as `90d`.
    package var text: String
    /// Nil for `forever`.
    package var duration: Duration?

    package init(text: String, duration: Duration?) { (self.text, self.duration) = (text, duration) }
}

/// A rule that removes a part of some rooms by its age.
package struct RetentionRule: Sendable, Hashable, Codable {
    /// The rule as the configuration has it: `max_age = "90d"`, or `max_age = "90d" for #bots*`.
    package var text: String
    /// Nil for what was forgotten or erased, whatever its age.
    package var age: Duration?

    fileprivate init?(part: RetentionPart, _ age: RetentionAge, _ rooms: [RoomPattern]?) {
        guard let duration = age.duration else { return nil }
        text = "\(part.key) = \"\(age.text)\""
        if let rooms { text += " for " + rooms.map(\.text).joined(separator: ", ") }
        self.age = duration
    }

    package init(text: String, age: Duration?) { (self.text, self.age) = (text, age) }

    /// Stands in the ledger for what was forgotten.
    package static let forget = RetentionRule(text: "forget", age: nil)
    /// Stands in the ledger for a room that was erased.
    package static let erase = RetentionRule(text: "erase", age: nil)

    /// The rule without the names of its rooms, for readers of one room: `max_age = "90d"`. An age has no quote.
    package var withoutRooms: RetentionRule {
        guard let rooms = text.firstRange(of: "\" for ") else { return self }
        return RetentionRule(text: text[..<rooms.lowerBound] + "\"", age: age)
    }

    /// Returns the instant before which everything is too old.
    package func end(at now: Timestamp) -> Timestamp {
        age.map { now.advanced(by: .zero - $0) } ?? Timestamp(microseconds: .min)
    }
}

/// A pattern for names of rooms: `*` stands for any characters, `?` for one. Case does not matter. Accents do, unlike in a
/// search: `#cafe` and `#café` may be two rooms, and what a rule removes does not come back.
package struct RoomPattern: Sendable, Hashable, Codable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// Returns true for `ACCOUNT/*` and the like, which match every room of the account as `ACCOUNT/NAME`.
    package func matchesEveryRoom(of account: String) -> Bool { text.hasSuffix("*") && matches(account + "/") }

    package func matches(_ room: String) -> Bool {
        let (pattern, name) = (Array(text.lowercased()), Array(room.lowercased()))
        var (place, read) = (0, 0)
        // The place after the last `*`, and the character of the name at which its run ends for now.
        var star: (next: Int, end: Int)?
        while read < name.count {
            if place < pattern.count, pattern[place] == "*" {
                star = (place + 1, read)
                place += 1
            } else if place < pattern.count, pattern[place] == "?" || pattern[place] == name[read] {
                (place, read) = (place + 1, read + 1)
            } else if let last = star {
                star = (last.next, last.end + 1)
                (place, read) = (last.next, last.end + 1)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == "*" }
    }
}
