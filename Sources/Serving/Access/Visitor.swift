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
