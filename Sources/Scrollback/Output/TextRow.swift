import ChatModel

/// What text for people is made of, from top to bottom; lines for days come on their own.
enum TextRow: Sendable, Hashable {
    case message(Message)
    /// Two or more joins and leaves of one room with nothing between them.
    case comings([Message])
    case gap(Gap)

    /// Each gap stands before the first message that is later than its beginning.
    ///
    /// - Parameter folds: Whether joins and leaves that follow each other become one row: within a day, as `day` tells it.
    static func rows(
        _ messages: [Message], gaps: [Gap], folds: Bool, day: (Message) -> String
    ) -> [TextRow] {
        var rows: [TextRow] = []
        var waiting = gaps[...]
        for message in messages {
            let due = waiting.prefix { $0.from < message.id.time }
            waiting = waiting.dropFirst(due.count)
            rows += due.map(TextRow.gap)
            if folds, let folded = rows.last?.folding(message, day: day) {
                rows[rows.count - 1] = folded
            } else {
                rows.append(.message(message))
            }
        }
        return rows + waiting.map(TextRow.gap)
    }

    /// This row and the message in one; nil where they don't go together.
    private func folding(_ message: Message, day: (Message) -> String) -> TextRow? {
        let folded: [Message]
        switch self {
        case .message(let one): folded = [one]
        case .comings(let several): folded = several
        case .gap: return nil
        }
        guard let last = folded.last, last.isComing, message.isComing else { return nil }
        guard last.account == message.account, last.roomID == message.roomID, day(last) == day(message) else {
            return nil
        }
        return .comings(folded + [message])
    }
}

extension Message {
    /// Whether someone came or went, which says little by itself; a kick says more.
    fileprivate var isComing: Bool {
        kind == .join || kind == .leave
    }
}
