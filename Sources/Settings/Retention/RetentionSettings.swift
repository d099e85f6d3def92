package import ChatModel
import Rendering

/// The rules for what is kept of an account, and when they are applied.
package struct RetentionSettings: Sendable, Equatable {
    package var rules = RetentionRules()
    /// The age in `raw_keep`, which is in the rules, too; nil for none.
    private(set) var rawKeep: RetentionAge?
    /// The minute of the local day at which the listener applies the rules; nil for every hour.
    package var minuteOfDay: Int?

    package init() {}

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

extension Configuration {
    /// True if a rule is for some rooms only.
    package var hasRulesForRooms: Bool {
        ([retention] + accounts.map(\.retention)).contains { $0.rules.tables.contains { $0.rooms != nil } }
    }

    /// Returns the patterns of rules that match no account or no room of an archive, for people. They are probably mistakes.
    /// A pattern for an account whose rooms are unknown is none of them.
    ///
    /// - Parameters:
    ///   - known: The accounts of the archive.
    ///   - unread: Those of them whose rooms are not in `rooms`.
    package func unmatchedRules(known: [String], rooms: [Room], unread: Set<String>) -> [String] {
        let named = rooms.map { "\($0.account)/\($0.name)" }
        let general = retention.rules.patterns(ofAccount: false).compactMap { pattern -> String? in
            guard !named.contains(where: pattern.matches) else { return nil }
            let account = RoomPattern(String(pattern.text.prefix { $0 != "/" }))
            let fitting = Set(known + accounts.map(\.identity.name)).filter(account.matches)
            let rule = "\(TableReader.quote(pattern.text)) of [[retention.rule]]"
            guard !fitting.isEmpty else { return Self.unmatched("account", rule, nearTo: account.text, among: known) }
            guard fitting.isSubset(of: Set(known).subtracting(unread)) else { return nil }
            // Only rooms whose own names are near: all names of an account begin alike.
            let room = String(pattern.text.drop { $0 != "/" }.dropFirst())
            let near = rooms.filter { fitting.contains($0.account) }
                .filter { !NearNames.names(for: room, among: [$0.name]).isEmpty }
            return Self.unmatched("room", rule, nearTo: pattern.text, among: near.map { "\($0.account)/\($0.name)" })
        }
        return general
            + accounts.flatMap { account -> [String] in
                let name = account.identity.name
                guard known.contains(name), !unread.contains(name) else { return [] }
                let names = rooms.filter { $0.account == name }.map(\.name)
                return account.retention.rules.patterns(ofAccount: true).compactMap { pattern in
                    guard !names.contains(where: pattern.matches) else { return nil }
                    let rule =
                        "\(TableReader.quote(pattern.text)) of [[account.retention]] of account \(TableReader.quote(name))"
                    return Self.unmatched("room", rule, nearTo: pattern.text, among: names)
                }
            }
    }

    /// Returns the names `ACCOUNT/NAME` of bots whose account neither the archive nor this configuration has, for people.
    package func unmatchedBots(known: [String]) -> [String] {
        let all = Set(known + accounts.map(\.identity.name))
        return bots.compactMap { bot in
            guard let slash = bot.firstIndex(of: "/"), !all.contains(where: { bot.hasPrefix("\($0)/") }) else {
                return nil
            }
            let account = String(bot[..<slash])
            return Self.unmatched("account", "\(TableReader.quote(bot)) of bots", nearTo: account, among: all.sorted())
        }
    }

    private static func unmatched(_ noun: String, _ rule: String, nearTo text: String, among names: [String]) -> String
    {
        let lists = "\"scrollback \(noun)s\" lists the names"
        return "no \(noun) matches \(rule); \(NearNames.question(for: text, among: names) ?? lists)"
    }
}

extension RetentionRules {
    /// Returns the patterns of the tables `[[account.retention]]`, or of the tables for all accounts.
    fileprivate func patterns(ofAccount: Bool) -> [RoomPattern] {
        tables.filter { !ofAccount || $0.account == nil }.flatMap { $0.rooms ?? [] }
    }
}
