/// A call of the service, in the form of one generation.
package struct SLPRoute: Sendable, Hashable {
    package enum Method: String, Sendable { case get = "GET", post = "POST" }

    package var method = Method.get
    /// The path and query below the base, escaped: `/workspaces/1/channels/my`.
    package var target: String

    /// The base: the path with which every call's URL begins.
    package static let base = "/v1"

    package static let login = SLPRoute(method: .post, target: "/users/login")
    package static let refresh = SLPRoute(target: "/auth/refresh")
    package static let workspaces = SLPRoute(target: "/workspaces")

    /// Returns the call for the account's own profile.
    package static func profile(_ generation: SLPGeneration) -> SLPRoute {
        SLPRoute(target: generation == .one ? "/users/my" : "/users/me")
    }

    /// Returns the call for a workspace with all its channels, joined or not.
    package static func workspace(_ id: String) -> SLPRoute {
        SLPRoute(target: "/workspaces/\(escaped(id))")
    }

    package static func members(ofWorkspace id: String) -> SLPRoute {
        SLPRoute(target: workspace(id).target + "/members")
    }

    /// Returns the call for the channels that the account is in.
    package static func myChannels(of workspace: String, _ generation: SLPGeneration) -> SLPRoute {
        SLPRoute(target: Self.workspace(workspace).target + (generation == .one ? "/channels/my" : "/my-channels"))
    }

    package static func directRooms(of workspace: String) -> SLPRoute {
        SLPRoute(target: Self.workspace(workspace).target + "/dms")
    }

    /// Returns the call for the members of a channel; nil for a direct room, which has no such list.
    package static func members(of room: SLPRoomAddress, _ generation: SLPGeneration) -> SLPRoute? {
        guard case .channel = room else { return nil }
        return SLPRoute(target: path(of: room, generation) + "/members")
    }

    /// Returns the call for a room's history.
    ///
    /// - Parameter after: The time after which history is requested, in microseconds since 1970; nil for all of it.
    ///   Whether the answer includes the instant itself is unknown.
    package static func history(of room: SLPRoomAddress, after: Int64?, _ generation: SLPGeneration) -> SLPRoute {
        let cursor = after.map { escaped(SLPTime.cursor($0)) } ?? ""
        return SLPRoute(target: path(of: room, generation) + "/chats?cursor_date=\(cursor)")
    }

    /// Returns the call for the number of unread messages after a time.
    ///
    /// - Parameter after: In microseconds since 1970.
    package static func unread(in room: SLPRoomAddress, after: Int64, _ generation: SLPGeneration) -> SLPRoute {
        let path: String
        switch room {
        case .channel: path = Self.path(of: room, generation)
        // Both generations address the room by its id.
        case .direct(let workspace, let id, _): path = directRooms(of: workspace).target + "/" + escaped(id)
        }
        return SLPRoute(target: "\(path)/unreads?after=\(escaped(SLPTime.cursor(after)))")
    }

    /// Returns the call for a file.
    ///
    /// - Parameter path: The path from a message or profile, escaped or not. Characters that are valid in a path stay,
    ///   so that nothing is escaped twice.
    package static func file(_ path: String) -> SLPRoute {
        let kept = Set("/%!$&'()*+,;=:@-._~".utf8)
        return SLPRoute(
            target: (path.utf8.first == UInt8(ascii: "/") ? "" : "/")
                + escaped(path) { kept.contains($0) || isPlain($0) })
    }

    private static func path(of room: SLPRoomAddress, _ generation: SLPGeneration) -> String {
        switch room {
        case .channel(let workspace, let id, let name):
            Self.workspace(workspace).target + "/channels/" + escaped(generation == .one ? name : id)
        case .direct(let workspace, let id, let partner):
            directRooms(of: workspace).target + "/" + escaped(generation == .one ? partner : id)
        }
    }

    /// Escapes a segment of a path or a value of a query, including `/` and `+`.
    private static func escaped(_ text: String) -> String {
        escaped(text, keeping: { isPlain($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "~") })
    }

    private static func escaped(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            bytes += isKept(byte) ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// The address of a room, with the names and ids that either generation needs.
package enum SLPRoomAddress: Sendable, Hashable {
    /// - Parameter name: The present name. Look it up again before each call.
    case channel(workspace: String, id: String, name: String)
    /// - Parameter partner: The other user's id.
    case direct(workspace: String, id: String, partner: String)
}
