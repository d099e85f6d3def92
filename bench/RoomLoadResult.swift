import ChatModel
import StreamChatWire

/// The figures of one run, and its faults.
struct RoomLoadResult: Sendable {
    let scenario: RoomScenario
    /// The longest delay; see ``StallMeter``.
    let stall: Duration
    let speaking: Duration
    let storing: Duration
    let storeAlone: Duration
    let commits: Int
    let journalIsEqual: Bool
    let journalBytes: Int
    let sentBytes: Int
    let rows: RoomLoadRows
    /// The order of the messages in the rows.
    let stored: Order
    /// The order of the messages that the witness received.
    let sent: Order

    init(
        scenario: RoomScenario, stall: Duration, sent: [UInt8], speaking: Duration, storing: Duration,
        batches: [[ChatEvent]],
        storeAlone: Duration, messages: [Message], journal: [UInt8]
    ) {
        self.scenario = scenario
        self.stall = stall
        self.speaking = speaking
        self.storing = storing
        self.storeAlone = storeAlone
        commits = batches.count
        (sentBytes, journalBytes, journalIsEqual) = (sent.count, journal.count, sent == journal)
        rows = RoomLoadRows(messages, sent: sent)
        stored = Order(RoomLoadLine.all(in: rows.bytes), scenario)
        self.sent = Order(RoomLoadLine.all(in: sent), scenario)
    }

    /// The result of comparing every speaker's messages with the order in which they were sent.
    struct Order: Sendable {
        var messages = 0
        var missing = 0
        var outOfOrder = 0

        init(_ lines: [RoomLoadLine], _ scenario: RoomScenario) {
            var texts: [String: [String]] = [:]
            for case .message(let name, let text) in lines.map(\.content) { texts[name, default: []].append(text) }
            for name in scenario.names {
                let numbers = (texts[name] ?? []).compactMap { Int($0.prefix { $0 != " " }) }
                let wanted = (0..<scenario.messagesEach)
                messages += numbers.count
                missing += Set(wanted).subtracting(numbers).count
                outOfOrder += zip(numbers, numbers.dropFirst()).count { $0 >= $1 }
            }
        }
    }

    var failures: [String] {
        var failures: [String] = []
        func check(_ isRight: Bool, _ sentence: String) {
            if !isRight { failures.append("\(scenario.name): \(sentence)") }
        }
        check(sent.missing == 0 && sent.outOfOrder == 0, "the room server lost or mixed up messages")
        check(stored.missing == 0, "\(stored.missing) messages are missing")
        check(stored.outOfOrder == 0, "\(stored.outOfOrder) messages are out of order")
        check(journalIsEqual, "the journal has \(journalBytes) bytes that differ from the \(sentBytes) sent")
        check(rows.holes == 0, "\(rows.holes) rows don't have the bytes of their place")
        check(rows.unflagged == 0, "\(rows.unflagged) rows can be told as glued and are not flagged")
        check(rows.wronglyFlagged == 0, "\(rows.wronglyFlagged) rows are flagged and hold one line")
        if scenario.framing != .chunk || scenario.apart != nil {
            check(
                rows.glued == 0 && rows.split == 0,
                "\(rows.glued) rows are glued, \(rows.split) are split; tasks that were due waited up to "
                    + Self.milliseconds(stall))
        }
        return failures
    }

    static func print(_ results: [RoomLoadResult]) {
        Table.columns(
            results.map(\.scenario.name),
            [
                ("clients", results.map { "\($0.scenario.clients)" }),
                ("messages sent", results.map { "\($0.sent.messages)" }),
                ("stored", results.map { "\($0.stored.messages)" }),
                ("missing", results.map { "\($0.stored.missing)" }),
                ("out of order, by sender", results.map { "\($0.stored.outOfOrder)" }),
                ("bytes sent", results.map { "\($0.sentBytes)" }),
                ("journal", results.map { $0.journalIsEqual ? "equal" : "differs" }),
                ("rows, joins and leaves too", results.map { "\($0.rows.count)" }),
                ("of several lines", results.map { "\($0.rows.glued)" }),
                ("of a part of a line", results.map { "\($0.rows.split)" }),
                ("flagged maybe_coalesced", results.map { "\($0.rows.flagged)" }),
                ("tellable and not flagged", results.map { "\($0.rows.unflagged)" }),
                ("longest wait of a task that was due", results.map { milliseconds($0.stall) }),
                ("commits", results.map { "\($0.commits)" }),
                ("until all was heard", results.map { milliseconds($0.speaking) }),
                ("until all was stored", results.map { milliseconds($0.storing) }),
                ("messages/s, stored", results.map { rate($0.scenario.messages, $0.storing) }),
                ("store alone, same batches", results.map { milliseconds($0.storeAlone) }),
                ("messages/s, store alone", results.map { rate($0.scenario.messages, $0.storeAlone) }),
            ])
    }

    private static func milliseconds(_ duration: Duration) -> String {
        "\(Int(duration / .milliseconds(1))) ms"
    }

    private static func rate(_ count: Int, _ duration: Duration) -> String {
        "\(Int(Double(count) / (duration / .seconds(1))))"
    }
}
