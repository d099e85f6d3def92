import ChatModel
import Settings

/// The sender of a request.
enum Visitor: Sendable {
    /// The owner, in a browser with the cookie of the secret.
    case owner
    /// A token, with its read marks if it has its own.
    case token(AccessToken, marks: ReaderMarks?)

    var access: ReadAccess {
        switch self {
        case .owner: .everything
        case .token(let token, let marks): token.access.with(marks: marks)
        }
    }

    var isOwner: Bool { if case .owner = self { true } else { false } }

    /// True if the visitor may set the marks of the owner.
    var mayWrite: Bool {
        switch self {
        case .owner: true
        case .token(let token, _): token.mayWrite
        }
    }

    /// True if the visitor has read marks of their own.
    var hasOwnMarks: Bool { access.marks != nil }

    /// True if the visitor's pages show what is unread. For somebody who has no marks it is unread for the owner.
    var seesReadMarks: Bool { mayWrite || hasOwnMarks }

    /// Returns rooms as the visitor's pages show them.
    func shown(_ rooms: [Room]) -> [Room] {
        guard !seesReadMarks else { return rooms }
        return rooms.map { room in
            var room = room
            room.unread = nil
            return room
        }
    }

    /// The sender among whom places and memory are shared out.
    var share: Share {
        switch self {
        case .owner: .owner
        case .token(let token, _): .token(token.sha256)
        }
    }

    /// The name for the log.
    var name: String {
        switch self {
        case .owner: "owner"
        case .token(let token, _): token.name
        }
    }
}
