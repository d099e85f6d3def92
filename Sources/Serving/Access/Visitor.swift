import ChatModel
import Service

/// The sender of a request.
enum Visitor: Sendable {
    /// The owner, in a browser with the cookie of the secret.
    case owner
    case token(AccessToken)

    var access: ReadAccess {
        switch self {
        case .owner: .everything
        case .token(let token): token.access
        }
    }

    var isOwner: Bool { if case .owner = self { true } else { false } }

    var mayWrite: Bool {
        switch self {
        case .owner: true
        case .token(let token): token.mayWrite
        }
    }

    /// True if the visitor sees what is unread. The marks are the owner's, so somebody who may not set them has none.
    var seesReadMarks: Bool { mayWrite }

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
        case .token(let token): .token(token.sha256)
        }
    }

    /// The name for the log.
    var name: String {
        switch self {
        case .owner: "owner"
        case .token(let token): token.name
        }
    }
}
