import ChatModel
import Foundation
import Testing

@testable import Service
@testable import Settings

/// `[retention]` and `[[account.retention]]`.
struct RetentionConfigurationTests {
    private let account = """
        [[account]]
        name = "classroom"
        network = "streamchat"
        server = "tcp://127.0.0.1:5080"
        nick = "archiver"

        """

    private func read(_ text: String) throws -> Configuration {
        try Configuration(ConfigurationFile.parse(text, path: "x.toml"), home: "/home/alice")
    }

    private func problems(_ text: String) throws -> [String] {
        let error = try #require(throws: ConfigurationError.self) { try read(text) }
        return error.lines.split(separator: "\n").map(String.init)
    }

    @Test func `an account's tables precede those for all accounts`() throws {
        let configuration = try read(
            """
            [retention]
            max_age = "365d"
            joins_max_age = "4w"
            files_max_age = "90d"
            min_messages = 1000
            at = "03:30"

            \(account)
            raw_keep = "12h"
            [[account.retention]]
            rooms = ["#b*", "#c"]
            max_age = "7d"
            [[account.retention]]
            min_messages = 7
            """)
        let rules = configuration.retention(of: "classroom").rules
        #expect(rules.rule(for: .messages, room: "#bots")?.text == "max_age = \"7d\" for #b*, #c")
        #expect(rules.rule(for: .messages, room: "lobby")?.age == .seconds(365 * 86_400))
        #expect(rules.rule(for: .joins, room: "lobby")?.text == "joins_max_age = \"4w\"")
        #expect(rules.rule(for: .files, room: "#bots")?.text == "files_max_age = \"90d\"")
        #expect(rules.rawRule?.text == "raw_max_age = \"12h\"")
        #expect(rules.minMessages(room: "lobby") == 1000)
        #expect(configuration.retention(of: "classroom").minuteOfDay == 210)
        let other = configuration.retention(of: "an import").rules
        #expect(other.rule(for: .messages, room: "#bots")?.text == "max_age = \"365d\"")
    }

