package import ChatModel

extension JSONValue {
    package init(_ change: FeedChange) {
        let (name, id, state) = Self.parts(change.subject)
        self = .object([
            "kind": .string(change.kind.rawValue),
            "position": .string(change.position.description),
            "account": .string(change.account),
            "subject": JSONValue(name),
            "id": id,
            "state": state,
        ])
    }

    private static func parts(_ subject: FeedChange.Subject) -> (name: String?, id: JSONValue, state: JSONValue) {
        switch subject {
        case .message(let id, let message):
            ("message", JSONValue(id), message.map { JSONValue($0) } ?? .null)
        case .user(let id, let user):
            ("user", .number(id), user.map { JSONValue($0) } ?? .null)
        case .room(let id, let room, let gaps):
            ("room", .number(id), room.map { JSONValue($0, gaps: gaps) } ?? .null)
        case .account:
            (nil, .null, .null)
        }
    }

    /// The room with `gaps`.
    private init(_ room: Room, gaps: [Gap]) {
        let gaps = Member(key: "gaps", value: .array(gaps.map { JSONValue($0) }))
        self = .object(JSONValue(room).members + [gaps])
    }
}
