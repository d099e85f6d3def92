import ChatModel
package import Options

/// The parameters of operations that answer messages.
extension Parameter {
    // MARK: History

    package static let around = Parameter(
        "around", .time, valueName: "time", "Show the messages around this time or cursor.")
    package static let between = Parameter(
        "between", .time, isRepeated: true, upTo: 2, valueName: "from to",
        "Show messages from the first time towards the second, which may be earlier; without the later one itself.",
        requestHelp: "Show messages from the first time towards the second, which may be earlier; give it twice.")
    package static let day = Parameter(
        "day", .time, valueName: "day",
        "Show a day from its first message on, such as 2026-11-21, today or monday.",
        requestHelp: "Show a day from its first message on.")
    package static let oldest = Parameter("oldest", .flag, "Show the oldest messages.")
    package static let unread = Parameter(
        "unread", .flag, "Show unread messages below a separator.", requestHelp: "Show unread messages of one room.")

    // MARK: Search

    package static let hitsBetween = Parameter(
        "between", .time, isRepeated: true, upTo: 2, valueName: "from to",
        "Only hits between two times, from the first towards the second, which may be earlier; without the later one itself.",
        requestHelp:
            "Only hits between two times, from the first towards the second, which may be earlier; give it twice."
    )
    package static let hitOrder = choice(
        "sort", of: SearchOperation.Order.self,
        "The page to show: the newest, the oldest or the most relevant hits (default: newest).",
        requestHelp: "The newest, the oldest or the most relevant hits (default newest).")
    package static let count = Parameter(
        "count", .flag, short: "c", "Show only the number of hits.", requestHelp: "Only the number of hits.")
    package static let by = Parameter(
        "by", .choices(SearchOperation.Grouping.allCases.map(\.rawValue)), valueName: "property",
        """
        Count hits by room, user, year, month, day, weekday or hour; without a word, count all messages. Several, such as \
        hour,user, make a table. -n limits the rows.
        """,
        requestHelp: "Count hits by one of these, or by up to three with commas between them: hour,user.",
        completion: .list(SearchOperation.Grouping.allCases.map(\.rawValue)))
    package static let beforeContext = Parameter(
        "before-context", .number(SearchOperation.Context.limits), short: "B", valueName: "n",
        "Show this many messages before each hit (0 to 100).",
        requestHelp: "The number of messages before each hit.")
    package static let afterContext = Parameter(
        "after-context", .number(SearchOperation.Context.limits), short: "A", valueName: "n",
        "Show this many messages of the room after each hit (0 to 100).",
        requestHelp: "The number of messages after each hit.")
    package static let context = Parameter(
        "context", .number(SearchOperation.Context.limits), short: "C", valueName: "n",
        "Show this many messages before and after each hit (0 to 100).",
        requestHelp: "The number of messages before and after each hit.")
    package static let regex = Parameter(
        "regex", .text, valueName: "pattern",
        "Only messages that this regular expression (PCRE2) matches; without a word, reads every message.",
        requestHelp: "Only messages that this regular expression (PCRE2) matches.")

    package static let exactLetters = Parameter(
        "exact-letters", .flag, "Letters of a phrase in quotes count as written: case, accents, digits.",
        requestHelp: "Letters of a phrase in quotes count as written: case, accents, digits.")

    // MARK: One message

    package static let message = Parameter("message", .text, "The message's id.")
    package static let accountOfMessage = Parameter(
        "account", .text, short: "a", "The account of the message; needed if several accounts have that id.",
        requestHelp: "The account of the message.", completion: .accounts)
    package static let threadAfter = Parameter(
        "after", .time, valueName: "time", "Only messages after this time or cursor.", requestHelp: after.help)
    package static let threadBefore = Parameter(
        "before", .time, valueName: "time", "The last messages before this time or cursor.", requestHelp: before.help)
    package static let threadLimit = Parameter(
        "limit", .number(1...1000), short: "n", valueName: "number",
        "The number of messages, 1 to 1000, or all (default: 1000).",
        requestHelp: "The number of messages (default 1000).")
    package static let threadNames = choice(
        "names", of: MessageQuery.Names.self, "Show names as they were then, or as they are now (default: then).",
        requestHelp: names.requestHelp)
}
