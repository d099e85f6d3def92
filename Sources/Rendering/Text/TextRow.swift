package import ChatModel

/// A row of text for people. Lines for days are added later.
package enum TextRow: Sendable, Hashable {
    case message(Message)
    /// Two or more consecutive joins and leaves of one room.
    case memberships([Message])
    case gap(Gap)
    case separator(ReadSeparator)

    /// Returns the rows. Each gap is before the first message after its beginning.
    ///
    /// - Parameters:
    ///   - separator: Becomes nil when it has its row.
    ///   - folds: True to fold consecutive joins and leaves of one day into one row.
    package static func rows(
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

    /// Returns this row with the message folded in; nil if they don't belong together.
    private func folding(_ message: Message, day: (Message) -> String) -> TextRow? {
        let folded: [Message]
        switch self {
        case .message(let one): folded = [one]
        case .memberships(let several): folded = several
        case .gap, .separator: return nil
        }
        guard let last = folded.last, last.isJoinOrLeave, message.isJoinOrLeave else { return nil }
        guard last.account == message.account, last.roomID == message.roomID, day(last) == day(message) else {
            return nil
        }
        return .memberships(folded + [message])
    }
}

extension Message {
    /// True for a join or a leave, which are folded because a single one has little content; false for a kick.
    fileprivate var isJoinOrLeave: Bool {
        kind == .join || kind == .leave
    }
}
