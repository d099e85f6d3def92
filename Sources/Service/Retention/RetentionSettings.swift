package import ChatModel
import Rendering

/// The rules for what is kept of an account, and when they are applied.
package struct RetentionSettings: Sendable, Equatable {
    package var rules = RetentionRules()
    /// The age in `raw_keep`, which is in the rules, too; nil for none.
    private(set) var rawKeep: RetentionAge?
    /// The minute of the local day at which the listener applies the rules; nil for every hour.
    var minuteOfDay: Int?

    init() {}

    /// Reads the table `[retention]`, which is for all accounts, and the tables `[[retention.rule]]` for some of their
    /// rooms.
    init(_ table: inout TableReader) {
        let general = RetentionRules.Table(&table)
        rules.tables = Self.tables("rule", in: &table, namesAccounts: true) + [general]
        if let text = table.string("at") {
            minuteOfDay = Self.minute(text)
            if minuteOfDay == nil {
                table.report("at", expected: "a time of day such as \"03:30\"", found: TableReader.quote(text))
            }
        }
        table.reportUnknownKeys()
    }

    /// Reads the tables `[[account.retention]]` and the key `raw_keep`, which means `raw_max_age`.
    init(ofAccount table: inout TableReader) {
        rules.tables = Self.tables("retention", in: &table, namesAccounts: false)
        if let age = table.age("raw_keep"), age.duration != nil {
            rawKeep = age
            rules.tables.append(RetentionRules.Table(ages: [.raw: age]))
        }
    }

    /// Reads the tables of that name.
    ///
    /// - Parameter namesAccounts: True for tables that must be for some rooms, as `ACCOUNT/ROOM`.
    private static func tables(
        _ name: String, in table: inout TableReader, namesAccounts: Bool
    ) -> [RetentionRules.Table] {
        var tables: [RetentionRules.Table] = []
        for var inner in table.tables(name) {
            let patterns = inner.strings("rooms")
            let hasRooms = inner.has("rooms")
            if hasRooms, patterns.isEmpty {
                inner.report("rooms", expected: "at least one name or pattern", found: "an empty list")
            } else if namesAccounts, !hasRooms {
                inner.reportMissing("rooms", expected: "the rooms of the rule, such as [\"kakaotalk/*\"]")
            } else if namesAccounts, let short = patterns.first(where: { !$0.contains("/") }) {
                inner.report(
                    "rooms", expected: "ACCOUNT/ROOM such as \"kakaotalk/가족\" or \"*/#bots\"",
                    found: TableReader.quote(short))
            }
            var read = RetentionRules.Table(&inner)
            if hasRooms { read.rooms = patterns.map(RoomPattern.init) }
            // Raw bytes are kept for whole accounts.
            if hasRooms, read.ages.removeValue(forKey: .raw) != nil {
                inner.report(
                    RetentionPart.raw.key,
                    expected: "a table without rooms, because raw bytes belong to the whole account",
                    found: "a table with rooms")
            }
            inner.reportUnknownKeys()
            tables.append(read)
            table.take(inner, name: name)
        }
        return tables
    }

    /// Returns the rules for all accounts as those of one account, whose rooms they name as `ACCOUNT/NAME`.
    func of(_ account: String) -> RetentionSettings {
        var settings = self
        for index in settings.rules.tables.indices where settings.rules.tables[index].rooms != nil {
            settings.rules.tables[index].account = account
        }
        return settings
    }

    /// Adds the rules for all accounts after the account's own.
    mutating func add(_ general: RetentionSettings) {
        rules.tables += general.rules.tables
        minuteOfDay = general.minuteOfDay
    }

    private static func minute(_ text: String) -> Int? {
        guard let match = text.wholeMatch(of: /([01][0-9]|2[0-3]):([0-5][0-9])/), let hour = Int(match.1),
            let minute = Int(match.2)
        else { return nil }
        return hour * 60 + minute
    }
}

extension RetentionRules.Table {
    fileprivate init(_ table: inout TableReader) {
        self.init()
        for part in RetentionPart.allCases { ages[part] = table.age(part.key) }
        minMessages = table.optionalInteger("min_messages", in: 0...1_000_000_000)
    }
}
