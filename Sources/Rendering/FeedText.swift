package import ChatModel

/// Renders changes of a feed, one a line: as JSON, or for people with the position first.
package struct FeedText {
    private let line: OneLineText
    private let isJSON: Bool

    private static let space = "  "

    /// - Parameter format: Text, or JSON lines.
    package init(format: OutputFormat, style: Style, zone: Zone) {
        isJSON = format != .text
        line = OneLineText(
            time: LocalTime(zone: zone), style: style, now: .now(),
            options: TextRenderer.Options(showsRooms: true, showsIDs: true))
    }

    package func render(_ changes: [FeedChange]) -> Rendered {
        Rendered(output: changes.map { isJSON ? JSONValue($0).text + "\n" : text($0) }.joined())
    }

    private func text(_ change: FeedChange) -> String {
        let start = ["\(change.position)", change.kind.rawValue].joined(separator: Self.space) + Self.space
        if case .message(_, let message?) = change.subject {
            return start + line.text(MessageLine(message, zone: line.time.zone), of: message, isHit: false)
        }
        return start
            + [change.account, subject(change.subject)].compactMap { $0.map(Sanitizer.line) }
            .joined(separator: Self.space) + "\n"
    }

    private func subject(_ subject: FeedChange.Subject) -> String? {
        switch subject {
        case .message(let id, _): "message \(id)\(Self.space)gone"
        case .user(let id, let user): "user \(id)\(Self.space)\(user?.name ?? "gone")"
        case .room(let id, let room, _): "room \(id)\(Self.space)\(room?.name ?? "gone")"
        case .account: nil
        }
    }
}
