import ChatModel
import Rendering

/// A message, a gap or a heading in a pane, with its lines.
struct PaneRow: Sendable {
    /// The row's identity, which stays when other rows are loaded.
    enum ID: Sendable, Hashable {
        case day(String)
        case message(account: String, MessageID)
        case gap(account: String, room: String, Timestamp)
        case unread
    }

    let id: ID
    /// The time of the message, or of the beginning of the gap or the day.
    let time: Timestamp
    /// The local day, such as `2026-11-21`.
    let day: String
    /// The message or the gap; nil for the heading of a day.
    let content: TextRow?
    let lines: [ScreenLine]

    /// True for a message, joins and leaves, or a gap.
    var isSelectable: Bool {
        switch content {
        case .message, .memberships, .gap: true
        case .separator, nil: false
        }
    }

    /// The message; the first one of several joins and leaves.
    var message: Message? {
        switch content {
        case .message(let message): message
        case .memberships(let messages): messages.first
        case .gap, .separator, nil: nil
        }
    }

    var gap: Gap? { if case .gap(let gap) = content { gap } else { nil } }

    /// Returns the identity of the row of a message or gap.
    static func id(of content: TextRow) -> ID {
        switch content {
        case .message(let message): .message(account: message.account, message.id)
        case .memberships(let messages):
            messages.first.map { .message(account: $0.account, $0.id) } ?? .unread
        case .gap(let gap): .gap(account: gap.account, room: gap.room, gap.from)
        case .separator: .unread
        }
    }
}