    @Test func `a pattern without a matching account or room is named, with suggestions`() throws {
        let configuration = try read(
            """
            [[retention.rule]]
            rooms = ["kakaotalk/가족", "*/#bots", "kakao/*", "kakaotalk/가좍", "classroom/x", "cold/y", "new/z"]
            max_age = "30d"

            \(account)
            [[account.retention]]
            rooms = ["lobby*", "loby"]
            max_age = "7d"
            [[account]]
            name = "new"
            network = "streamchat"
            server = "tcp://127.0.0.1:5080"
            nick = "archiver"
            [[account.retention]]
            rooms = ["unknown yet"]
            max_age = "7d"
            """)
        let rooms = [("kakaotalk", "가족"), ("kakaotalk", "#bots"), ("classroom", "lobby")].map { account, name in
            Room(
                account: account, network: "log", id: 1, name: name, kind: .channel, messages: 1, firstMessage: nil,
                lastMessage: nil, coveredFrom: nil)
        }
        #expect(configuration.hasRulesForRooms)
        #expect(
            configuration.unmatchedRules(known: ["classroom", "cold", "kakaotalk"], rooms: rooms, unread: ["cold"]) == [
                "no account matches \"kakao/*\" of [[retention.rule]]; did you mean \"kakaotalk\"?",
                "no room matches \"kakaotalk/가좍\" of [[retention.rule]]; did you mean \"kakaotalk/가족\"?",
                "no room matches \"classroom/x\" of [[retention.rule]]; \"scrollback rooms\" lists the names",
                "no room matches \"loby\" of [[account.retention]] of account \"classroom\"; did you mean \"lobby\"?",
            ])
    }

    @Test func `rules can name rooms of imported accounts`() throws {
        let configuration = try read(
            """
            [retention]
            max_age = "365d"

            [[retention.rule]]
            rooms = ["kakaotalk/가족", "*/#bots"]
            max_age = "forever"
            [[retention.rule]]
            rooms = ["kakaotalk/*"]
            max_age = "30d"
            min_messages = 5

            \(account)
            [[account.retention]]
            rooms = ["#bots"]
            max_age = "7d"
            """)
        func age(_ account: String, _ room: String) -> Duration? {
            configuration.retention(of: account).rules.rule(for: .messages, room: room)?.age
        }
        #expect(age("kakaotalk", "가족") == nil, "kept for ever")
        #expect(age("kakaotalk", "회사") == .seconds(30 * 86_400))
        #expect(age("whatsapp", "회사") == .seconds(365 * 86_400))
        #expect(age("whatsapp", "kakaotalk/회사") == .seconds(365 * 86_400), "a room's name is no account")
        #expect(age("whatsapp", "#bots") == nil)
        #expect(age("classroom", "#bots") == .seconds(7 * 86_400), "an account's own tables come first")
        #expect(configuration.retention(of: "kakaotalk").rules.minMessages(room: "회사") == 5)
        #expect(configuration.retention(of: "whatsapp").rules.minMessages(room: "회사") == 0)
    }

    @Test(arguments: [
        ("max_age = \"1d\"", "rooms"), ("rooms = []\nmax_age = \"1d\"", "rooms: expected at least one name"),
        ("rooms = [\"a/*\"]\nraw_max_age = \"1d\"", "raw_max_age: expected a table without rooms"),
        ("rooms = [\"a/*\"]\nat = \"03:30\"", "unknown key \"at\""),
        ("rooms = [\"a/*\", \"kakao*\"]\nmax_age = \"1d\"", "rooms: expected ACCOUNT/ROOM"),
    ])
    func `a mistake in a rule is reported`(text: String, says: String) throws {
        let found = try problems("[[retention.rule]]\n" + text)
        #expect(found.count == 1 && found[0].contains("rule 1") && found[0].contains(says), "\(found)")
    }

    @Test(arguments: [
        "hot_accounts = 5", "hot_bytes = \"1GB\"", "keep_free = \"1GB\"", "bots = [\"relay\"]", "data = \"x\"",
    ])
    func `limits, bots or a data folder alone are a valid configuration`(text: String) throws {
        #expect(try read(text).accounts.isEmpty)
    }

    @Test func `a bot of an unknown account is named, with a suggestion`() throws {
        let text = "bots = [\"helper\", \"classroom/helper\", \"old/helper\", \"clasroom/helper\"]\n"
        let configuration = try read(text + account)
        let warning = "no account matches \"clasroom/helper\" of bots; did you mean \"classroom\"?"
        #expect(configuration.unmatchedBots(known: ["old"]) == [warning])
    }

    @Test func `rules alone are a valid configuration`() throws {
        #expect(try read("[retention]\nmax_age = \"1h\"").accounts.isEmpty)
    }

    @Test(arguments: [
        ("[retention]\nmax_age = \"9\"", "x.toml:2: retention: max_age: expected \"forever\", or a time"),
        (
            "[retention]\nmax_age = \"1000000d\"",
            """
            x.toml:2: retention: max_age: expected "forever", or a time in hours, days or weeks such as "12h", "90d" \
            or "4w" (at least 1h, at most six digits), found "1000000d"
            """
        ),
        ("[retention]\nmax_age = 90", "x.toml:2: retention: max_age: expected a string"),
        ("[retention]\nmin_messages = -1", "x.toml:2: retention: min_messages: expected 0 to"),
        ("[retention]\nat = \"24:00\"", "x.toml:2: retention: at: expected a time of day"),
        ("[retention]\nmax_ages = \"1d\"", "x.toml:2: retention: unknown key \"max_ages\"; did you mean \"max_age\"?"),
        ("[retention]\nrooms = [\"#a\"]", "x.toml:2: retention: unknown key \"rooms\""),
    ])
    func `a mistake in the common table is reported with its line`(text: String, says: String) throws {
        let found = try problems(text + "\n\n" + account)
        #expect(found.count == 1 && found[0].hasPrefix(says), "\(found)")
    }

    @Test(arguments: [
        ("rooms = []\nmax_age = \"1d\"", "rooms: expected at least one name"),
        ("rooms = [\"#a\"]\nraw_max_age = \"1d\"", "raw_max_age: expected a table without rooms"),
        ("max_age = \"1m\"", "max_age: expected \"forever\", or a time"),
        ("at = \"03:30\"", "unknown key \"at\""),
    ])
    func `a mistake in an account's table is reported with its account`(text: String, says: String) throws {
        let found = try problems(account + "\n[[account.retention]]\n" + text)
        #expect(found.count == 1, "\(found)")
        #expect(found[0].contains("account \"classroom\", retention 1: \(says)"), "\(found)")
        #expect(found[0].hasPrefix("x.toml:"))
    }

    @Test func `the next run is at the next such minute of the day`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Asia/Seoul"))
        let now = try #require(calendar.date(from: DateComponents(year: 2026, month: 11, day: 26, hour: 3, minute: 29)))
        #expect(RetentionService.wait(until: 210, from: now, in: calendar) == .seconds(60))
        #expect(RetentionService.wait(until: 208, from: now, in: calendar) == .seconds(86_400 - 60))
    }
}
