import FoundationEssentials

/// A setting of an account that all its clients share (client-server API v1.11, 10.20).
package enum MatrixAccountData: Sendable, Hashable {
    /// The direct rooms, with the other person's id (11.7).
    case direct([String: String])
    /// The people whose messages the server does not send (11.13).
    case ignored([String])

    package static let directType = "m.direct"
    package static let ignoredType = "m.ignored_user_list"

    private struct Typed: Decodable { var type: String }
    private struct Event<Content: Decodable>: Decodable { var content: Content }
    private struct Ignored: Decodable { var ignored_users: [String: Nothing] }
    private struct Nothing: Decodable {}

    /// Reads an event of a sync; nil for other settings, or content of another form, because programs keep their own.
    package init?(event: [UInt8]) {
        let data = Data(event)
        switch (try? JSONDecoder().decode(Typed.self, from: data))?.type {
        case Self.directType?:
            guard let event = try? JSONDecoder().decode(Event<[String: [String]]>.self, from: data) else { return nil }
            self = Self.direct(event.content)
        case Self.ignoredType?:
            guard let event = try? JSONDecoder().decode(Event<Ignored>.self, from: data) else { return nil }
            self = .ignored(event.content.ignored_users.keys.sorted())
        default: return nil
        }
    }

    /// Reads the content of a setting.
    package init?(type: String, content: [UInt8]) {
        self.init(event: Array(#"{"type": "\#(type)", "content": "#.utf8) + content + Array("}".utf8))
    }

    private static func direct(_ lists: [String: [String]]) -> Self {
        .direct(
            Dictionary(
                lists.sorted { $0.key < $1.key }.flatMap { user, rooms in rooms.map { ($0, user) } },
                uniquingKeysWith: { first, _ in first }))
    }
}
