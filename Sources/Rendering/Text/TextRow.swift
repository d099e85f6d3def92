import ChatModel

/// What text for people is made of, from top to bottom; lines for days come on their own.
enum TextRow: Sendable, Hashable {
    case message(Message)
    /// Two or more joins and leaves of one room with nothing between them.
    case comings([Message])
    case gap(Gap)
    case separator(ReadSeparator)

    /// Each gap stands before the first message that is later than its beginning.
    ///
    /// - Parameters:
    ///   - separator: Nil once it has been given.
    ///   - folds: Whether joins and leaves that follow each other become one row: within a day, as `day` tells it.
    static func rows(
        _ messages: [Message], gaps: [Gap], separator: inout ReadSeparator?, folds: Bool, day: (Message) -> String
    ) -> [TextRow] {
        var rows: [TextRow] = []
        var waiting = gaps[...]
        func separate(_ isDue: (ReadSeparator) -> Bool) {
            guard let line = separator, isDue(line) else { return }
            rows.append(.separator(line))
            separator = nil
        }
        for message in messages {
            while let gap = waiting.first, gap.from < message.id.time {
                separate { $0.isBefore(gap) }
                rows.append(.gap(waiting.removeFirst()))
            }
            separate { $0.isBefore(message) }
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
        case .gap, .separator: return nil
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
